// SPDX-License-Identifier: MIT
// The engine of this thread: carries calls out on the core.

import type { EngineInfo, ModelConfig, TensorInfo } from './api.js';
import { Core } from './core.js';
import type { FetchFile } from './env.js';
import { buildInfo } from './generated/build-info.js';
import { loadModule } from './load.js';
import * as explain from './local-explain.js';
import * as inspect from './local-inspect.js';
import { describeModel, hex, modelConfig, readMetadata } from './local-describe.js';
import { stepHandlers } from './local-steps.js';
import { timelineHandlers } from './local-timeline.js';
import { trainHandlers } from './local-train.js';
import { packMetadata } from './metadata.js';
import type {
  Backend,
  CallOptions,
  Handle,
  Method,
  ModelDescription,
  Params,
  Returned,
  StartOptions,
} from './protocol.js';
import { knownAnswers, verifyAnswers } from './self-test.js';
import { evaluationOf, nextToken } from './slices.js';

/** Calls that must not run inside a training step or an evaluation; they wait for their turn. */
const exclusive: ReadonlySet<Method> = new Set([
  'advance',
  'advanceTwins',
  'branch',
  'evaluate',
  'ledger',
  'lossAfter',
  'reset',
  'seek',
  'setFrozen',
  'stepBackward',
  'stepForward',
  'undo',
  'update',
  'write',
]);

export type Handlers = {
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
          core.withBuffer(targets, (wanted) =>
            evaluationOf(core.checked((m) => m.loss(model, buffer, wanted))),
          ),
        ),
      batchLoss: ({ model, tokens, targets, sequences }) =>
        core.withBuffer(tokens, (buffer) =>
          core.withBuffer(targets, (wanted) =>
            evaluationOf(core.checked((m) => m.batchLoss(model, buffer, wanted, sequences))),
          ),
        ),
      attention: ({ model, tokens }) => {
        const { layers, heads } = modelConfig(core, model);
        const weights = core.takeFloats(
          core.withBuffer(tokens, (buffer) => core.handle((m) => m.attention(model, buffer))),
        );
        return { layers, heads, time: tokens.length, weights };
      },
      loadModel: ({ file }) =>
        core.withBuffer(file, (buffer) => {
          const metadata = readMetadata(core, buffer);
          const model = core.handle((m) => m.loadModel(buffer));
          return { ...describeModel(core, model), metadata };
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
          core.handle((m) => m.createGenerator(model, buffer, temperature, topK, topP, seed, 0)),
        ),
      nextToken: ({ generator }) => nextToken(core, generator),
      next: (params) => inspect.next(core, params),
      ...trainHandlers(core, this.info.memoryLimit),
      ...stepHandlers(core),
      ...timelineHandlers(core),
      memory: () => {
        const { liveHandles, bytesInUse, peakBytes } = core.call((m) => m.memory());
        return { liveHandles, bytesInUse, peakBytes, heapBytes: core.heap.byteLength };
      },
      trace: (params) =>
        explain.trace(
          core,
          params,
          (model) => modelConfig(core, model),
          (model) => this.#tensors(model),
        ),
      contributions: (params) => explain.contributions(core, params),
      logitParts: (params) => explain.logitParts(core, params),
      sweep: (params) => explain.sweep(core, params),
      cutEdges: (params) => explain.cutEdges(core, params),
      cutHeads: (params) => inspect.cutHeads(core, params),
      lens: (params) => inspect.lens(core, params),
      patch: (params) => inspect.patch(core, params),
      attend: (params) => explain.attend(core, params),
      attendBackward: (params) => explain.attendBackward(core, params),
    };
  }

  #createModel(config: ModelConfig, seed: number): ModelDescription {
    const core = this.#core;
    core.writeConfigs([core.modelFields, config]);
    return describeModel(core, core.handle((m) => m.createModel(seed)));
  }

  #tensors(model: Handle): TensorInfo[] {
    const core = this.#core;
    return parseTensors(core.takeText(core.handle((m) => m.listTensors(model))));
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
