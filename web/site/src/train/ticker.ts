// SPDX-License-Identifier: MIT
// How often the page redraws: at most ten times a second, once a second for readers who asked for
// less motion, never while hidden. Training does not pass through here and is not slowed by it.

const intervalMs = 100;
const calmIntervalMs = 1000;

export class Ticker {
  readonly #flush: (complete: boolean) => void;
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #last = -Infinity;
  #scheduled = false;

  /** `flush` is told whether everything has to be shown or costly parts may wait. */
  constructor(flush: (complete: boolean) => void) {
    this.#flush = flush;
  }

  /** Something changed; it will be shown at the next permitted frame. */
  mark(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const interval = this.#calm.matches ? calmIntervalMs : intervalMs;
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
    this.#last = performance.now();
    this.#flush(complete);
  }
}
