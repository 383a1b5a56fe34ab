// SPDX-License-Identifier: MIT
// Saved states of runs as models: the last few stay loaded, so that scrubbing back and forth is quick.

import type { Engine, Model, Tokenizer } from 'heed';
import type { Background } from '../background/client';
import type { RunInfo } from '../background/protocol';
import { tokenizerOf } from '../train/task-data';

export interface LoadedState {
  key: string;
  run: RunInfo;
  step: number;
  model: Model;
  tokenizer: Tokenizer;
  /** What the train room shows of it. */
  probe: string;
}

/** Each has its weights in the engine's memory. */
const mostLoaded = 6;

const keyOf = (run: RunInfo, step: number): string => `${run.id}/${step}/${run.updatedAt}`;

export class States {
  readonly #background: Background;
  readonly #engine: () => Promise<Engine>;
  /** Key of the state that is shown, which stays loaded. */
  held = '';
  /** In order of use, the newest last. */
  readonly #loaded = new Map<string, Promise<LoadedState>>();

  constructor(background: Background, engine: () => Promise<Engine>) {
    this.#background = background;
    this.#engine = engine;
  }

  get(run: RunInfo, step: number): Promise<LoadedState> {
    const key = keyOf(run, step);
    const state = this.#loaded.get(key) ?? this.read(run, step);
    this.#loaded.delete(key);
    this.#loaded.set(key, state);
    state.catch(() => this.#loaded.delete(key));
    for (const [oldest, one] of this.#loaded) {
      if (this.#loaded.size <= mostLoaded) break;
      if (oldest === this.held) continue;
      this.#loaded.delete(oldest);
      void one.then(({ model }) => model.dispose(), () => {});
    }
    return state;
  }

  /** Not kept: whoever reads it disposes of its model. */
  async read(run: RunInfo, step: number): Promise<LoadedState> {
    const record = await this.#background.ask({ kind: 'read', id: run.id, step });
    const engine = await this.#engine();
    const { model } = await engine.loadModel(record.checkpoint);
    return {
      key: keyOf(run, step), run, step: record.step, model, tokenizer: tokenizerOf(record.tokenizer), probe: record.probe,
    };
  }
}
