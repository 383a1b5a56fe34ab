// SPDX-License-Identifier: MIT
// Named settings: a model without its vocabulary, which the data gives, and how to train it.

import type { ModelOptions, TrainOptions } from './api.js';

export interface Preset {
  readonly model: Readonly<Omit<ModelOptions, 'vocab'>>;
  readonly train: Readonly<TrainOptions>;
}

/** Written out in full, so that a change of the defaults cannot change what a name means. */
export const presets = {
  /** nanoGPT's published setting for character-level Shakespeare on a CPU; 0.8 M parameters. */
  'nanogpt-cpu': {
    model: {
      context: 64,
      layers: 4,
      heads: 4,
      kvHeads: 4,
      width: 128,
      headWidth: 32,
      ffn: 512,
      norm: 'layer',
      normPosition: 'pre',
      activation: 'geluErf',
      position: 'learned',
      bias: false,
      tied: true,
      dropout: 0,
    },
    train: {
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
      clip: 1,
      valFraction: 0.1,
    },
  },
  /** Small enough that a step takes about a millisecond; learns short patterns. */
  toy: {
    model: {
      context: 16,
      layers: 2,
      heads: 2,
      kvHeads: 2,
      width: 32,
      headWidth: 16,
      ffn: 128,
      norm: 'layer',
      normPosition: 'pre',
      activation: 'geluErf',
      position: 'learned',
      bias: false,
      tied: true,
      dropout: 0,
    },
    train: {
      steps: 500,
      batch: 8,
      accumulation: 1,
      seed: 1337,
      optimizer: 'adamw',
      learningRate: 3e-3,
      minLearningRate: 3e-4,
      schedule: 'cosine',
      warmup: 20,
      beta1: 0.9,
      beta2: 0.99,
      epsilon: 1e-8,
      weightDecay: 0.1,
      clip: 1,
      valFraction: 0.1,
    },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
