// SPDX-License-Identifier: MIT
// The public Trainer over either backend.

import type {
  EvaluateOptions,
  Evaluation,
  Model,
  RunOptions,
  StepMetrics,
  TrainConfig,
  Trainer,
  TrainOptions,
} from './api.js';
import type {
  Example,
  GroupInfo,
  GroupNorms,
  Ledger,
  RecordOptions,
  StepReport,
  TaskInfo,
  Timeline,
} from './api-train.js';
import {
  checkEvaluateOptions,
  checkMetadata,
  checkNumber,
  checkRecordOptions,
  checkRunOptions,
  checkSplit,
  groupNames,
} from './call-options.js';
import { HeedError, reviveError } from './errors.js';
import { HeedModel, modelLifetime } from './model.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import type { Backend, DataDescription, Handle, TrainerDescription } from './protocol.js';
import { changedTrain } from './options.js';
import { describeTask } from './tasks.js';
import { HeedTimeline } from './timeline.js';

export class HeedTrainer implements Trainer {
  readonly model: Model;
  readonly task: TaskInfo | null;
  /** For the library itself: equal data draws equal batches. */
  readonly data: Readonly<DataDescription>;
  readonly #backend: Backend;
  readonly #handle: Handle;
  readonly #life: Lifetime;
  /** That of the engine, under which branches live. */
  readonly #engine: Lifetime;
  #config: Readonly<TrainConfig>;
  #step: number;
  #timeline: HeedTimeline | undefined;

  private constructor(
    backend: Backend,
    engine: Lifetime,
    life: Lifetime,
    model: Model,
    made: TrainerDescription,
  ) {
    this.model = model;
    this.#config = Object.freeze({ ...made.trainConfig });
    this.task = made.data.task && describeTask(made.data.task);
    this.data = Object.freeze(made.data);
    this.#backend = backend;
    this.#engine = engine;
    this.#handle = made.trainer;
    this.#life = life;
    this.#step = made.step;
  }

  /** The trainer and its model share one lifetime: freeing the model frees what trains it. */
  static withOwnModel(
    backend: Backend,
    parent: Lifetime,
    made: TrainerDescription,
  ): HeedTrainer {
    const life = modelLifetime(backend, parent, made.model);
    return new HeedTrainer(backend, parent, life, new HeedModel(backend, life, made), made);
  }

  static over(
    model: HeedModel,
    backend: Backend,
    engine: Lifetime,
    made: TrainerDescription,
  ): HeedTrainer {
    const { trainer } = made;
    const life = new Lifetime('trainer', () => backend.release(trainer), model.lifetime());
    return new HeedTrainer(backend, engine, life, model, made);
  }

  get config(): Readonly<TrainConfig> {
    return this.#config;
  }

  get step(): number {
    return this.#step;
  }

  get disposed(): boolean {
    return this.#life.disposed;
  }

  dispose(): void {
    this.#life.end();
  }

  [symbolDispose](): void {
    this.dispose();
  }

  /** For the library itself: throws unless the trainer is alive and of this engine. */
  handleFor(backend: Backend): Handle {
    this.#life.check();
    if (backend !== this.#backend) {
      throw new HeedError(
        'invalid-argument',
        'The trainer belongs to another engine. Create all twins with one engine.',
      );
    }
    return this.#handle;
  }

  /** For the library itself: somebody has made steps. */
  moveTo(step: number): void {
    this.#step = step;
  }

  run(options: RunOptions = {}): AsyncIterableIterator<StepMetrics> {
    this.#life.check();
    checkRunOptions(options);
    return this.#run(options);
  }

  async *#run({
    steps = Number.POSITIVE_INFINITY,
    every = 1,
    report = false,
    signal,
  }: RunOptions): AsyncGenerator<StepMetrics, void, undefined> {
    const until = Math.min(this.#step + steps, this.config.steps);
    while (this.#step < until && signal?.aborted !== true) {
      this.#life.check();
      const params = { trainer: this.#handle, steps: every, until, report };
      const done = await this.#backend.call('advance', params, { signal });
      this.#step = done.step;
      if (done.metrics !== null) {
        yield done.metrics;
      }
      if (done.failure !== undefined) {
        throw reviveError(done.failure);
      }
      if (done.metrics === null) {
        // Aborted inside the first step of this pull, or another loop has taken the last steps.
        return;
      }
    }
  }

  async evaluate(options: EvaluateOptions = {}): Promise<Evaluation> {
    this.#life.check();
    checkEvaluateOptions(options);
    const { split = 'validation', maxWindows = 0, signal } = options;
    const params = { trainer: this.#handle, split, maxWindows };
    return this.#backend.call('evaluate', params, { signal });
  }

  async save(metadata: Record<string, string> = {}): Promise<Uint8Array> {
    this.#life.check();
    checkMetadata(metadata);
    return this.#backend.call('saveTrainer', { trainer: this.#handle, metadata });
  }

  async change(options: Omit<TrainOptions, 'freeze'>): Promise<void> {
    this.#life.check();
    const train = changedTrain(this.#config, options);
    if ('freeze' in options) {
      throw new HeedError('invalid-argument', 'change() has no "freeze". Call setFrozen() for that.');
    }
    await this.#backend.call('changeTrainer', { trainer: this.#handle, train });
    this.#config = Object.freeze(train);
  }

  async reset(): Promise<void> {
    this.#life.check();
    await this.#backend.call('reset', { trainer: this.#handle });
    this.#step = 0;
    this.#timeline?.wentBackTo(0);
  }

  async example(index: number, split: 'train' | 'validation' = 'validation'): Promise<Example> {
    this.#life.check();
    checkNumber(index, "the example's number", 0);
    checkSplit(split);
    return this.#backend.call('example', { trainer: this.#handle, split, index });
  }

  async batch(step: number = this.#step + 1): Promise<Example[]> {
    this.#life.check();
    checkNumber(step, 'step', 1);
    return this.#backend.call('batch', { trainer: this.#handle, step });
  }

  async groups(): Promise<GroupInfo[]> {
    this.#life.check();
    return this.#backend.call('groups', { trainer: this.#handle });
  }

  async norms(): Promise<GroupNorms[]> {
    this.#life.check();
    return this.#backend.call('norms', { trainer: this.#handle });
  }

  async setFrozen(names: readonly string[]): Promise<void> {
    this.#life.check();
    const params = { trainer: this.#handle, names: groupNames(names, 'names') };
    return this.#backend.call('setFrozen', params);
  }

  async forward(): Promise<{ loss: number }> {
    this.#life.check();
    return this.#backend.call('stepForward', { trainer: this.#handle });
  }

  async backward(): Promise<{ gradientNorm: number }> {
    this.#life.check();
    return this.#backend.call('stepBackward', { trainer: this.#handle });
  }

  async update(groups?: readonly string[]): Promise<StepReport> {
    this.#life.check();
    const names = groups === undefined ? null : groupNames(groups, 'groups');
    const report = await this.#backend.call('update', { trainer: this.#handle, groups: names });
    this.#step = report.metrics.step;
    return report;
  }

  async undo(): Promise<void> {
    this.#life.check();
    this.#step = await this.#backend.call('undo', { trainer: this.#handle });
    this.#timeline?.wentBackTo(this.#step);
  }

  async ledger(): Promise<Ledger> {
    this.#life.check();
    return this.#backend.call('ledger', { trainer: this.#handle });
  }

  async lossAfter(groups: readonly string[]): Promise<number> {
    this.#life.check();
    const params = { trainer: this.#handle, groups: groupNames(groups, 'groups') };
    return this.#backend.call('lossAfter', params);
  }

  async record(options: RecordOptions = {}): Promise<Timeline> {
    this.#life.check();
    checkRecordOptions(options);
    const { every = 10, maxBytes = 64 * 2 ** 20 } = options;
    const params = { trainer: this.#handle, every, maxBytes };
    const timeline = await this.#backend.call('record', params);
    const first = this.#step;
    const branch = (made: TrainerDescription) =>
      HeedTrainer.withOwnModel(this.#backend, this.#engine, made);
    this.#timeline = new HeedTimeline(this.#backend, this.#life, this, timeline, first, branch);
    return this.#timeline;
  }
}
