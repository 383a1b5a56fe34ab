// SPDX-License-Identifier: MIT
// Models that between them use every option, with weights at which mistakes show.

import type { Model, ModelOptions } from 'heed';

import { Random } from './random.js';

const small: ModelOptions = { vocab: 11, context: 9, layers: 2, heads: 2, width: 12, ffn: 20 };

export const configurations: [string, ModelOptions][] = [
  ['plain', small],
  ['biases and an untied head', { ...small, bias: true, tied: false }],
  ['RMS norm, tanh GELU', { ...small, norm: 'rms', activation: 'geluTanh' }],
  ['no norm, ReLU', { ...small, norm: 'none', activation: 'relu', bias: true }],
  ['post-norm, sinusoidal', { ...small, normPosition: 'post', position: 'sinusoidal', bias: true }],
  ['post-norm, RMS, SiLU', { ...small, normPosition: 'post', norm: 'rms', activation: 'silu' }],
  [
    'RoPE by halves, grouped keys, SwiGLU',
    { ...small, position: 'rope', heads: 4, kvHeads: 2, headWidth: 4, activation: 'swiglu' },
  ],
  [
    'RoPE interleaved, one key head, biases, gated',
    {
      ...small,
      position: 'rope',
      ropeLayout: 'interleaved',
      ropeBase: 100,
      heads: 3,
      kvHeads: 1,
      headWidth: 6,
      activation: 'swiglu',
      bias: true,
      norm: 'rms',
    },
  ],
  ['squared ReLU', { ...small, activation: 'relu2', position: 'rope' }],
  ['gated by GELU', { ...small, activation: 'geglu', bias: true, norm: 'rms' }],
  ['no positions, attention only', { ...small, position: 'none', ffn: 0 }],
  ['attention only, one layer, one head', { ...small, layers: 1, heads: 1, ffn: 0, norm: 'none' }],
  ['three layers, heads wider than the model', { ...small, layers: 3, headWidth: 8, kvHeads: 1 }],
  ['post-norm without feed-forward', { ...small, normPosition: 'post', ffn: 0, position: 'none' }],
  ['no layers', { ...small, layers: 0, bias: true }],
];

/**
 * Replaces all weights: at the usual initial ones (0.02, 0 and 1) attention is nearly uniform,
 * biases are absent and many mistakes leave no trace. Deviations as in the golden fixtures.
 */
export async function scatterWeights(model: Model, seed: number): Promise<void> {
  const random = new Random(seed);
  for (const { name, shape, parameters } of await model.tensors()) {
    const norm = /norm\d?\.weight$/.test(name);
    const deviation = shape.length === 1 ? 0.1 : name.endsWith('ions.weight') ? 0.3 : 0.35;
    await model.write(name, Float32Array.from(random.normals(parameters, deviation, norm ? 1 : 0)));
  }
}

/** A sequence of seeded tokens with their successors as targets, of which some do not count. */
export function exampleFor(
  { vocab, context }: { vocab: number; context: number },
  seed: number,
  time = Math.min(context, 7),
): { tokens: Int32Array; targets: Int32Array } {
  const random = new Random(seed);
  const ids = Int32Array.from({ length: time + 1 }, () => random.below(vocab));
  const targets = ids.slice(1);
  if (time > 2) {
    targets[random.below(time)] = -1;
  }
  return { tokens: ids.slice(0, time), targets };
}
