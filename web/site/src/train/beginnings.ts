// SPDX-License-Identifier: MIT
// The three ways a trainer comes about: fresh, from a saved run, or from an earlier state of this run.

import type { Trainer } from 'heed';
import type { PreparedText, RunRecord } from '../background/protocol';
import { changed } from './changes';
import type { Change } from './changes';
import { currentRun, runOf } from './current-run';
import type { CurrentRun, Words } from './current-run';
import type { EngineHost } from '../shell/engine-host.svelte';
import type { Settings } from './fields';
import type { GoodState } from './good-state';
import type { Library } from './library';
import { modelOptions, trainOptions } from './options';
import { newRunId } from './run-id';
import { dataOf, tokenizerOf } from './task-data';

export interface Beginning {
  trainer: Trainer;
  run: CurrentRun;
  /** What a task shows first: its first held-out example. */
  words?: Words;
}

async function wordsOf(trainer: Trainer, { task, tokenizer }: PreparedText): Promise<Words | undefined> {
  if (task === undefined) return undefined;
  const { tokens } = await trainer.example(0);
  return { probe: tokenizerOf(tokenizer).decode(tokens), prompt: '' };
}

export class Beginnings {
  readonly #host: EngineHost;
  readonly #library: Library;

  constructor(host: EngineHost, library: Library) {
    this.#host = host;
    this.#library = library;
  }

  async fresh(
    first: Settings,
    prepared: PreparedText,
    changes: readonly Change[] = [],
    id = newRunId(),
  ): Promise<Beginning> {
    const engine = await this.#host.start();
    const trainer = await engine.createTrainer({
      model: modelOptions(first, prepared.vocab),
      train: trainOptions(first),
      data: dataOf(prepared),
    });
    const fixed = { id, first, changes, prepared };
    const words = await wordsOf(trainer, prepared);
    return { trainer, run: currentRun(trainer, fixed), ...(words === undefined ? {} : { words }) };
  }

  async saved(record: RunRecord): Promise<Beginning> {
    const prepared = await this.#library.textOf(record);
    const engine = await this.#host.start();
    const data = dataOf(prepared);
    const { trainer } = await engine.resumeTrainer(record.checkpoint, data);
    return { trainer, run: runOf(record, prepared, trainer) };
  }

  /** Goes on from an earlier state of `run` under other training settings. */
  async continued(run: CurrentRun, from: GoodState, settings: Settings): Promise<Beginning> {
    const engine = await this.#host.start();
    const { trainer } = await engine.resumeTrainer(from.checkpoint, dataOf(run.prepared));
    try {
      await trainer.change(trainOptions(settings));
      const changes = changed(run.first, run.changes, from.step, settings);
      return { trainer, run: currentRun(trainer, { ...run, changes }) };
    } catch (error) {
      trainer.dispose();
      throw error;
    }
  }
}
