// SPDX-License-Identifier: MIT
// The attention weight that differs most between two traces of one example.

import type { Trace } from 'heed';

export interface HeadCell {
  layer: number;
  head: number;
  i: number;
  j: number;
}

/** Among rows where an answer counts, so that there is a guess to speak of; else among all. */
export function mostChanged(first: Trace, now: Trace, targets: ArrayLike<number>): HeadCell {
  let best: HeadCell = { layer: 0, head: 0, i: 0, j: 0 };
  let largest = -1;
  const counted = Array.from(targets).some((target) => target >= 0);
  for (let layer = 0; layer < now.layers; ++layer) {
    for (let head = 0; head < now.heads; ++head) {
      const address = `L${layer}.H${head}.A`;
      const before = first.matrix(address).values;
      const after = now.matrix(address).values;
      after.forEach((weight, at) => {
        const i = Math.floor(at / now.time);
        const change = Math.abs(weight - before[at]!);
        if (change <= largest || (counted && targets[i]! < 0)) return;
        largest = change;
        best = { layer, head, i, j: at % now.time };
      });
    }
  }
  return best;
}
