// SPDX-License-Identifier: MIT
// What an engine can be asked, as data: the one list behind the in-thread engine and the messages
// to a worker. Handles are the core's: numbers that name a model, a trainer or a generator.

import type {
  AttentionMaps,
  EngineInfo,
  Evaluation,
  Forecast,
  MemoryReport,
  ModelConfig,
  StepMetrics,
  TensorInfo,
  TrainConfig,
} from './api.js';
import type { Contributions, LogitParts, ProjectionName, WhatIf } from './api-explain.js';
import type { Lens, NextToken, PatchOptions, Patches } from './api-inspect.js';
import type { Example, GroupInfo, GroupNorms, Ledger, StepReport, TaskKind } from './api-train.js';
import type { SerializedError } from './errors.js';
import type { TraceData, TraceShape } from './trace-layout.js';

export type Handle = number;

export interface ModelDescription {
  model: Handle;
  config: ModelConfig;
  parameters: number;
}

export interface TrainerDescription extends ModelDescription {
  trainer: Handle;
  trainConfig: TrainConfig;
  step: number;
  data: DataDescription;
}

/** What a trainer draws its batches from: equal descriptions give equal batches. */
export interface DataDescription {
  fingerprint: string;
  /** Tokens of an example. */
  time: number;
  task: TaskParams | null;
}

export interface TaskParams {
  task: TaskKind;
  length: number;
  symbols: number;
}

export interface TextParams {
  tokens: Int32Array;
  lossMask: Uint8Array | undefined;
}

export type DataParams = TextParams | TaskParams;

export interface GenerateParams {
  prompt: Int32Array;
  temperature: number;
  topK: number;
  topP: number;
  seed: number;
}

export interface ExampleParams {
  model: Handle;
  tokens: Int32Array;
  targets: Int32Array;
}

export interface TraceDescription {
  trace: Handle;
  shape: TraceShape;
  loss: number;
  data: TraceData;
}

/** Matrices x, wQ, wK and wV one after the other; `valueWidth` 0 stands for V = X. */
export interface AttendParams {
  matrices: Float32Array;
  visible: Uint8Array;
  time: number;
  width: number;
  headWidth: number;
  valueWidth: number;
  scale: number;
}

/** Method: [parameters, result]. */
export interface Calls {
  createModel: [{ config: ModelConfig; seed: number }, ModelDescription];
  loadModel: [{ file: Uint8Array }, ModelDescription & { metadata: Record<string, string> }];
  tensors: [{ model: Handle }, TensorInfo[]];
  read: [{ model: Handle; name: string }, Float32Array];
  write: [{ model: Handle; name: string; values: Float32Array }, void];
  forward: [{ model: Handle; tokens: Int32Array }, Float32Array];
  loss: [{ model: Handle; tokens: Int32Array; targets: Int32Array }, Evaluation];
  /** tokens and targets of `sequences` examples, one after the other. */
  batchLoss: [
    { model: Handle; tokens: Int32Array; targets: Int32Array; sequences: number },
    Evaluation,
  ];
  attention: [{ model: Handle; tokens: Int32Array }, AttentionMaps];
  saveModel: [{ model: Handle; metadata: Record<string, string> }, Uint8Array];
  weightsHash: [{ model: Handle }, string];
  startGenerator: [{ model: Handle } & GenerateParams, Handle];
  nextToken: [{ generator: Handle }, number];
  next: [{ model: Handle; index: number } & GenerateParams, NextToken];
  /** With `model` a handle, trains that model; with a configuration, a new one. */
  createTrainer: [
    { model: Handle | ModelConfig; train: TrainConfig; freeze: readonly string[]; data: DataParams },
    TrainerDescription,
  ];
  changeTrainer: [{ trainer: Handle; train: TrainConfig }, void];
  /** Without `data`: the task that the file names. */
  resumeTrainer: [
    { file: Uint8Array; data: DataParams | undefined },
    TrainerDescription & { metadata: Record<string, string> },
  ];
  /**
   * Runs up to `steps` steps, none beyond step `until`. An abort ends it early with what was done.
   * `metrics` is of the last step done, null when there was none; `failure` is what a step that
   * changed nothing ran into.
   */
  advance: [
    { trainer: Handle; steps: number; until: number; report: boolean },
    { metrics: StepMetrics | null; step: number; failure?: SerializedError },
  ];
  evaluate: [
    { trainer: Handle; split: 'train' | 'validation'; maxWindows: number },
    Evaluation,
  ];
  saveTrainer: [{ trainer: Handle; metadata: Record<string, string> }, Uint8Array];
  reset: [{ trainer: Handle }, void];
  example: [{ trainer: Handle; split: 'train' | 'validation'; index: number }, Example];
  batch: [{ trainer: Handle; step: number }, Example[]];
  groups: [{ trainer: Handle }, GroupInfo[]];
  norms: [{ trainer: Handle }, GroupNorms[]];
  setFrozen: [{ trainer: Handle; names: readonly string[] }, void];
  stepForward: [{ trainer: Handle }, { loss: number }];
  stepBackward: [{ trainer: Handle }, { gradientNorm: number }];
  /** `groups` null: all of them. */
  update: [{ trainer: Handle; groups: readonly string[] | null }, StepReport];
  /** The step it is back at. */
  undo: [{ trainer: Handle }, number];
  ledger: [{ trainer: Handle }, Ledger];
  lossAfter: [{ trainer: Handle; groups: readonly string[] }, number];
  /** As `advance`, in lock-step; `metrics` has one entry a trainer. */
  advanceTwins: [
    { trainers: readonly Handle[]; steps: number; report: boolean },
    { metrics: StepMetrics[] | null; step: number; failure?: SerializedError },
  ];
  record: [{ trainer: Handle; every: number; maxBytes: number }, Handle];
  timeline: [{ timeline: Handle }, { first: number; kept: number[] }];
  startReplay: [{ timeline: Handle }, ModelDescription & { trainer: Handle }];
  seek: [{ timeline: Handle; replay: Handle; step: number }, void];
  /** Seeks, then branches; `freeze` undefined: what was frozen then. */
  branch: [
    {
      timeline: Handle;
      replay: Handle;
      step: number;
      train: TrainConfig;
      freeze: readonly string[] | undefined;
    },
    TrainerDescription,
  ];
  forecast: [{ config: ModelConfig; train: TrainConfig }, Forecast];
  memory: [Record<string, never>, MemoryReport];
  trace: [ExampleParams & { whatIf: WhatIf[]; gradients: boolean }, TraceDescription];
  contributions: [
    { trace: Handle; of: ProjectionName; layer: number; head: number },
    Contributions,
  ];
  logitParts: [
    { trace: Handle; layer: number; row: number; target: number; rival: number; layers: number },
    LogitParts,
  ];
  sweep: [
    { trace: Handle; layer: number; head: number; row: number; column: number; by: Float64Array },
    Float64Array,
  ];
  /** Losses alone, H x T x T: `heads` and `time` are the trace's. */
  cutEdges: [
    {
      trace: Handle;
      layer: number;
      head: number | null;
      row: number | null;
      renormalise: boolean;
      heads: number;
      time: number;
    },
    Float64Array,
  ];
  /** Losses alone, L x H: `layers` and `heads` are the trace's. */
  cutHeads: [
    { trace: Handle; to: 'zero' | 'mean'; layers: number; heads: number },
    Float64Array,
  ];
  /** `places` and `time` are the trace's. */
  lens: [{ trace: Handle; places: string[]; top: number; time: number }, Lens];
  /** `layers` and `places`, of each layer, are the trace's. */
  patch: [
    { trace: Handle; from: Handle; layers: number; places: number } & PatchOptions,
    Patches,
  ];
  attend: [AttendParams, Float32Array];
  attendBackward: [AttendParams & { dOut: Float32Array }, Float32Array];
}

export type Method = keyof Calls;
export type Params<M extends Method> = Calls[M][0];
export type Returned<M extends Method> = Calls[M][1];

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Buffers of the parameters that the library itself has made, so that they may be given away. */
  transfer?: readonly Transferable[];
}

/** Whoever carries the calls out: this thread's core, or a worker's. */
export interface Backend {
  readonly info: EngineInfo;
  call<M extends Method>(
    method: M,
    params: Params<M>,
    options?: CallOptions,
  ): Promise<Returned<M>>;
  /** Frees an object and everything that hangs on it; calls under way on it end with `disposed`. */
  release(handle: Handle): void;
  /** Frees everything; calls under way end with `disposed`. */
  dispose(): void;
}

/** How a worker's engine is to be made: the options of createEngine that concern it. */
export interface StartOptions {
  wasmUrl: string | undefined;
  wasmBinary: Uint8Array | undefined;
  memoryLimit: number | undefined;
}

export type CallMessage = {
  [M in Method]: { kind: 'call'; id: number; method: M; params: Params<M> };
}[Method];

export type ToWorker =
  | { kind: 'start'; options: StartOptions }
  | CallMessage
  | { kind: 'abort'; id: number }
  | { kind: 'release'; handle: Handle };

export type FromWorker =
  | { kind: 'ready'; info: EngineInfo }
  | { kind: 'failed'; error: SerializedError }
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'error'; id: number; error: SerializedError };

/** The buffers of a result, which the library has just made and nobody else holds. */
export function transferables(result: unknown): Transferable[] {
  const found: Transferable[] = [];
  collect(result, found);
  return found;
}

function collect(value: unknown, found: Transferable[]): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) {
      found.push(value.buffer);
    }
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const member of Object.values(value)) {
      collect(member, found);
    }
  }
}
