// SPDX-License-Identifier: MIT
// Settings as the package takes them.

import type { ModelOptions, TrainOptions } from 'heed';
import type { Settings } from './fields';

export function modelOptions(settings: Settings, vocab: number): ModelOptions {
  const {
    layers, heads, width, ffn, context, position, norm, activation, headsPerKey, normPosition, bias,
    tied, dropout, window, softcap, scale, qkNorm, ropeBase, ropeLayout, value, outProjection,
    uniformAttention, init,
  } = settings;
  return {
    vocab, layers, heads, width, ffn, context, position, norm, activation, normPosition, bias, tied,
    dropout, window, softcap, scale, qkNorm, ropeBase, ropeLayout, value, outProjection,
    uniformAttention, init, kvHeads: heads / headsPerKey, headWidth: width / heads,
  };
}

/** Share of the text kept for validation; also tells how long a text has to be. */
export const valFraction = 0.1;

/** A short run warms up for a twentieth of its steps at most. */
const longestWarmup = (steps: number): number => Math.floor(steps / 20);

export function trainOptions(settings: Settings): TrainOptions {
  const {
    batch, learningRate, steps, seed, optimizer, schedule, warmup, finalShare, decayFraction,
    accumulation, weightDecay, beta1, beta2, momentum, clip, labelSmoothing,
  } = settings;
  return {
    batch, learningRate, steps, seed, valFraction, optimizer, schedule, decayFraction, accumulation,
    weightDecay, beta1, beta2, momentum, clip, labelSmoothing, epsilon: 1e-8,
    minLearningRate: learningRate * finalShare,
    warmup: Math.min(warmup, longestWarmup(steps)),
  };
}
