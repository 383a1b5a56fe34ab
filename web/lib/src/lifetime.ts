// SPDX-License-Identifier: MIT
// Who is alive. A child asks its parent, so that parents need no list of their children and an
// object nobody refers to can be collected.

import { HeedError } from './errors.js';

// Older browsers have no Symbol.dispose; `using` compiled for them looks for this one.
export const symbolDispose: typeof Symbol.dispose =
  Symbol.dispose ?? (Symbol.for('Symbol.dispose') as typeof Symbol.dispose);

/** The net under a forgotten dispose(): frees engine memory when the owner has been collected. */
const net = new FinalizationRegistry<() => void>((free) => free());

export class Lifetime {
  readonly #what: string;
  readonly #free: () => void;
  readonly #parent: Lifetime | undefined;
  #ended = false;

  /** `free` must not refer to the owner or to this object, or neither would ever be collected. */
  constructor(what: string, free: () => void, parent?: Lifetime) {
    this.#what = what;
    this.#free = free;
    this.#parent = parent;
    net.register(this, free, this);
  }

  get disposed(): boolean {
    return this.#ended || (this.#parent?.disposed ?? false);
  }

  /** Throws `disposed` when it is over. */
  check(): void {
    if (this.disposed) {
      throw new HeedError(
        'disposed',
        `This ${this.#what} was disposed. Create a new one, or dispose later.`,
      );
    }
  }

  end(): void {
    if (this.#ended) {
      return;
    }
    const freed = this.disposed;
    this.#ended = true;
    net.unregister(this);
    if (!freed) {
      this.#free();
    }
  }
}
