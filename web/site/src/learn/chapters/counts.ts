// SPDX-License-Identifier: MIT
// Live counts over a head's matrices: what common beliefs are held against.

/** A and everything else is T x T, row-major; the mask is causal. */
export interface WeightCounts {
  /** Masked cells, and those of them that are exactly 0. */
  masked: number;
  zeros: number;
  /** Rows whose weights add up to 1 within 1e-6. */
  sums: number;
  /** Rows whose largest weight is on the row's own token. */
  self: number;
}

export function weightCounts(weights: ArrayLike<number>, time: number): WeightCounts {
  const counts: WeightCounts = { masked: 0, zeros: 0, sums: 0, self: 0 };
  for (let i = 0; i < time; ++i) {
    let sum = 0;
    let largest = 0;
    for (let j = 0; j < time; ++j) {
      const weight = weights[i * time + j]!;
      sum += weight;
      if (weight > weights[i * time + largest]!) largest = j;
      if (j <= i) continue;
      counts.masked += 1;
      if (weight === 0) counts.zeros += 1;
    }
    if (Math.abs(sum - 1) <= 1e-6) counts.sums += 1;
    if (largest === i) counts.self += 1;
  }
  return counts;
}

export interface PushCounts {
  /** Visible cells that are dim (a weight below 0.1), and how much of all push is on them. */
  dim: number;
  visible: number;
  dimShare: number;
}

/** How much of the learning signal is in cells that hardly show. */
export function pushCounts(
  weights: ArrayLike<number>,
  gradient: ArrayLike<number>,
  time: number,
): PushCounts {
  let all = 0;
  let onDim = 0;
  let dim = 0;
  let visible = 0;
  for (let i = 0; i < time; ++i) {
    for (let j = 0; j <= i; ++j) {
      const size = Math.abs(gradient[i * time + j]!);
      visible += 1;
      all += size;
      if (weights[i * time + j]! >= 0.1) continue;
      dim += 1;
      onDim += size;
    }
  }
  return { dim, visible, dimShare: all === 0 ? 0 : onDim / all };
}

/** Rows whose pushes add up to 0, within 1e-6 of their sizes (float32 sums round). */
export function pushSums(gradient: ArrayLike<number>, time: number): number {
  let rows = 0;
  for (let i = 0; i < time; ++i) {
    let sum = 0;
    let size = 0;
    for (let j = 0; j < time; ++j) {
      sum += gradient[i * time + j]!;
      size += Math.abs(gradient[i * time + j]!);
    }
    if (Math.abs(sum) <= 1e-6 * Math.max(size, 1e-6)) rows += 1;
  }
  return rows;
}
