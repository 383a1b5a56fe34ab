// SPDX-License-Identifier: MIT
// Configurations: defaults, and checks of what a caller wrote (unknown keys, wrong types). Ranges
// and combinations are checked once, in the engine's core, which knows them.

import type { ModelConfig, ModelOptions, TrainConfig, TrainOptions } from './api.js';
import { HeedError } from './errors.js';
import {
  type Check,
  boolean,
  checkKeys,
  checkRecord,
  integer,
  isStringArray,
  number,
  oneOf,
  optional,
} from './option-checks.js';

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
  scale: 0,
  softcap: 0,
  window: 0,
  qkNorm: false,
  mask: 'causal',
  value: 'learned',
  outProjection: true,
  uniformAttention: false,
  init: 'gpt2',
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
  decayFraction: 0.2,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0.1,
  momentum: 0.9,
  clip: 1,
  labelSmoothing: 0,
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
  activation: oneOf('geluTanh', 'geluErf', 'relu', 'relu2', 'silu', 'swiglu', 'geglu'),
  position: oneOf('learned', 'sinusoidal', 'rope', 'none', 'alibi'),
  ropeBase: number,
  ropeLayout: oneOf('halves', 'interleaved'),
  bias: boolean,
  tied: boolean,
  dropout: number,
  scale: number,
  softcap: number,
  window: integer,
  qkNorm: boolean,
  mask: oneOf('causal', 'none'),
  value: oneOf('learned', 'identity'),
  outProjection: boolean,
  uniformAttention: boolean,
  init: oneOf('gpt2', 'unit'),
};

const trainChecks: { [K in keyof Required<TrainOptions>]: Check } = {
  steps: integer,
  batch: integer,
  accumulation: integer,
  seed: integer,
  optimizer: oneOf('adamw', 'sgd', 'lion', 'muon'),
  learningRate: number,
  minLearningRate: number,
  schedule: oneOf('constant', 'cosine', 'linear', 'wsd'),
  warmup: integer,
  decayFraction: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  weightDecay: number,
  momentum: number,
  clip: number,
  labelSmoothing: number,
  valFraction: number,
  freeze: optional('an array of group names', isStringArray),
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

/** Which groups are frozen is not part of it: that may change while the configuration may not. */
export function resolveTrain(options: TrainOptions = {}): TrainConfig {
  return changedTrain(trainDefaults, options);
}

/**
 * `config` with what `options` say. A new rate brings a tenth of it as minimum: one below the old
 * minimum would otherwise make the cosine climb.
 */
export function changedTrain(config: TrainConfig, options: TrainOptions): TrainConfig {
  checkRecord(options, 'train options');
  checkKeys(options, 'train options', trainChecks);
  const { freeze: _, ...given } = definedOnly(options);
  const { learningRate } = given;
  const minimum = learningRate === undefined ? {} : { minLearningRate: learningRate / 10 };
  return { ...config, ...minimum, ...given };
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

/** `undefined` means "the default", as everywhere in JavaScript. */
function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
