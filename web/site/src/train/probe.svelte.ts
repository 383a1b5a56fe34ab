// SPDX-License-Identifier: MIT
// The probe: a short text whose attention is shown at every layer and head while the model trains.

import { HeedError } from 'heed';
import type { AttentionMaps, Tokenizer, Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

/** More columns than this cannot be read, and cost quadratically. */
export const longestProbe = 64;

export interface ShownAttention {
  maps: AttentionMaps;
  /** The tokens as text, one for each row and column. */
  tokens: string[];
  /** Steps done when these weights were read. */
  step: number;
}

export class Probe implements SideTask {
  text = $state('');
  /** Why the text cannot be shown, in the engine's words. */
  problem: string | undefined = $state();
  /** Whether the text was longer than can be shown. */
  cut = $state(false);
  shown: ShownAttention | undefined = $state.raw();
  readonly pacer = new Pacer(250, 0.15);
  #tokenizer: Tokenizer | undefined;
  #ids: Int32Array = new Int32Array(0);
  #context = 1;
  #next: ShownAttention | undefined;
  readonly #stepNow: () => number;
  readonly #changed: () => void;

  constructor(stepNow: () => number, changed: () => void) {
    this.#stepNow = stepNow;
    this.#changed = changed;
  }

  begin(tokenizer: Tokenizer, context: number, text: string): void {
    this.#tokenizer = tokenizer;
    this.#context = context;
    this.#next = undefined;
    this.shown = undefined;
    this.set(text);
  }

  /** Returns whether the text can be shown; if not, the last one that could goes on. */
  set(text: string): boolean {
    this.text = text;
    this.problem = undefined;
    if (this.#tokenizer === undefined || text === '') return false;
    try {
      const ids = this.#tokenizer.encode(text);
      const longest = Math.min(longestProbe, this.#context);
      this.cut = ids.length > longest;
      this.#ids = ids.subarray(0, longest);
      return true;
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      this.problem = error.message;
      return false;
    }
  }

  async run(trainer: Trainer): Promise<void> {
    const tokenizer = this.#tokenizer;
    const ids = this.#ids;
    if (tokenizer === undefined || ids.length === 0) return;
    const maps = await trainer.model.attention(ids);
    const tokens = Array.from(ids, (id) => tokenizer.token(id));
    this.#next = { maps, tokens, step: this.#stepNow() };
    this.#changed();
  }

  flush(): void {
    if (this.#next !== undefined) this.shown = this.#next;
  }
}
