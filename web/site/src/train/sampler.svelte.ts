// SPDX-License-Identifier: MIT
// The sample: what the model writes now, refreshed while it trains.

import { HeedError } from 'heed';
import type { Tokenizer, Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

const sampleTokens = 200;

export interface ShownSample {
  prompt: string;
  text: string;
  /** Steps done when it was written; also the seed of its draws. */
  step: number;
}

export class Sampler implements SideTask {
  prompt = $state('');
  temperature = $state(0.8);
  problem: string | undefined = $state();
  shown: ShownSample | undefined = $state.raw();
  readonly pacer = new Pacer(2500, 0.08, 700);
  #tokenizer: Tokenizer | undefined;
  #ids: Int32Array = new Int32Array(0);
  #accepted = '';
  #next: ShownSample | undefined;
  readonly #stepNow: () => number;
  readonly #changed: () => void;

  constructor(stepNow: () => number, changed: () => void) {
    this.#stepNow = stepNow;
    this.#changed = changed;
  }

  begin(tokenizer: Tokenizer, prompt: string): void {
    this.#tokenizer = tokenizer;
    this.#next = undefined;
    this.shown = undefined;
    this.set(prompt);
  }

  /** Returns whether the prompt can be used; if not, the last one that could goes on. */
  set(prompt: string): boolean {
    this.prompt = prompt;
    this.problem = undefined;
    if (this.#tokenizer === undefined || prompt === '') return false;
    try {
      this.#ids = this.#tokenizer.encode(prompt);
      this.#accepted = prompt;
      return true;
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      this.problem = error.message;
      return false;
    }
  }

  async run(trainer: Trainer, signal: AbortSignal): Promise<void> {
    const tokenizer = this.#tokenizer;
    if (tokenizer === undefined || this.#ids.length === 0) return;
    const step = this.#stepNow();
    const prompt = this.#accepted;
    const decoder = tokenizer.stream();
    let text = '';
    const tokens = trainer.model.generate({
      prompt: this.#ids,
      tokens: sampleTokens,
      temperature: this.temperature,
      // The same step writes the same text, so a reset run repeats its samples.
      seed: step,
      signal,
    });
    for await (const token of tokens) text += decoder.push(token);
    if (signal.aborted) throw new DOMException('interrupted', 'AbortError');
    this.#next = { prompt, text: text + decoder.end(), step };
    this.#changed();
  }

  flush(): void {
    if (this.#next !== undefined) this.shown = this.#next;
  }
}
