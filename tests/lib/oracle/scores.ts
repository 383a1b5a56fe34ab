// SPDX-License-Identifier: MIT
// From q.k to the scores that softmax reads, and who sees whom.

import { Matrix, build, dot } from './matrix.js';
import type { OracleConfig } from './model.js';

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
