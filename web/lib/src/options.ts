// SPDX-License-Identifier: MIT
// Defaults, and checks of what a caller wrote: unknown keys and wrong types. Ranges and
// combinations are checked once, in the engine's core, which knows them.

import type {
  CreateTrainerOptions,
  EngineOptions,
  EvaluateOptions,
  GenerateOptions,
  ModelConfig,
  ModelOptions,
  RunOptions,
  TrainConfig,
  TrainOptions,
  TrainingData,
} from './api.js';
import {
  type Check,
  boolean,
  checkKeys,
  checkRecord,
  integer,
  number,
  oneOf,
  optional,
  string,
} from './option-checks.js';
import { HeedError } from './errors.js';
import { isTyped } from './values.js';

/** Everything but `vocab`, which comes from the data. `headWidth`, `kvHeads`, `ffn`: see below. */
export const modelDefaults = {
  context: 64,
  layers: 4,
  heads: 4,
  width: 128,
  norm: 'layer',
  normPosition: 'pre',
  activation: 'geluErf',
  position: 'learned',
  ropeBase: 10_000,
  ropeLayout: 'halves',
  bias: false,
  tied: true,
  dropout: 0,
} as const satisfies Partial<ModelConfig>;

export const trainDefaults: Readonly<TrainConfig> = {
  steps: 2000,
  batch: 12,
  accumulation: 1,
  seed: 1337,
  optimizer: 'adamw',
  learningRate: 1e-3,
  minLearningRate: 1e-4,
  schedule: 'cosine',
  warmup: 100,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0.1,
  momentum: 0.9,
  clip: 1,
  valFraction: 0.1,
};

const modelChecks: { [K in keyof ModelConfig]: Check } = {
  vocab: integer,
  context: integer,
  layers: integer,
  heads: integer,
  kvHeads: integer,
  width: integer,
  headWidth: integer,
  ffn: integer,
  norm: oneOf('layer', 'rms', 'none'),
  normPosition: oneOf('pre', 'post'),
  activation: oneOf('geluTanh', 'geluErf', 'relu', 'silu', 'swiglu'),
  position: oneOf('learned', 'sinusoidal', 'rope', 'none'),
  ropeBase: number,
  ropeLayout: oneOf('halves', 'interleaved'),
  bias: boolean,
  tied: boolean,
  dropout: number,
};

const trainChecks: { [K in keyof TrainConfig]: Check } = {
  steps: integer,
  batch: integer,
  accumulation: integer,
  seed: integer,
  optimizer: oneOf('adamw', 'sgd'),
  learningRate: number,
  minLearningRate: number,
  schedule: oneOf('constant', 'cosine'),
  warmup: integer,
  beta1: number,
  beta2: number,
  epsilon: number,
  weightDecay: number,
  momentum: number,
  clip: number,
  valFraction: number,
};

/** A complete configuration: `headWidth` = width / heads, `kvHeads` = heads, `ffn` = 4 width. */
export function resolveModel(options: ModelOptions): ModelConfig {
  checkRecord(options, 'model options');
  checkKeys(options, 'model options', modelChecks);
  if (options.vocab === undefined) {
    throw new HeedError(
      'invalid-argument',
      'model options need "vocab", the number of token ids. Pass the tokenizer\'s vocab.',
    );
  }
  const given = definedOnly(options);
  const { heads, width } = { ...modelDefaults, ...given };
  if (given.headWidth === undefined && heads > 0 && width % heads !== 0) {
    throw new HeedError(
      'invalid-argument',
      `width ${width} is not divisible by heads ${heads}. ` +
        'Change one of them, or set headWidth as well.',
    );
  }
  return {
    ...modelDefaults,
    kvHeads: heads,
    headWidth: heads > 0 ? width / heads : 0,
    ffn: 4 * width,
    ...given,
  };
}

export function resolveTrain(options: TrainOptions = {}): TrainConfig {
  checkRecord(options, 'train options');
  checkKeys(options, 'train options', trainChecks);
  const given = definedOnly(options);
  // A rate below the default minimum would otherwise make the cosine climb.
  const rate = given.learningRate ?? trainDefaults.learningRate;
  return { ...trainDefaults, minLearningRate: rate / 10, ...given };
}

/** The seed of a new model's weights; default 1337, as for a trainer. */
export function checkSeed(init: { seed?: number }): number {
  checkRecord(init, 'init');
  checkKeys(init, 'init', { seed: integer });
  const { seed = trainDefaults.seed } = init;
  if (seed < 0) {
    throw new HeedError(
      'invalid-argument',
      `init: seed is ${seed}; it must be a whole number from 0 to 2^53 - 1. Change the value.`,
    );
  }
  return seed;
}

export function checkRunOptions(options: RunOptions): void {
  checkRecord(options, 'run options');
  checkKeys(options, 'run options', {
    steps: integer,
    every: integer,
    signal: optional('an AbortSignal', isAbortSignal),
  });
  const { steps = 0, every = 1 } = options;
  if (steps < 0 || every < 1) {
    throw new HeedError(
      'invalid-argument',
      `run options: steps is at least 0 and every at least 1, not ${steps} and ${every}. ` +
        'Leave an option out for its default.',
    );
  }
}

export function checkEvaluateOptions(options: EvaluateOptions): void {
  checkRecord(options, 'evaluate options');
  checkKeys(options, 'evaluate options', {
    split: oneOf('train', 'validation'),
    maxWindows: integer,
    signal: optional('an AbortSignal', isAbortSignal),
  });
  if (options.maxWindows !== undefined && options.maxWindows < 1) {
    throw new HeedError(
      'invalid-argument',
      `evaluate options: maxWindows is at least 1, not ${options.maxWindows}. ` +
        'Leave it out to use the whole split.',
    );
  }
}

export function checkGenerateOptions(options: GenerateOptions): void {
  checkRecord(options, 'generate options');
  checkKeys(options, 'generate options', {
    prompt: optional('an array of token ids', isArrayLike),
    tokens: integer,
    temperature: number,
    topK: integer,
    topP: number,
    seed: integer,
    stop: optional('an array of token ids', isArrayLike),
    signal: optional('an AbortSignal', isAbortSignal),
  });
  if (options.tokens === undefined || options.tokens < 0) {
    throw new HeedError(
      'invalid-argument',
      `generate options need "tokens", how many to generate, not ${String(options.tokens)}. ` +
        'Pass a whole number from 0 up.',
    );
  }
}

export function checkEngineOptions(options: EngineOptions): void {
  checkRecord(options, 'engine options');
  checkKeys(options, 'engine options', {
    where: oneOf('thread', 'worker'),
    wasmUrl: optional('a URL', (value) => typeof value === 'string' || value instanceof URL),
    workerUrl: optional('a URL', (value) => typeof value === 'string' || value instanceof URL),
    wasmBinary: optional('an ArrayBuffer or a typed array', isBytes),
    memoryLimit: integer,
  });
}

export function checkTrainerOptions(options: CreateTrainerOptions): void {
  checkRecord(options, 'trainer options');
  checkKeys(options, 'trainer options', {
    model: optional('model options or a Model', (value) => typeof value === 'object'),
    train: optional('train options', (value) => typeof value === 'object'),
    data: optional('training data', (value) => typeof value === 'object'),
  });
  if (options.model === undefined || options.model === null) {
    throw new HeedError(
      'invalid-argument',
      'trainer options need "model". Pass model options or a Model of this engine.',
    );
  }
  checkData(options.data);
}

export function checkData(data: TrainingData): void {
  checkRecord(data, 'data');
  checkKeys(data, 'data', {
    tokens: optional('an Int32Array', (value) => isTyped(value, 'Int32Array')),
    lossMask: optional('a Uint8Array', (value) => isTyped(value, 'Uint8Array')),
  });
  if (data.tokens === undefined) {
    throw new HeedError(
      'invalid-argument',
      'data needs "tokens". Pass the Int32Array that a tokenizer\'s encode() returns.',
    );
  }
  if (data.lossMask !== undefined && data.lossMask.length !== data.tokens.length) {
    throw new HeedError(
      'invalid-argument',
      `data.lossMask has ${data.lossMask.length} entries and data.tokens ` +
        `${data.tokens.length}. Make them the same length.`,
    );
  }
}

export function checkMetadata(metadata: Record<string, string>): void {
  checkRecord(metadata, 'metadata');
  const checks = Object.fromEntries(Object.keys(metadata).map((key) => [key, string]));
  checkKeys(metadata, 'metadata', checks);
}

function isArrayLike(value: unknown): boolean {
  return typeof value === 'object' && typeof (value as { length?: unknown }).length === 'number';
}

function isAbortSignal(value: unknown): boolean {
  const signal = value as Partial<AbortSignal>;
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}

function isBytes(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return ArrayBuffer.isView(value) || tag === '[object ArrayBuffer]';
}

/** `undefined` means "the default", as everywhere in JavaScript. */
function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
