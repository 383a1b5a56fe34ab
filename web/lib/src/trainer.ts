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
} from './api.js';
import { checkEvaluateOptions, checkMetadata, checkRunOptions } from './call-options.js';
import { reviveError } from './errors.js';
import { HeedModel, modelLifetime } from './model.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import type { Backend, Handle, TrainerDescription } from './protocol.js';

export class HeedTrainer implements Trainer {
  readonly model: Model;
  readonly config: Readonly<TrainConfig>;
  readonly #backend: Backend;
  readonly #handle: Handle;
  readonly #life: Lifetime;
  #step: number;

  private constructor(backend: Backend, life: Lifetime, model: Model, made: TrainerDescription) {
    this.model = model;
    this.config = Object.freeze({ ...made.trainConfig });
    this.#backend = backend;
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
    return new HeedTrainer(backend, life, new HeedModel(backend, life, made), made);
  }

  static over(model: HeedModel, backend: Backend, made: TrainerDescription): HeedTrainer {
    const { trainer } = made;
    const life = new Lifetime('trainer', () => backend.release(trainer), model.lifetime());
    return new HeedTrainer(backend, life, model, made);
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

  run(options: RunOptions = {}): AsyncIterableIterator<StepMetrics> {
    this.#life.check();
    checkRunOptions(options);
    return this.#run(options);
  }

  async *#run({
    steps = Number.POSITIVE_INFINITY,
    every = 1,
    signal,
  }: RunOptions): AsyncGenerator<StepMetrics, void, undefined> {
    const until = Math.min(this.#step + steps, this.config.steps);
    while (this.#step < until && signal?.aborted !== true) {
      this.#life.check();
      const params = { trainer: this.#handle, steps: every, until };
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

  async reset(): Promise<void> {
    this.#life.check();
    await this.#backend.call('reset', { trainer: this.#handle });
    this.#step = 0;
  }
}
