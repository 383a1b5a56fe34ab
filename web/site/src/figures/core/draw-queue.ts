// SPDX-License-Identifier: MIT
// Draws what has new data a few milliseconds at a time, what the reader sees first, so that keys and
// clicks never wait for a page full of figures.

export interface Drawable {
  draw(): void;
  /** Whether the reader can see it now. */
  readonly inSight: boolean;
}

/** A task's worth of drawing; half a frame leaves the other half to layout and paint. */
const sliceMs = 8;
/** What nobody sees follows the data this much more slowly. */
const outOfSightMs = 500;

export class DrawQueue {
  readonly #waiting = new Set<Drawable>();
  readonly #drawnAt = new WeakMap<Drawable, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** Asked again before it was drawn, it is drawn once. */
  ask(drawable: Drawable): void {
    this.#waiting.add(drawable);
    this.#wakeAt(this.#dueAt(drawable));
  }

  forget(drawable: Drawable): void {
    this.#waiting.delete(drawable);
  }

  /** Draws at once if it was waiting: before it is saved, or when it comes into sight. */
  now(drawable: Drawable): void {
    if (this.#waiting.delete(drawable)) this.#draw(drawable);
  }

  #draw(drawable: Drawable): void {
    this.#drawnAt.set(drawable, performance.now());
    drawable.draw();
  }

  #dueAt(drawable: Drawable): number {
    return drawable.inSight ? 0 : (this.#drawnAt.get(drawable) ?? -outOfSightMs) + outOfSightMs;
  }

  #wakeAt(time: number): void {
    if (time >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = time;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, time - performance.now()));
  }

  #run(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const start = performance.now();
    const due = [...this.#waiting]
      .filter((drawable) => this.#dueAt(drawable) <= start)
      .sort((a, b) => Number(b.inSight) - Number(a.inSight));
    for (const drawable of due) {
      if (performance.now() - start > sliceMs) break;
      this.now(drawable);
    }
    for (const drawable of this.#waiting) this.#wakeAt(this.#dueAt(drawable));
  }
}
