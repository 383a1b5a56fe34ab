// SPDX-License-Identifier: MIT
// Norms of queries and keys, from q.k to the scores that softmax reads, and who sees whom.

import { Matrix, build, dot } from './matrix.js';
import type { OracleConfig } from './model.js';

export const normEpsilon = 1e-5;

/** Each row times 1 / sqrt(its mean square + epsilon) and the weights. */
export function rmsNormed(x: Matrix, weight: Matrix): Matrix {
  const factors = Array.from({ length: x.rows }, (_, i) =>
    1 / Math.sqrt(dot(x.row(i), x.row(i)) / x.columns + normEpsilon));
  return build(x.rows, x.columns, (i, c) => x.at(i, c) * factors[i]! * weight.at(0, c));
}

/** The gradient of a row before the norm from the one behind it. */
export function throughRmsNorm(raw: Float64Array, weight: Matrix, gradient: Float64Array): Float64Array {
  const factor = 1 / Math.sqrt(dot(raw, raw) / raw.length + normEpsilon);
  const weighted = gradient.map((g, c) => g * weight.at(0, c));
  const along = (dot(weighted, raw) * factor * factor) / raw.length;
  return weighted.map((w, c) => factor * (w - raw[c]! * along));
}

export const scaleOf = ({ scale, headWidth }: OracleConfig): number =>
  scale || 1 / Math.sqrt(headWidth);

/** Whether row i of a model as it is sees column j. */
export function sees({ mask, window }: OracleConfig, row: number, column: number): boolean {
  return mask === 'none' || (column <= row && (!window || row - column < window));
}

/** Press et al. 2022: 2^(-8 / n), 2^(-16 / n), ...; for n no power of two as in the authors' code. */
export function alibiSlope(head: number, heads: number): number {
  const power = 2 ** Math.floor(Math.log2(heads));
  return 2 ** (head < power ? (-8 * (head + 1)) / power : (-4 * (2 * (head - power) + 1)) / power);
}

/** Scores of scaled products. */
export function scoresOf(config: OracleConfig, head: number, products: Matrix): Matrix {
  const { softcap, position, heads } = config;
  const slope = position === 'alibi' ? alibiSlope(head, heads) : 0;
  return build(products.rows, products.columns, (i, j) => {
    const product = products.at(i, j);
    const capped = softcap ? softcap * Math.tanh(product / softcap) : product;
    return capped - slope * Math.abs(i - j);
  });
}

/** d score / d q.k of row i and column j. */
export function scoreSlope(config: OracleConfig, q: Matrix, k: Matrix, i: number, j: number): number {
  const scale = scaleOf(config);
  if (!config.softcap) {
    return scale;
  }
  return scale * (1 - Math.tanh((dot(q.row(i), k.row(j)) * scale) / config.softcap) ** 2);
}
