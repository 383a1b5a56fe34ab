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
import { attendParams, splitGradients, splitOutput, upstreamOf } from './attend.js';
import { checkData, checkTrainerOptions } from './call-options.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import { HeedModel } from './model.js';
import { checkSeed, resolveModel, resolveTrain } from './options.js';
import type { Backend, DataParams } from './protocol.js';
import { HeedTrainer } from './trainer.js';
import { allocate, fileOf } from './values.js';

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
    const data = dataParams(options.data);
    const transfer = dataBuffers(data);
    if (!(options.model instanceof HeedModel)) {
      const model = resolveModel(options.model as ModelOptions);
      const params = { model, train, ...data };
      const made = await this.#backend.call('createTrainer', params, { transfer });
      return HeedTrainer.withOwnModel(this.#backend, this.#life, made);
    }
    const { model } = options;
    const params = { model: model.handleFor(this.#backend), train, ...data };
    const made = await this.#backend.call('createTrainer', params, { transfer });
    return HeedTrainer.over(model, this.#backend, made);
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
    data: TrainingData,
  ): Promise<{ trainer: Trainer } & Checkpoint> {
    this.#life.check();
    checkData(data);
    const copy = fileOf(file);
    const parts = dataParams(data);
    const made = await this.#backend.call(
      'resumeTrainer',
      { file: copy, ...parts },
      { transfer: [copy.buffer, ...dataBuffers(parts)] },
    );
    const trainer = HeedTrainer.withOwnModel(this.#backend, this.#life, made);
    return { trainer, metadata: made.metadata };
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

/** Copies: the buffers are transferred to a worker, and the caller keeps the originals. */
function dataParams({ tokens, lossMask }: TrainingData): DataParams {
  return {
    tokens: allocate(tokens.length, 'the tokens', () => tokens.slice()),
    lossMask:
      lossMask && allocate(lossMask.length, 'the loss mask', () => lossMask.slice()),
  };
}

function dataBuffers({ tokens, lossMask }: DataParams): Transferable[] {
  const views = lossMask === undefined ? [tokens] : [tokens, lossMask];
  return views.map((view) => view.buffer as ArrayBuffer);
}
