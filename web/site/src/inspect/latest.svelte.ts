// SPDX-License-Identifier: MIT
// A question to the engine of which only the newest answer counts: while one is being worked out,
// later wishes replace each other. What was answered last stays until then.

import { HeedError } from 'heed';

export class Latest<T> {
  answer: T | undefined = $state.raw();
  failure: unknown = $state.raw();
  busy = $state(false);
  #wanted: { key: string; work: () => Promise<T> } | undefined;
  #asked: string | undefined;

  /** The same `key` is not asked twice in a row. */
  ask(key: string, work: () => Promise<T>): void {
    if (key === this.#asked) return;
    this.#asked = key;
    this.#wanted = { key, work };
    if (!this.busy) void this.#go();
  }

  clear(): void {
    this.#asked = undefined;
    this.#wanted = undefined;
    this.answer = undefined;
    this.failure = undefined;
  }

  async #go(): Promise<void> {
    this.busy = true;
    while (this.#wanted !== undefined) {
      const { key, work } = this.#wanted;
      this.#wanted = undefined;
      try {
        const answer = await work();
        if (key !== this.#asked) continue;
        this.answer = answer;
        this.failure = undefined;
      } catch (error) {
        // What it was asked of has been left: there is something newer to ask.
        const gone = error instanceof HeedError && error.code === 'disposed';
        if (!gone && key === this.#asked) {
          this.answer = undefined;
          this.failure = error;
        }
      }
    }
    this.busy = false;
  }
}
