// SPDX-License-Identifier: MIT
// Seeded numbers for fixtures and for the choice of entries to look at.

/** Park and Miller's generator with the multiplier 48271: products stay below 2^53. */
export class Random {
  static readonly #modulus = 2 ** 31 - 1;
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.abs(Math.trunc(seed)) % (Random.#modulus - 1)) + 1;
    // Neighbouring seeds start with neighbouring numbers.
    for (let i = 0; i < 4; ++i) {
      this.uniform();
    }
  }

  /** In (0, 1). */
  uniform(): number {
    this.#state = (this.#state * 48_271) % Random.#modulus;
    return this.#state / Random.#modulus;
  }

  /** 0 to count - 1. */
  below(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  /** Mean 0, deviation 1 (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  normals(count: number, deviation = 1, mean = 0): Float64Array {
    return Float64Array.from({ length: count }, () => mean + deviation * this.normal());
  }

  /** Up to `count` different ones of `from`. */
  choose<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    const chosen: T[] = [];
    while (chosen.length < count && left.length > 0) {
      chosen.push(...left.splice(this.below(left.length), 1));
    }
    return chosen;
  }
}
