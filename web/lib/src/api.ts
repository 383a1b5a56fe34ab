// SPDX-License-Identifier: MIT
// The contract of the package: one Engine interface, implemented in-thread and by a worker proxy.
// Letters: B batch, T time, C width, H heads, D head width, V vocabulary, L layers.

/// <reference lib="esnext.disposable" preserve="true" />

import type {
  AttentionGradients,
  AttentionInput,
  AttentionOutput,
  CutOptions,
  EdgeCuts,
  SweepOptions,
  Trace,
  TraceOptions,
} from './api-explain.js';
import type { CutHeadsOptions, HeadCuts, NextOptions, NextToken } from './api-inspect.js';
import type {
  Example,
  GroupInfo,
  GroupNorms,
  GroupReport,
  Ledger,
  RecordOptions,
  StepReport,
  TaskInfo,
  TaskOptions,
  Timeline,
  Twins,
} from './api-train.js';
import type { Tokenizer, TokenizerState } from './tokenizers/tokenizer.js';

/** Where norms sit: before each branch (and once at the end), or after each residual sum. */
export type NormPosition = 'pre' | 'post';
export type Norm = 'layer' | 'rms' | 'none';
export type Activation = 'geluTanh' | 'geluErf' | 'relu' | 'relu2' | 'silu' | 'swiglu' | 'geglu';
export type Position = 'learned' | 'sinusoidal' | 'rope' | 'none' | 'alibi';
export type RopeLayout = 'halves' | 'interleaved';
export type Mask = 'causal' | 'none';
export type Value = 'learned' | 'identity';
export type Init = 'gpt2' | 'unit';
export type Optimizer = 'adamw' | 'sgd' | 'lion' | 'muon';
export type Schedule = 'constant' | 'cosine' | 'linear' | 'wsd';

/** A complete model configuration. Every field is used; an unknown or invalid one is refused. */
export interface ModelConfig {
  /** Vocabulary size V, 1 to 1,000,000. */
  vocab: number;
  /** Longest sequence T in tokens, 1 to 65,536. */
  context: number;
  /** Blocks L, 0 to 256. */
  layers: number;
  /** Query heads H, 1 to 1024. */
  heads: number;
  /** Key and value heads; divides `heads`. Fewer than `heads` is grouped-query attention. */
  kvHeads: number;
  /** Residual width C, 1 to 65,536. */
  width: number;
  /** Width D of one head, 1 to 1024; even when `position` is `'rope'`. */
  headWidth: number;
  /** Feed-forward width F, up to 262,144; 0 leaves the feed-forward layers out. */
  ffn: number;
  norm: Norm;
  normPosition: NormPosition;
  /** `'relu2'` is relu(x)^2; `'swiglu'` and `'geglu'` are gated, by SiLU and by GELU (erf). */
  activation: Activation;
  /** `'alibi'`: scores fall with distance, each head at its own slope (Press et al. 2022). */
  position: Position;
  /** Base of RoPE's angles, > 1. */
  ropeBase: number;
  ropeLayout: RopeLayout;
  /** Biases on every projection and on layer norm. */
  bias: boolean;
  /** The output head shares the token embedding. */
  tied: boolean;
  /** Probability of dropping, 0 up to but not including 1. */
  dropout: number;
  /** What q.k is multiplied by, up to 1000; 0 stands for 1 / sqrt(headWidth). */
  scale: number;
  /** c > 0: a score s becomes c tanh(s / c), before ALiBi; up to a million, 0 leaves it out. */
  softcap: number;
  /** How many positions a token sees, its own included, up to 65,536; 0 is all before it. */
  window: number;
  /**
   * RMS norm of each head's queries and keys before RoPE, with a learned weight for all query heads
   * and one for all key heads (Henry et al. 2020, as in Qwen 3).
   */
  qkNorm: boolean;
  /** `'none'`: every position sees every other, also those it is to predict. */
  mask: Mask;
  /** `'identity'`: V = X, without W_V; kvHeads * headWidth must be `width`. */
  value: Value;
  /** false: the heads side by side are the output, without W_O; heads * headWidth = `width`. */
  outProjection: boolean;
  /** Equal weights on everything visible, without W_Q and W_K. */
  uniformAttention: boolean;
  /**
   * `'gpt2'`: normal(0, 0.02). `'unit'`: vectors start near length 1, for tiny models with frozen
   * parts. Models that differ in `value`, `outProjection` or `uniformAttention` alone start alike.
   */
  init: Init;
}

/**
 * What a caller writes: `vocab` is required, the rest has the defaults of `modelDefaults`, with
 * `kvHeads` = heads, `headWidth` = width / heads and `ffn` = 4 width.
 */
export type ModelOptions = Pick<ModelConfig, 'vocab'> & Partial<Omit<ModelConfig, 'vocab'>>;

export interface TrainConfig {
  /** Planned number of steps; schedules that fall end there. */
  steps: number;
  /** Sequences per micro-batch. */
  batch: number;
  /** Micro-batches per step whose gradients are added up. */
  accumulation: number;
  /** Fixes initial weights, batches and dropout. An integer in [0, 2^53). */
  seed: number;
  /**
   * `'lion'` (Chen et al. 2023) wants about a tenth of AdamW's rate and ten times its decay. `'muon'`
   * (Jordan et al. 2024) moves the matrices inside layers by orthogonal steps of AdamW's size (Liu et
   * al. 2025) and everything else as AdamW: its rates serve.
   */
  optimizer: Optimizer;
  learningRate: number;
  /** Where a schedule that falls ends. */
  minLearningRate: number;
  /**
   * After the warm-up: `'cosine'` and `'linear'` fall to `minLearningRate` at `steps`; `'wsd'` stays
   * at the peak and falls over the last `decayFraction` of the steps.
   */
  schedule: Schedule;
  /** Steps of linear warm-up; the rate is above 0 from the first step on. */
  warmup: number;
  /** `'wsd'` only: the share of `steps` in which the rate falls, 0 to 1. */
  decayFraction: number;
  beta1: number;
  beta2: number;
  epsilon: number;
  /** Decoupled; matrices only. */
  weightDecay: number;
  /** SGD and Muon, which is used to 0.95. */
  momentum: number;
  /** Largest global gradient norm; 0 switches clipping off. */
  clip: number;
  /**
   * Share of each target that goes to all tokens alike, 0 up to but not including 1. The loss of a
   * step is then the smoothed one; evaluation does not smooth.
   */
  labelSmoothing: number;
  /** Share of the text kept for validation, 0 up to but not including 1. */
  valFraction: number;
}

/** Defaults: `trainDefaults`, with `minLearningRate` = learningRate / 10. */
export type TrainOptions = Partial<TrainConfig> & {
  /** Groups of tensors that do not train; names as in `Trainer.setFrozen`. Default: none. */
  freeze?: readonly string[];
};

/** Tokens to train on. */
export interface TrainingData {
  /** Token ids in [0, vocab). */
  tokens: Int32Array;
  /** 1 where a token counts as a target, 0 where it does not; same length. Default: all count. */
  lossMask?: Uint8Array;
}

export interface StepMetrics {
  /** Completed steps, counted from 1 after the first. */
  step: number;
  /** Mean loss of the step's tokens, nats. */
  loss: number;
  /** Learning rate the step used. */
  learningRate: number;
  /** Global gradient norm before clipping. */
  gradientNorm: number;
  /** Tokens seen since the run began. */
  tokens: number;
  /** Compute time of the step in milliseconds. */
  stepMs: number;
  tokensPerSecond: number;
  /** With `RunOptions.report`: what the step meant for each group. */
  groups?: GroupReport[];
}

export interface RunOptions {
  /** Stop after this many further steps. Default: until `config.steps` are done. */
  steps?: number;
  /** Yield after every this many steps (the last step always yields). Default 1. */
  every?: number;
  /** Account of every group in each value yielded. Costs a copy of weights and moments a step. */
  report?: boolean;
  /**
   * Ends the run within 250 ms: an unfinished step changes nothing and runs anew next time. The
   * iterator ends as it does after the last step; it does not throw.
   */
  signal?: AbortSignal;
}

export interface Evaluation {
  /** Mean loss over all counted tokens, nats. */
  loss: number;
  /** Counted tokens. */
  tokens: number;
  /** Share of the counted tokens whose target is the likeliest token; 0 when none counts. */
  accuracy: number;
  /** Share of the sequences with every counted token right. */
  exact: number;
  /** Sequences with at least one counted token. */
  sequences: number;
}

export interface EvaluateOptions {
  split?: 'train' | 'validation';
  /** At most this many windows (or examples of a task), evenly spread, instead of all. */
  maxWindows?: number;
  /** Rejects with `aborted`, within 250 ms. */
  signal?: AbortSignal;
}

export interface TensorInfo {
  name: string;
  shape: number[];
  parameters: number;
  /** Whether weight decay applies (matrices). */
  decays: boolean;
}

export interface GenerateOptions {
  /** Token ids to continue; may be longer than the context (its end is used). Default: [0]. */
  prompt?: ArrayLike<number>;
  /** How many tokens to generate. */
  tokens: number;
  /** 0 takes the likeliest token. Default 1. */
  temperature?: number;
  /** Keep the k likeliest tokens; 0 keeps all. Default 0. */
  topK?: number;
  /** Keep the smallest set with this much probability, (0, 1]. Default 1. */
  topP?: number;
  /** Default 0. */
  seed?: number;
  /** Stop after one of these tokens (it is yielded). */
  stop?: ArrayLike<number>;
  /** Ends the iterator at the next token; it does not throw. */
  signal?: AbortSignal;
}

/** Attention weights of one sequence: how much each row's token looks at each column's token. */
export interface AttentionMaps {
  layers: number;
  heads: number;
  time: number;
  /** [L, H, T, T] row-major: weights[((l*H + h)*T + i)*T + j]; 0 where j > i; rows sum to 1. */
  weights: Float32Array;
}

export interface Disposable {
  readonly disposed: boolean;
  /** Frees engine memory. A second call does nothing; any other call then throws `disposed`. */
  dispose(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

export interface Model extends Disposable {
  readonly config: Readonly<ModelConfig>;
  /** Number of trainable parameters. */
  readonly parameters: number;
  tensors(): Promise<TensorInfo[]>;
  /** A copy of a tensor's values, row-major. */
  read(name: string): Promise<Float32Array>;
  write(name: string, values: Float32Array): Promise<void>;
  /** Logits [T, V] of one sequence of 1 to `context` tokens. */
  forward(tokens: ArrayLike<number>): Promise<Float32Array>;
  /** Mean loss of one sequence; target -1 is ignored. */
  loss(tokens: ArrayLike<number>, targets: ArrayLike<number>): Promise<Evaluation>;
  /** The same over sequences of equal length, in one pass. */
  batchLoss(examples: readonly Example[]): Promise<Evaluation>;
  attention(tokens: ArrayLike<number>): Promise<AttentionMaps>;
  /**
   * Every number of one example's forward and backward pass, dropout off. The trace keeps its own
   * copy of the weights, so training may go on. Errors: `bad-data` (tokens, targets),
   * `invalid-argument` (a what-if), `non-finite`, `out-of-memory`.
   */
  trace(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options?: TraceOptions,
  ): Promise<Trace>;
  /** The example's mean loss with each of `by` added to one scaled score. */
  sweep(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: SweepOptions,
  ): Promise<Float64Array>;
  /** The example's mean loss with each edge of a layer cut in turn. */
  cutEdges(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options: CutOptions,
  ): Promise<EdgeCuts>;
  /** The example's mean loss with each head of every layer cut in turn. */
  cutHeads(
    tokens: ArrayLike<number>,
    targets: ArrayLike<number>,
    options?: CutHeadsOptions,
  ): Promise<HeadCuts>;
  /**
   * What the next token is drawn from, and the draw. `tokens` is a prompt and the `index` tokens
   * generated after it (all but the first token, when there are no more): `token` is then exactly what
   * `generate` with this prompt, seed and sampling yields as its token number `index`, past the context
   * too, as long as the weights stay. To that end the generated tokens are read one by one again.
   */
  next(tokens: ArrayLike<number>, options?: NextOptions): Promise<NextToken>;
  /** Yields one token at a time. Weights that change in between affect later tokens only. */
  generate(options: GenerateOptions): AsyncIterableIterator<number>;
  /** safetensors with self-describing metadata. `metadata` adds string entries of one's own. */
  save(metadata?: Record<string, string>): Promise<Uint8Array>;
  /** Hash of all weights (hex), equal when every bit is. */
  weightsHash(): Promise<string>;
}

export interface Trainer extends Disposable {
  /** The model being trained; disposed with the trainer unless it was passed in. */
  readonly model: Model;
  readonly config: Readonly<TrainConfig>;
  /** Completed steps. */
  readonly step: number;
  /** The task it trains on; null for a text. */
  readonly task: TaskInfo | null;
  /**
   * Pulled: the next steps run when the next value is asked for. A step that meets a NaN or an
   * infinity changes nothing; the iterator throws `non-finite`, after what was done before it.
   */
  run(options?: RunOptions): AsyncIterableIterator<StepMetrics>;
  evaluate(options?: EvaluateOptions): Promise<Evaluation>;
  /** Everything a bit-for-bit continuation needs, except the data. */
  save(metadata?: Record<string, string>): Promise<Uint8Array>;
  /**
   * Goes on under other options: weights, moments, step and data stay, and the rate is that of the new
   * schedule at this step. Not for `valFraction`, nor while a timeline records (`bad-state`); moments of
   * another `optimizer` start at zero. A refused change changes nothing.
   */
  change(options: Omit<TrainOptions, 'freeze'>): Promise<void>;
  /** Back to step 0 with the initial weights of the seed, also where the model was passed in. */
  reset(): Promise<void>;

  /** A fixed, numbered example, from 0; the same for every seed. Default: of the validation part. */
  example(index: number, split?: 'train' | 'validation'): Promise<Example>;
  /** The rows that step number `step` (from 1) trains on. Default: the next step. */
  batch(step?: number): Promise<Example[]>;
  groups(): Promise<GroupInfo[]>;
  /**
   * Norms of every group, of the last step that this trainer made: reads what is there, runs nothing.
   * `bad-state` before its first step, within a step, after `undo` and `reset`.
   */
  norms(): Promise<GroupNorms[]>;
  /**
   * Freezes these groups and no others, from the next update on: no gradient, no share in the norm,
   * no decay, no change to weights and moments. `query`, `key`, `value`, `output`, `feedForward` and
   * `norms` without a layer stand for those of all layers. Throws `invalid-argument` for a group the
   * model has not.
   */
  setFrozen(names: readonly string[]): Promise<void>;

  /**
   * The forward part of the next step; with several micro-batches all but the last one's backward
   * part as well. `run` goes on from there, with the same bits.
   */
  forward(): Promise<{ loss: number }>;
  /** The backward part, and the forward part where that is missing. */
  backward(): Promise<{ gradientNorm: number }>;
  /**
   * Completes the step, and runs what is missing of it. With `groups`, only these move; the others
   * keep weights and moments, and clipping is still by the norm of all.
   */
  update(groups?: readonly string[]): Promise<StepReport>;
  /**
   * Back to before the last step, every bit of it: `update`, or a step of `run` after the first use
   * of one of these calls or of `report`. Once; then it throws `bad-state`.
   */
  undo(): Promise<void>;
  /** Takes the next step apart without making it. */
  ledger(): Promise<Ledger>;
  /**
   * Loss of the next step's batch, without dropout, if only these groups had taken that step: equal
   * in every bit to `Model.batchLoss` of a model with those weights.
   */
  lossAfter(groups: readonly string[]): Promise<number>;
  /** Keeps the past from now on; one timeline at a time. */
  record(options?: RecordOptions): Promise<Timeline>;
}

export interface CreateTrainerOptions {
  /** Options of a new model, or an existing model of the same engine. */
  model: ModelOptions | Model;
  train?: TrainOptions;
  /** Tokens, or a task; for a task the model's `context` defaults to the task's. */
  data: TrainingData | TaskOptions;
}

export interface Forecast {
  parameters: number;
  /** Bytes of each arena and their sum. */
  bytes: {
    parameters: number;
    gradients: number;
    optimizer: number;
    activations: number;
    total: number;
  };
  /** 6 per weight-matrix parameter and token + 12 L C T per token, for one step. */
  flopsPerStep: number;
  tokensPerStep: number;
}

export interface MemoryReport {
  liveHandles: number;
  /** Bytes of all live arenas. */
  bytesInUse: number;
  peakBytes: number;
  /** Size of the WebAssembly memory. */
  heapBytes: number;
}

export interface EngineInfo {
  /** Binary in use. */
  variant: 'simd128';
  threads: number;
  /** Why this variant and thread count. */
  reason: string;
  where: 'thread' | 'worker';
  /** Largest WebAssembly memory in bytes. */
  memoryLimit: number;
  version: string;
  /** SHA-256 of the .wasm, hex: runs are reproducible between equal hashes. */
  wasmHash: string;
}

export interface Checkpoint {
  /** String entries of the file, the caller's own included. */
  metadata: Record<string, string>;
}

export interface Engine extends Disposable {
  readonly info: EngineInfo;
  /** Weights drawn from `seed` (default 1337). */
  createModel(options: ModelOptions, init?: { seed?: number }): Promise<Model>;
  /** A new model gets the weights of `train.seed`; an existing one keeps its own. */
  createTrainer(options: CreateTrainerOptions): Promise<Trainer>;
  /** A model from `Model.save` or `Trainer.save`. */
  loadModel(file: Uint8Array): Promise<{ model: Model } & Checkpoint>;
  /** Continues a saved run on the same data; the file of a run on a task names it. */
  resumeTrainer(
    file: Uint8Array,
    data?: TrainingData | TaskOptions,
  ): Promise<{ trainer: Trainer } & Checkpoint>;
  /**
   * Trainers of this engine to be run in lock-step. They must draw identical batches: throws
   * `invalid-argument` naming what differs (seed, batch, accumulation, data, tokens of an example).
   */
  createTwins(trainers: readonly Trainer[]): Twins;
  /** Needs nothing allocated; refuses what `createTrainer` would refuse. */
  forecast(model: ModelOptions, train?: TrainOptions): Promise<Forecast>;
  /** One head of attention on matrices of one's own. */
  attend(input: AttentionInput): Promise<AttentionOutput>;
  /** Gradients of any function of its output, from that function's gradient `dOut` (T, Dv). */
  attendBackward(input: AttentionInput, dOut: ArrayLike<number>): Promise<AttentionGradients>;
  memory(): Promise<MemoryReport>;
}

export interface EngineOptions {
  /** Default: a worker in browsers, in-thread in Node. */
  where?: 'thread' | 'worker';
  /** Where heed.wasm is, when it is not beside the script. */
  wasmUrl?: string | URL;
  /** The bytes of heed.wasm, instead of a download. */
  wasmBinary?: BufferSource;
  /** Where worker.js is, when it is not beside the script; on the page's own origin. */
  workerUrl?: string | URL;
  /** Largest WebAssembly memory in bytes, 32 MiB to 4 GiB. Default: as much as there is. */
  memoryLimit?: number;
}

export type { Tokenizer, TokenizerState };
