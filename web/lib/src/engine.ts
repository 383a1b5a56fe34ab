// SPDX-License-Identifier: MIT
// The public Engine over either backend.

import type {
  Checkpoint,
  CreateTrainerOptions,
  Engine,
  EngineInfo,
  Forecast,
  MemoryReport,
  Model,
  ModelOptions,
  Trainer,
  TrainingData,
  TrainOptions,
} from './api.js';
import type { AttentionGradients, AttentionInput, AttentionOutput } from './api-explain.js';
import type { TaskOptions, Twins } from './api-train.js';
import { attendParams, splitGradients, splitOutput, upstreamOf } from './attend.js';
import { checkTrainerOptions } from './call-options.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import { HeedModel } from './model.js';
import { checkSeed, resolveModel, resolveTrain } from './options.js';
import type { Backend, DataParams } from './protocol.js';
import { describeTask } from './tasks.js';
import { HeedTrainer } from './trainer.js';
import { dataBuffers, dataParams } from './training-data.js';
import { HeedTwins } from './twins.js';
import { fileOf } from './values.js';

export class HeedEngine implements Engine {
  readonly info: EngineInfo;
  readonly #backend: Backend;
  readonly #life: Lifetime;

  constructor(backend: Backend) {
    this.info = Object.freeze({ ...backend.info });
    this.#backend = backend;
    this.#life = new Lifetime('engine', () => backend.dispose());
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

  async createModel(options: ModelOptions, init: { seed?: number } = {}): Promise<Model> {
    this.#life.check();
    const config = resolveModel(options);
    const seed = checkSeed(init);
    const made = await this.#backend.call('createModel', { config, seed });
    return HeedModel.adopt(this.#backend, this.#life, made);
  }

  async createTrainer(options: CreateTrainerOptions): Promise<Trainer> {
    this.#life.check();
    checkTrainerOptions(options);
    const train = resolveTrain(options.train);
    const freeze = [...(options.train?.freeze ?? [])];
    const data = dataParams(options.data);
    const transfer = dataBuffers(data);
    if (!(options.model instanceof HeedModel)) {
      const model = resolveModel(fitted(options.model as ModelOptions, data));
      const params = { model, train, freeze, data };
      const made = await this.#backend.call('createTrainer', params, { transfer });
      return HeedTrainer.withOwnModel(this.#backend, this.#life, made);
    }
    const { model } = options;
    const params = { model: model.handleFor(this.#backend), train, freeze, data };
    const made = await this.#backend.call('createTrainer', params, { transfer });
    return HeedTrainer.over(model, this.#backend, this.#life, made);
  }

  async loadModel(file: Uint8Array): Promise<{ model: Model } & Checkpoint> {
    this.#life.check();
    const copy = fileOf(file);
    const made = await this.#backend.call(
      'loadModel',
      { file: copy },
      { transfer: [copy.buffer] },
    );
    const model = HeedModel.adopt(this.#backend, this.#life, made);
    return { model, metadata: made.metadata };
  }

  async resumeTrainer(
    file: Uint8Array,
    given?: TrainingData | TaskOptions,
  ): Promise<{ trainer: Trainer } & Checkpoint> {
    this.#life.check();
    const data = given === undefined ? undefined : dataParams(given);
    const copy = fileOf(file);
    const made = await this.#backend.call(
      'resumeTrainer',
      { file: copy, data },
      { transfer: [copy.buffer, ...dataBuffers(data)] },
    );
    const trainer = HeedTrainer.withOwnModel(this.#backend, this.#life, made);
    return { trainer, metadata: made.metadata };
  }

  createTwins(trainers: readonly Trainer[]): Twins {
    this.#life.check();
    return new HeedTwins(this.#backend, trainers);
  }

  async forecast(model: ModelOptions, train: TrainOptions = {}): Promise<Forecast> {
    this.#life.check();
    const config = resolveModel(model);
    return this.#backend.call('forecast', { config, train: resolveTrain(train) });
  }

  async attend(input: AttentionInput): Promise<AttentionOutput> {
    this.#life.check();
    const params = attendParams(input);
    return splitOutput(await this.#backend.call('attend', params), params);
  }

  async attendBackward(
    input: AttentionInput,
    dOut: ArrayLike<number>,
  ): Promise<AttentionGradients> {
    this.#life.check();
    const params = attendParams(input);
    const call = { ...params, dOut: upstreamOf(dOut) };
    return splitGradients(await this.#backend.call('attendBackward', call), params);
  }

  async memory(): Promise<MemoryReport> {
    this.#life.check();
    return this.#backend.call('memory', {});
  }
}

/** A task says how long its examples are; a context twice as long would only cost memory. */
function fitted(model: ModelOptions, data: DataParams): ModelOptions {
  if (!('task' in data) || typeof model !== 'object' || model.context !== undefined) {
    return model;
  }
  return { ...model, context: describeTask(data).context };
}
