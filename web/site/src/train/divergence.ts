// SPDX-License-Identifier: MIT
// Tells a run that is going wrong while its numbers are still finite. With normalization and Adam a
// rate that is far too high rarely makes an infinity: the loss just climbs for good.

/** Steps over which the loss is averaged, so that one bad batch is no alarm. */
const span = 10;

export class Divergence {
  readonly #uniform: number;
  readonly #limit: number;
  #mean = 0;
  #steps = 0;
  #told = false;

  /** Twice the loss of guessing evenly, and a nat more for tiny vocabularies. */
  constructor(vocab: number) {
    this.#uniform = Math.log(vocab);
    this.#limit = 2 * this.#uniform + 1;
  }

  get mean(): number {
    return this.#mean;
  }

  /** The mean is below that of guessing evenly. */
  get learning(): boolean {
    return this.#steps >= span && this.#mean < this.#uniform;
  }

  /** Adds a step's loss; true once, when the mean is past the limit. */
  passes(loss: number): boolean {
    this.#steps += 1;
    this.#mean += (loss - this.#mean) / Math.min(this.#steps, span);
    if (this.#told || this.#steps < span || this.#mean <= this.#limit) return false;
    this.#told = true;
    return true;
  }
}
