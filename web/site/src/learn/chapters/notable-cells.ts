// SPDX-License-Identifier: MIT
// Cells worth going to: where a row is nearly decided, and where the push is strongest.

import type { Trace } from 'heed';

interface Cell {
  i: number;
  j: number;
}

/** Rows whose pushes are all 0 (nothing depends on them) are left out while there are others. */
function rowsThatLearn(trace: Trace, scope: string): number[] {
  const { values } = trace.matrix(`${scope}.dS`);
  const { time } = trace;
  const rows = Array.from({ length: time }, (_, i) => i);
  const learning = rows.filter((i) =>
    values.subarray(i * time, (i + 1) * time).some((value) => value !== 0));
  return learning.length > 0 ? learning : rows;
}

/** The brightest cell of the row that comes closest to looking at one column only. */
export function mostDecided(trace: Trace, scope: string): Cell {
  const { values } = trace.matrix(`${scope}.A`);
  let best: Cell = { i: 0, j: 0 };
  let largest = -1;
  for (const i of rowsThatLearn(trace, scope)) {
    // Row 0 sees only itself and is always decided.
    if (i === 0) continue;
    for (let j = 0; j <= i; ++j) {
      const weight = values[i * trace.time + j]!;
      if (weight > largest) {
        largest = weight;
        best = { i, j };
      }
    }
  }
  return best;
}

export function strongestPush(trace: Trace, scope: string): Cell {
  const { values } = trace.matrix(`${scope}.dS`);
  let best = 0;
  values.forEach((value, index) => {
    if (Math.abs(value) > Math.abs(values[best]!)) best = index;
  });
  return { i: Math.floor(best / trace.time), j: best % trace.time };
}
