// SPDX-License-Identifier: MIT
// The loss with each edge of one row of one head cut in turn: a pass each, for this row only, where
// the package's `cutEdges` takes a whole layer.

import type { View } from './room.svelte';

export async function cutRow(
  { state, prompt, trace }: View,
  { layer, head, i }: { layer: number; head: number; i: number },
  renormalise: boolean,
): Promise<Float64Array> {
  const losses = new Float64Array(trace.time).fill(Number.NaN);
  const { mask, window } = state.model.config;
  const last = mask === 'causal' ? i : trace.time - 1;
  const first = window > 0 ? Math.max(0, i - window + 1) : 0;
  for (let j = first; j <= last; ++j) {
    const cut = await state.model.trace(prompt.ids, prompt.targets, {
      gradients: false, whatIf: [{ cut: 'edge', layer, head, row: i, column: j, renormalise }],
    });
    losses[j] = cut.loss;
    cut.dispose();
  }
  return losses;
}
