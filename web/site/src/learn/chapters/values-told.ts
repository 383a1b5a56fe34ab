// SPDX-License-Identifier: MIT
// Sums that C8 holds against the engine's: the pieces of dW_V, and the mixed rows A X.

import type { Trace } from 'heed';

export interface Rows {
  rows: number;
  columns: number;
  values: ArrayLike<number>;
}

/** A X (T, C), each number the trace's own. */
export function mixedInputs(trace: Trace, layer: number, scope: string): Rows {
  const { rows, columns } = trace.matrix(`L${layer}.X`);
  const values = Float32Array.from({ length: rows * columns }, (_, index) =>
    trace.read(`${scope}.AX.${Math.floor(index / columns)}.${index % columns}`));
  return { rows, columns, values };
}

/** Sum over rows t of left_t (x) right_t, (left.columns, right.columns). */
export function outerSum(left: Rows, right: Rows): Float64Array {
  const sum = new Float64Array(left.columns * right.columns);
  for (let t = 0; t < left.rows; ++t) {
    for (let m = 0; m < left.columns; ++m) {
      const factor = left.values[t * left.columns + m]!;
      for (let c = 0; c < right.columns; ++c) {
        sum[m * right.columns + c]! += factor * right.values[t * right.columns + c]!;
      }
    }
  }
  return sum;
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < a.length; ++index) {
    largest = Math.max(largest, Math.abs(a[index]! - b[index]!));
  }
  return largest;
}
