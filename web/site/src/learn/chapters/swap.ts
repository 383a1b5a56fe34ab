// SPDX-License-Identifier: MIT
// C1's experiment: two tokens swapped, positions and mask on or off, and what attention puts out.

import type { Example, Model, WhatIf } from 'heed';

export interface Swap {
  /** Output of the first layer's attention, T x C, before and after. */
  before: Float32Array;
  after: Float32Array;
  columns: number;
}

export interface SwapChoices {
  a: number;
  b: number;
  positions: boolean;
  mask: boolean;
}

/** Learned positions read as 0. */
export function withoutPositions(model: Model, time: number): WhatIf[] {
  const { width, position } = model.config;
  if (position !== 'learned') return [];
  return Array.from({ length: time * width }, (_, index) => ({
    set: 'weight', tensor: 'positions.weight', row: Math.floor(index / width),
    column: index % width, to: 0,
  }));
}

export async function swapTokens(
  model: Model,
  { tokens, targets }: Example,
  { a, b, positions, mask }: SwapChoices,
): Promise<Swap> {
  const whatIf: WhatIf[] = positions ? [] : withoutPositions(model, tokens.length);
  if (!mask) {
    for (let head = 0; head < model.config.heads; ++head) {
      whatIf.push({ set: 'mask', layer: 0, head, to: 'none' });
    }
  }
  const swapped = Int32Array.from(tokens);
  swapped[a] = tokens[b]!;
  swapped[b] = tokens[a]!;
  const [before, after] = await Promise.all([tokens, swapped].map(async (sequence) => {
    const trace = await model.trace(sequence, targets, { gradients: false, whatIf });
    const { values, columns } = trace.matrix('L0.Y');
    trace.dispose();
    return { values, columns };
  }));
  return { before: before!.values, after: after!.values, columns: before!.columns };
}

/** Largest difference between row `from` of one matrix and row `to` of another. */
export function rowDifference(
  one: Float32Array,
  from: number,
  other: Float32Array,
  to: number,
  columns: number,
): number {
  let largest = 0;
  for (let c = 0; c < columns; ++c) {
    largest = Math.max(largest, Math.abs(one[from * columns + c]! - other[to * columns + c]!));
  }
  return largest;
}

/** Largest difference in the rows that were not swapped. */
export function elsewhere({ before, after, columns }: Swap, { a, b }: SwapChoices): number {
  let largest = 0;
  for (let row = 0; row * columns < before.length; ++row) {
    if (row === a || row === b) continue;
    largest = Math.max(largest, rowDifference(after, row, before, row, columns));
  }
  return largest;
}
