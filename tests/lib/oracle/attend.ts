// SPDX-License-Identifier: MIT
// Attention on matrices of the caller's own, in double, with any one number nudged.

import { Matrix, product, scaled, transpose } from './matrix.js';
import type { Nudge } from './pass.js';
import { softmax } from './softmax.js';

export interface Problem {
  x: Matrix;
  wQ: Matrix;
  wK: Matrix;
  /** Absent: V = X. */
  wV: Matrix | undefined;
  sees: (row: number, column: number) => boolean;
  scale: number;
}

export type Part = 'x' | 'wQ' | 'wK' | 'wV' | 'q' | 'k' | 'v' | 'scores' | 'weights' | 'out';

export function attendTo(problem: Problem, nudge?: Nudge): Map<Part, Matrix> {
  const parts = new Map<Part, Matrix>();
  const tap = (name: Part, matrix: Matrix): Matrix => {
    const seen = matrix.copy();
    if (nudge?.address === name) {
      seen.values[nudge.index]! += nudge.by;
    }
    parts.set(name, seen);
    return seen;
  };
  const { sees, scale } = problem;
  const x = tap('x', problem.x);
  const q = tap('q', product(x, tap('wQ', problem.wQ)));
  const k = tap('k', product(x, tap('wK', problem.wK)));
  const v = tap('v', problem.wV ? product(x, tap('wV', problem.wV)) : x);
  const scores = tap('scores', scaled(product(q, transpose(k)), scale));
  const shares = new Matrix(x.rows, x.rows);
  for (let i = 0; i < x.rows; ++i) {
    shares.row(i).set(softmax(scores.row(i), (j) => sees(i, j)));
  }
  tap('out', product(tap('weights', shares), v));
  return parts;
}

/** d(sum of dOut * out) / d(one number), by central differences. */
export function slope(problem: Problem, dOut: Matrix, address: Part, index: number): number {
  const at = (by: number) => {
    const out = attendTo(problem, { address, index, by }).get('out')!;
    return out.values.reduce((total, value, n) => total + value * dOut.values[n]!, 0);
  };
  return (at(1e-5) - at(-1e-5)) / 2e-5;
}
