// SPDX-License-Identifier: MIT
// The ten models of C11: five variants, each with embeddings held still and with embeddings that
// learn, from one seed on identical batches.

import type { Engine, ModelOptions, TrainOptions, Trainer } from 'heed';
import { taskInfo } from '../run/lessons';

export const variants = ['full', 'identity', 'frozenValue', 'frozenScores', 'uniform'] as const;
export type Variant = (typeof variants)[number];

export const columns = ['frozen', 'learned'] as const;
export type Column = (typeof columns)[number];

export interface TwinName {
  variant: Variant;
  column: Column;
}

export const twinNames: readonly TwinName[] = columns.flatMap((column) =>
  variants.map((variant) => ({ variant, column })));

export const twinSteps = 800;

/** Steps between two points of a curve: a page has no room for more, and each is a message. */
export const pointEvery = 8;

/** Fresh examples that accuracy is measured on. */
export const testedExamples = 1000;

const width = 24;

const structure: Record<Variant, Partial<ModelOptions>> = {
  full: {}, frozenValue: {}, frozenScores: {},
  identity: { value: 'identity' }, uniform: { uniformAttention: true },
};

const held: Record<Variant, readonly string[]> = {
  full: [], identity: [], uniform: [], frozenValue: ['value'], frozenScores: ['query', 'key'],
};

export interface TwinChoices {
  seed: number;
  outProjection: boolean;
}

/** The caller disposes what is returned. */
export async function makeTwins(
  engine: Engine,
  { seed, outProjection }: TwinChoices,
): Promise<Trainer[]> {
  const { vocab, context } = taskInfo('pointAndShift');
  const trainers: Trainer[] = [];
  try {
    for (const { variant, column } of twinNames) {
      const model: ModelOptions = {
        vocab, context, layers: 1, heads: 1, width, headWidth: width, ffn: 0, norm: 'none',
        outProjection, position: 'learned', bias: false, tied: true, dropout: 0, init: 'unit',
        ...structure[variant],
      };
      const still = column === 'frozen' ? ['embeddings', 'positions'] : [];
      const train: TrainOptions = {
        steps: twinSteps, batch: 32, seed, optimizer: 'adamw', learningRate: 0.01,
        minLearningRate: 0.01, schedule: 'constant', warmup: 0, weightDecay: 0, clip: 0,
        valFraction: 0, freeze: [...still, ...held[variant]],
      };
      trainers.push(await engine.createTrainer({ model, train, data: { task: 'pointAndShift' } }));
    }
    return trainers;
  } catch (error) {
    for (const trainer of trainers) trainer.dispose();
    throw error;
  }
}
