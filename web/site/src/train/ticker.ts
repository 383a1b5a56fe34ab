// SPDX-License-Identifier: MIT
// How often the page redraws: at most ten times a second, once a second for readers who asked for
// less motion, never while hidden, and so that drawing takes no more than a share of the time: a page
// of large matrices is redrawn less often instead of stuttering.

const intervalMs = 100;
const calmIntervalMs = 1000;
/** One frame in ten may be late: the 95th percentile of frame intervals stays that of an idle page. */
const drawingShare = 0.1;
const longestIntervalMs = 1000;

export class Ticker {
  readonly #flush: (complete: boolean) => void;
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #last = -Infinity;
  /** Of the last two draws: one slow one (the first, a compiler's) says nothing about the next. */
  #drawingMs: [number, number] = [0, 0];
  #scheduled = false;

  /** `flush` is told whether everything has to be shown or costly parts may wait. */
  constructor(flush: (complete: boolean) => void) {
    this.#flush = flush;
  }

  /** Something changed; it will be shown at the next permitted frame. */
  mark(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const interval = Math.max(
      this.#calm.matches ? calmIntervalMs : intervalMs,
      Math.min(longestIntervalMs, Math.min(...this.#drawingMs) / drawingShare),
    );
    const wait = Math.max(0, this.#last + interval - performance.now());
    // Animation frames stop in a hidden tab, so what piled up is shown once on return.
    setTimeout(() => requestAnimationFrame(() => this.#show(false)), wait);
  }

  /** Shows at once: for what a reader just did, which must not wait. */
  now(): void {
    this.#show(true);
  }

  #show(complete: boolean): void {
    this.#scheduled = false;
    const start = performance.now();
    this.#last = start;
    this.#flush(complete);
    // Figures are drawn after this, the frame after them; the next task comes when both are done.
    setTimeout(() => {
      this.#drawingMs = [this.#drawingMs[1], performance.now() - start];
    });
  }
}
