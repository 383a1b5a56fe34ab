// SPDX-License-Identifier: MIT
// When a side task of training (a sample, a validation, a save) is due: not more often than every
// `minMs`, and so that it takes no more than `share` of the time, whatever the model's size.

export class Pacer {
  readonly #minMs: number;
  readonly #share: number;
  #next: number;

  /** `firstMs` after construction it is due for the first time. */
  constructor(minMs: number, share: number, firstMs = 0) {
    this.#minMs = minMs;
    this.#share = share;
    this.#next = performance.now() + firstMs;
  }

  get due(): boolean {
    return performance.now() >= this.#next;
  }

  /** Due now. */
  force(): void {
    this.#next = 0;
  }

  async run(work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    try {
      await work();
    } finally {
      const cost = performance.now() - start;
      this.#next = performance.now() + Math.max(this.#minMs, cost / this.#share);
    }
  }
}
