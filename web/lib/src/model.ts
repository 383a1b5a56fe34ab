// SPDX-License-Identifier: MIT
// The public Model over either backend.

import type {
  AttentionMaps,
  Evaluation,
  GenerateOptions,
  Model,
  ModelConfig,
  TensorInfo,
} from './api.js';
import type { CutOptions, EdgeCuts, SweepOptions, Trace, TraceOptions } from './api-explain.js';
import type { CutHeadsOptions, HeadCuts, NextOptions, NextToken } from './api-inspect.js';
import type { Example } from './api-train.js';
import { checkGenerateOptions, checkMetadata } from './call-options.js';
import { checkCutOptions, checkSweepOptions, checkTraceOptions } from './explain-options.js';
import { checkCutHeadsOptions, checkNextOptions } from './inspect-options.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import type {
  Backend,
  ExampleParams,
  GenerateParams,
  Handle,
  ModelDescription,
} from './protocol.js';
import { HeedTrace } from './trace.js';
import { packExamples } from './training-data.js';
import { floatsOf, tokensOf } from './values.js';
import { checkWhatIfs } from './what-if.js';

export class HeedModel implements Model {
  readonly config: Readonly<ModelConfig>;
  readonly parameters: number;
  readonly #backend: Backend;
  readonly #handle: Handle;
  readonly #life: Lifetime;

  /** For the library itself; `life` is shared with a trainer that owns the model. */
  constructor(backend: Backend, life: Lifetime, made: ModelDescription) {
    this.config = Object.freeze({ ...made.config });
    this.parameters = made.parameters;
    this.#backend = backend;
    this.#handle = made.model;
    this.#life = life;
  }

  /** A model of its own, which lives at most as long as `parent`. */
  static adopt(backend: Backend, parent: Lifetime, made: ModelDescription): HeedModel {
    return new HeedModel(backend, modelLifetime(backend, parent, made.model), made);
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

  /** For the library itself: throws unless the model is alive and of this engine. */
  handleFor(backend: Backend): Handle {
    this.#life.check();
    if (backend !== this.#backend) {
      throw new HeedError(
        'invalid-argument',
        'The model belongs to another engine. Create it with the engine that is to train it.',
      );
    }
    return this.#handle;
  }

  /** For the library itself: what a trainer over this model depends on. */
  lifetime(): Lifetime {
    return this.#life;
  }

  async tensors(): Promise<TensorInfo[]> {
    this.#life.check();
    return this.#backend.call('tensors', { model: this.#handle });
  }

  async read(name: string): Promise<Float32Array> {
    this.#life.check();
    checkName(name);
    return this.#backend.call('read', { model: this.#handle, name });
  }

  async write(name: string, values: Float32Array): Promise<void> {
    this.#life.check();
    checkName(name);
    const copy = floatsOf(values, 'values');
    const params = { model: this.#handle, name, values: copy };
    return this.#backend.call('write', params, { transfer: [copy.buffer] });
  }

  async forward(tokens: ArrayLike<number>): Promise<Float32Array> {
    this.#life.check();
    const params = { model: this.#handle, tokens: tokensOf(tokens, 'tokens') };
    return this.#backend.call('forward', params);
  }

  async loss(tokens: ArrayLike<number>, targets: ArrayLike<number>): Promise<Evaluation> {
    this.#life.check();
    return this.#backend.call('loss', {
      model: this.#handle,
      tokens: tokensOf(tokens, 'tokens'),
      targets: tokensOf(targets, 'targets'),
    });
  }

  async batchLoss(examples: readonly Example[]): Promise<Evaluation> {
    this.#life.check();
    return this.#backend.call('batchLoss', { model: this.#handle, ...packExamples(examples) });
  }

  async attention(tokens: ArrayLike<number>): Promise<AttentionMaps> {
    this.#life.check();
    const params = { model: this.#handle, tokens: tokensOf(tokens, 'tokens') };
    return this.#backend.call('attention', params);
  }

  async trace(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: TraceOptions = {},
  ): Promise<Trace> {
    this.#life.check();
    checkTraceOptions(options);
    const { gradients = true, whatIf = [] } = options;
    const example = this.#example(tokens, targets);
    const params = { ...example, whatIf: checkWhatIfs(whatIf), gradients };
    const made = await this.#backend.call('trace', params);
    return new HeedTrace(this.#backend, this.#life, made, { ...example, gradients });
  }

  async sweep(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: SweepOptions,
  ): Promise<Float64Array> {
    checkSweepOptions(options);
    const trace = await this.trace(tokens, targets, { gradients: false });
    return trace.sweep(options).finally(() => trace.dispose());
  }

  async cutEdges(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: CutOptions,
  ): Promise<EdgeCuts> {
    checkCutOptions(options);
    const trace = await this.trace(tokens, targets, { gradients: false });
    return trace.cutEdges(options).finally(() => trace.dispose());
  }

  async cutHeads(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: CutHeadsOptions = {},
  ): Promise<HeadCuts> {
    checkCutHeadsOptions(options);
    const trace = await this.trace(tokens, targets, { gradients: false });
    return trace.cutHeads(options).finally(() => trace.dispose());
  }

  #example(tokens: ArrayLike<number>, targets: ArrayLike<number>): ExampleParams {
    return {
      model: this.#handle,
      tokens: tokensOf(tokens, 'tokens'),
      targets: tokensOf(targets, 'targets'),
    };
  }

  async next(tokens: ArrayLike<number>, options: NextOptions = {}): Promise<NextToken> {
    this.#life.check();
    checkNextOptions(options);
    const { temperature = 1, topK = 0, topP = 1, seed = 0, index = 0 } = options;
    const prompt = tokensOf(tokens, 'tokens');
    const params = { model: this.#handle, prompt, temperature, topK, topP, seed, index };
    return this.#backend.call('next', params);
  }

  generate(options: GenerateOptions): AsyncIterableIterator<number> {
    this.#life.check();
    checkGenerateOptions(options);
    const { prompt = [0], temperature = 1, topK = 0, topP = 1, seed = 0 } = options;
    const params = { prompt: tokensOf(prompt, 'prompt'), temperature, topK, topP, seed };
    const stop = new Set(tokensOf(options.stop ?? [], 'stop'));
    return this.#generate(params, options.tokens, stop, options.signal);
  }

  async *#generate(
    params: GenerateParams,
    count: number,
    stop: ReadonlySet<number>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<number, void, undefined> {
    this.#life.check();
    const backend = this.#backend;
    const generator = await backend.call('startGenerator', { model: this.#handle, ...params });
    // Frees the cache also when the loop is left early or the iterator is forgotten.
    const life = new Lifetime('generator', () => backend.release(generator), this.#life);
    try {
      for (let made = 0; made < count && signal?.aborted !== true; ++made) {
        const token = await backend.call('nextToken', { generator });
        yield token;
        if (stop.has(token)) {
          return;
        }
      }
    } finally {
      life.end();
    }
  }

  async save(metadata: Record<string, string> = {}): Promise<Uint8Array> {
    this.#life.check();
    checkMetadata(metadata);
    return this.#backend.call('saveModel', { model: this.#handle, metadata });
  }

  async weightsHash(): Promise<string> {
    this.#life.check();
    return this.#backend.call('weightsHash', { model: this.#handle });
  }
}

export function modelLifetime(backend: Backend, parent: Lifetime, handle: Handle): Lifetime {
  return new Lifetime('model', () => backend.release(handle), parent);
}

function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string') {
    throw new HeedError(
      'invalid-argument',
      `A tensor's name is a string, not ${describeValue(name)}. tensors() lists the names.`,
    );
  }
}
