// SPDX-License-Identifier: MIT
// The engine of this thread: carries calls out on the core.

import type {
  EngineInfo,
  Forecast,
  ModelConfig,
  TensorInfo,
  TrainConfig,
} from './api.js';
import { Core } from './core.js';
import type { FetchFile } from './env.js';
import { HeedError } from './errors.js';
import { buildInfo } from './generated/build-info.js';
import { loadModule } from './load.js';
import * as explain from './local-explain.js';
import { packMetadata, unpackMetadata } from './metadata.js';
import type {
  Backend,
  CallOptions,
  DataParams,
  Handle,
  Method,
  ModelDescription,
  Params,
  Returned,
  StartOptions,
  TrainerDescription,
} from './protocol.js';
import { knownAnswers, verifyAnswers } from './self-test.js';
import { advance, evaluate, nextToken } from './slices.js';

/** Calls that must not run inside a training step or an evaluation; they wait for their turn. */
const exclusive: ReadonlySet<Method> = new Set(['advance', 'evaluate', 'reset', 'write']);

type Handlers = {
  [M in Method]: (
    params: Params<M>,
    signal: AbortSignal | undefined,
  ) => Returned<M> | Promise<Returned<M>>;
};

export async function startLocalBackend(
  fetchFile: FetchFile,
  where: EngineInfo['where'],
  options: StartOptions,
): Promise<LocalBackend> {
  const { module, memory, memoryLimit, wasmHash } = await loadModule(fetchFile, options);
  const core = new Core(module, memory);
  const { pointer, bytes } = core.checked((m) => m.knownAnswer());
  verifyAnswers(core.heap.readFloats(pointer, bytes / 4), knownAnswers());
  return new LocalBackend(core, {
    variant: 'simd128',
    threads: 1,
    reason: 'SIMD128 on one thread: the reference binary, whose bits are the same everywhere.',
    where,
    memoryLimit,
    version: buildInfo.version,
    wasmHash,
  });
}

export class LocalBackend implements Backend {
  readonly info: EngineInfo;
  readonly #core: Core;
  readonly #handlers: Handlers;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(core: Core, info: EngineInfo) {
    this.#core = core;
    this.info = info;
    this.#handlers = this.#makeHandlers();
  }

  async call<M extends Method>(
    method: M,
    params: Params<M>,
    { signal }: CallOptions = {},
  ): Promise<Returned<M>> {
    const handler = this.#handlers[method];
    if (!exclusive.has(method)) {
      return handler(params, signal);
    }
    const turn = this.#queue.then(() => handler(params, signal));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  release(handle: Handle): void {
    this.#core.release(handle);
  }

  dispose(): void {
    this.#core.dispose();
  }

  #makeHandlers(): Handlers {
    const core = this.#core;
    return {
      createModel: ({ config, seed }) => this.#createModel(config, seed),
      tensors: ({ model }) => this.#tensors(model),
      read: ({ model, name }) => {
        const length = core.writeName(name);
        const { pointer, bytes } = core.checked((m) => m.readTensor(model, length));
        return core.heap.readFloats(pointer, bytes / 4);
      },
      write: ({ model, name, values }) => {
        core.withBuffer(values, (buffer) => {
          const length = core.writeName(name);
          core.checked((m) => m.writeTensor(model, length, buffer));
        });
      },
      forward: ({ model, tokens }) =>
        core.takeFloats(
          core.withBuffer(tokens, (buffer) => core.handle((m) => m.forward(model, buffer))),
        ),
      loss: ({ model, tokens, targets }) =>
        core.withBuffer(tokens, (buffer) =>
          core.withBuffer(targets, (wanted) => {
            const { loss, tokens: count } = core.checked((m) => m.loss(model, buffer, wanted));
            return { loss, tokens: count };
          }),
        ),
      attention: ({ model, tokens }) => {
        const { layers, heads } = this.#modelConfig(model);
        const weights = core.takeFloats(
          core.withBuffer(tokens, (buffer) => core.handle((m) => m.attention(model, buffer))),
        );
        return { layers, heads, time: tokens.length, weights };
      },
      loadModel: ({ file }) =>
        core.withBuffer(file, (buffer) => {
          const metadata = this.#readMetadata(buffer);
          return { ...this.#describe(core.handle((m) => m.loadModel(buffer))), metadata };
        }),
      saveModel: ({ model, metadata }) =>
        core.withBuffer(packMetadata(metadata), (list) =>
          core.takeBytes(core.handle((m) => m.saveModel(model, list))),
        ),
      weightsHash: ({ model }) => {
        const { high, low } = core.checked((m) => m.weightsHash(model));
        return hex(high) + hex(low);
      },
      startGenerator: ({ model, prompt, temperature, topK, topP, seed }) =>
        core.withBuffer(prompt, (buffer) =>
          core.handle((m) => m.createGenerator(model, buffer, temperature, topK, topP, seed)),
        ),
      nextToken: ({ generator }) => nextToken(core, generator),
      createTrainer: ({ model, train, tokens, lossMask }) =>
        this.#createTrainer(model, train, { tokens, lossMask }),
      resumeTrainer: ({ file, tokens, lossMask }) =>
        core.withBuffer(file, (buffer) => {
          const metadata = this.#readMetadata(buffer);
          const { model, trainer } = this.#withData({ tokens, lossMask }, (ids, mask) =>
            core.checked((m) => m.resumeTrainer(buffer, ids, mask)),
          );
          return { ...this.#describeTrainer(model, trainer), metadata };
        }),
      saveTrainer: ({ trainer, metadata }) =>
        core.withBuffer(packMetadata(metadata), (list) =>
          core.takeBytes(core.handle((m) => m.saveTrainer(trainer, list))),
        ),
      advance: ({ trainer, steps, until }, signal) => advance(core, trainer, steps, until, signal),
      evaluate: ({ trainer, split, maxWindows }, signal) =>
        evaluate(core, trainer, split, maxWindows, signal),
      reset: ({ trainer }) => {
        core.checked((m) => m.resetTrainer(trainer));
      },
      forecast: ({ config, train }) => this.#forecast(config, train),
      memory: () => {
        const { liveHandles, bytesInUse, peakBytes } = core.call((m) => m.memory());
        return { liveHandles, bytesInUse, peakBytes, heapBytes: core.heap.byteLength };
      },
      trace: (params) =>
        explain.trace(
          core,
          params,
          (model) => this.#modelConfig(model),
          (model) => this.#tensors(model),
        ),
      contributions: (params) => explain.contributions(core, params),
      logitParts: (params) => explain.logitParts(core, params),
      sweep: (params) => explain.sweep(core, params),
      cutEdges: (params) =>
        explain.cutEdges(core, params, this.#modelConfig(params.model).heads),
      attend: (params) => explain.attend(core, params),
      attendBackward: (params) => explain.attendBackward(core, params),
    };
  }

  #createModel(config: ModelConfig, seed: number): ModelDescription {
    const core = this.#core;
    core.writeConfigs([core.modelFields, config]);
    return this.#describe(core.handle((m) => m.createModel(seed)));
  }

  #tensors(model: Handle): TensorInfo[] {
    const core = this.#core;
    return parseTensors(core.takeText(core.handle((m) => m.listTensors(model))));
  }

  #modelConfig(model: Handle): ModelConfig {
    const core = this.#core;
    core.checked((m) => m.readModelConfig(model));
    return core.readConfig<ModelConfig>(core.modelFields);
  }

  #describe(model: Handle): ModelDescription {
    const config = this.#modelConfig(model);
    return { model, config, parameters: this.#core.call((m) => m.parameterCount(model)) };
  }

  #describeTrainer(model: Handle, trainer: Handle): TrainerDescription {
    const core = this.#core;
    core.checked((m) => m.readTrainConfig(trainer));
    const trainConfig = core.readConfig<TrainConfig>(core.trainFields);
    const { step } = core.checked((m) => m.readProgress(trainer));
    return { ...this.#describe(model), trainer, trainConfig, step };
  }

  #createTrainer(
    over: Handle | ModelConfig,
    train: TrainConfig,
    data: DataParams,
  ): TrainerDescription {
    const core = this.#core;
    if (typeof over === 'object') {
      this.#checkFits(over, train);
      const { model, trainer } = this.#withData(data, (tokens, mask) => {
        core.writeConfigs([core.modelFields, over], [core.trainFields, train]);
        return core.checked((m) => m.createRun(tokens, mask));
      });
      return this.#describeTrainer(model, trainer);
    }
    const trainer = this.#withData(data, (tokens, mask) => {
      core.writeConfigs([core.trainFields, train]);
      return core.handle((m) => m.createTrainer(over, tokens, mask));
    });
    return this.#describeTrainer(over, trainer);
  }

  /** What can never fit is refused before anything is allocated. */
  #checkFits(config: ModelConfig, train: TrainConfig): void {
    const { total } = this.#forecast(config, train).bytes;
    const { memoryLimit } = this.info;
    if (total > memoryLimit) {
      throw new HeedError(
        'out-of-memory',
        `The model and its training need ${total} bytes, and there are at most ${memoryLimit}. ` +
          'Make the model, the context or the batch smaller.',
      );
    }
  }

  #forecast(config: ModelConfig, train: TrainConfig): Forecast {
    const core = this.#core;
    core.writeConfigs([core.modelFields, config], [core.trainFields, train]);
    const reply = core.checked((m) => m.forecast());
    return {
      parameters: reply.parameters,
      bytes: {
        parameters: reply.parameterBytes,
        gradients: reply.gradientBytes,
        optimizer: reply.optimizerBytes,
        activations: reply.activationBytes,
        total: reply.totalBytes,
      },
      flopsPerStep: reply.flopsPerStep,
      tokensPerStep: reply.tokensPerStep,
    };
  }

  #readMetadata(file: Handle): Record<string, string> {
    const core = this.#core;
    return unpackMetadata(core.takeBytes(core.handle((m) => m.readMetadata(file))));
  }

  #withData<T>(data: DataParams, use: (tokens: Handle, mask: Handle) => T): T {
    const { tokens, lossMask } = data;
    return this.#core.withBuffer(tokens, (buffer) =>
      lossMask === undefined
        ? use(buffer, 0)
        : this.#core.withBuffer(lossMask, (mask) => use(buffer, mask)),
    );
  }
}

function parseTensors(text: string): TensorInfo[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', rank, rows, columns, decays] = line.split(' ');
      const shape = rank === '2' ? [Number(rows), Number(columns)] : [Number(columns)];
      const parameters = Number(rows) * Number(columns);
      return { name, shape, parameters, decays: decays === '1' };
    });
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
