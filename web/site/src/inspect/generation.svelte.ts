// SPDX-License-Identifier: MIT
// A text that the model continues token by token, with what each token was drawn from, and which
// edges of attention spoke for it.

import type { NextToken } from 'heed';
import type { LoadedState } from './states';

export interface Sampling {
  temperature: number;
  topK: number;
  topP: number;
  seed: number;
}

export interface Written {
  next: NextToken;
  sampling: Sampling;
}

export const usualSampling: Sampling = { temperature: 1, topK: 0, topP: 1, seed: 0 };

export class Generation {
  sampling: Sampling = $state.raw(usualSampling);
  written: readonly Written[] = $state.raw([]);
  /** The token looked at: one of those written, or (at their end) the one to come. */
  at = $state(0);
  running = $state(false);
  failure: unknown = $state.raw();
  #stop = false;

  clear(): void {
    this.#stop = true;
    this.written = [];
    this.at = 0;
    this.failure = undefined;
  }

  /** Prompt and what was written before token `index`. */
  before(prompt: ArrayLike<number>, index: number): Int32Array {
    const tokens = this.written.slice(0, index).map(({ next }) => next.token);
    return Int32Array.from([...Array.from(prompt), ...tokens]);
  }

  next({ model }: LoadedState, prompt: ArrayLike<number>, index: number): Promise<NextToken> {
    return model.next(this.before(prompt, index), { ...this.sampling, index });
  }

  /** So many tokens more; `stop` ends it after the one under way. */
  async write(state: LoadedState, prompt: ArrayLike<number>, count: number): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.#stop = false;
    this.failure = undefined;
    try {
      for (let n = 0; n < count && !this.#stop; ++n) {
        const { sampling } = this;
        const next = await this.next(state, prompt, this.written.length);
        if (this.#stop) break;
        this.written = [...this.written, { next, sampling }];
        this.at = this.written.length;
      }
    } catch (error) {
      this.failure = error;
    }
    this.running = false;
  }

  stop(): void {
    this.#stop = true;
  }

  /** Takes the last token back. */
  undo(): void {
    this.written = this.written.slice(0, -1);
    this.at = this.written.length;
  }
}
