// SPDX-License-Identifier: MIT
// For every task a model and a way to train it that solve it: 99 % of the held-out examples exactly
// right; but for parity, which attention hardly learns. scripts/measure-tasks.mjs measures how long each takes.

import type { ModelOptions, TrainOptions } from './api.js';
import type { TaskKind, TaskOptions } from './api-train.js';

export interface TaskPreset {
  readonly data: Readonly<Required<TaskOptions>>;
  /** `vocab` and `context` are those of `describeTask(data)`. */
  readonly model: Readonly<Omit<ModelOptions, 'vocab' | 'context'>>;
  readonly train: Readonly<TrainOptions>;
}

const model = {
  layers: 2,
  heads: 4,
  width: 64,
  ffn: 256,
  norm: 'layer',
  normPosition: 'pre',
  activation: 'geluErf',
  position: 'learned',
  bias: false,
  tied: false,
  dropout: 0,
} as const satisfies Omit<ModelOptions, 'vocab'>;

const train = {
  steps: 3000,
  batch: 32,
  optimizer: 'adamw',
  learningRate: 3e-3,
  schedule: 'cosine',
  warmup: 50,
  beta1: 0.9,
  beta2: 0.99,
  weightDecay: 0.1,
  clip: 1,
} as const satisfies TrainOptions;

const shape = { model, train };

export const taskPresets: Readonly<Record<TaskKind, TaskPreset>> = {
  pointAndShift: { data: { task: 'pointAndShift', length: 6, symbols: 8 }, ...shape },
  copy: { data: { task: 'copy', length: 16, symbols: 26 }, ...shape },
  reverse: { data: { task: 'reverse', length: 12, symbols: 26 }, ...shape },
  // Rotary positions find "the one before" at once; learned ones have not found it after 2,700 steps.
  induction: {
    data: { task: 'induction', length: 32, symbols: 64 },
    model: { ...model, heads: 2, ffn: 0, position: 'rope' },
    train: { ...train, steps: 800, learningRate: 6e-3 },
  },
  // One layer is as good as two here, and half the time.
  sort: {
    data: { task: 'sort', length: 10, symbols: 26 },
    model: { ...model, layers: 1, heads: 2 },
    train: { ...train, steps: 2400, learningRate: 8e-3, weightDecay: 0.01 },
  },
  addition: {
    data: { task: 'addition', length: 3, symbols: 10 },
    model,
    train: { ...train, steps: 4000, batch: 64, learningRate: 4e-3 },
  },
  // AdamW learns the pairs by heart first and unlearns them slowly: 96 % after 5,000 steps. Muon has
  // found the circle after some hundred.
  modularAddition: {
    data: { task: 'modularAddition', length: 2, symbols: 97 },
    model: { ...model, layers: 1, width: 128, ffn: 512 },
    train: {
      ...train, steps: 1500, batch: 128, optimizer: 'muon', momentum: 0.95, learningRate: 5e-3,
      weightDecay: 0.5,
    },
  },
  parity: {
    data: { task: 'parity', length: 10, symbols: 2 },
    model,
    train: { ...train, steps: 4000 },
  },
  dyck: {
    data: { task: 'dyck', length: 24, symbols: 2 },
    model,
    train: { ...train, steps: 900, learningRate: 5e-3 },
  },
};
