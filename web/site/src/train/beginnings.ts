// SPDX-License-Identifier: MIT
// The three ways a trainer comes about: fresh, from a saved run, or from weights of this run.

import type { Model, Trainer } from 'heed';
import type { PreparedText, RunRecord } from '../background/protocol';
import { currentRun, runOf } from './current-run';
import type { CurrentRun } from './current-run';
import type { EngineHost } from '../shell/engine-host.svelte';
import type { Settings } from './fields';
import { modelOptions, trainOptions } from './options';
import type { GoodWeights } from './good-weights';
import type { Library } from './library';
import { newRunId } from './tab';

export interface Beginning {
  trainer: Trainer;
  run: CurrentRun;
  /** A model that the trainer was given and does not dispose. */
  model?: Model;
}

export class Beginnings {
  readonly #host: EngineHost;
  readonly #library: Library;

  constructor(host: EngineHost, library: Library) {
    this.#host = host;
    this.#library = library;
  }

  async fresh(settings: Settings, prepared: PreparedText, id = newRunId()): Promise<Beginning> {
    const engine = await this.#host.start();
    const trainer = await engine.createTrainer({
      model: modelOptions(settings, prepared.vocab),
      train: trainOptions(settings),
      data: { tokens: prepared.tokens },
    });
    const fixed = { id, settings, prepared, stepOffset: 0, tokenOffset: 0 };
    return { trainer, run: currentRun(trainer, fixed) };
  }

  async saved(record: RunRecord): Promise<Beginning> {
    const prepared = await this.#library.textOf(record);
    const engine = await this.#host.start();
    const data = { tokens: prepared.tokens };
    const { trainer } = await engine.resumeTrainer(record.checkpoint, data);
    return { trainer, run: runOf(record, prepared, trainer) };
  }

  /**
   * Goes on from weights of `run` under other training settings, for the steps that are left. The
   * optimizer's moments start anew, since those that led here belong to the old rate.
   */
  async continued(run: CurrentRun, from: GoodWeights, settings: Settings): Promise<Beginning> {
    const engine = await this.#host.start();
    const { model } = await engine.loadModel(from.weights);
    const steps = Math.max(1, settings.steps - from.step);
    try {
      const trainer = await engine.createTrainer({
        model,
        train: trainOptions({ ...settings, steps }),
        data: { tokens: run.prepared.tokens },
      });
      const fixed = { ...run, settings, stepOffset: from.step, tokenOffset: from.tokens };
      return { trainer, model, run: currentRun(trainer, fixed) };
    } catch (error) {
      model.dispose();
      throw error;
    }
  }
}
