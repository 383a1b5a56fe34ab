// SPDX-License-Identifier: MIT
// From the view to what figures draw.

import type { AxisLabels, LabelledMatrix } from '../figures/contracts';
import type { View } from './room.svelte';

export const looking = ({ prompt, state }: View): AxisLabels => ({
  kind: 'token', texts: prompt.texts, role: 'query', selects: 'i',
  expected: Array.from(prompt.targets, (id) => (id < 0 ? undefined : state.tokenizer.token(id))),
});

export const lookedAt = ({ prompt }: View): AxisLabels => ({
  kind: 'token', texts: prompt.texts, role: 'key', selects: 'j',
});

/** A matrix of T x T of the trace: rows look, columns are looked at. */
export function square(view: View, address: string, sign: 1 | -1 = 1, as = address): LabelledMatrix {
  const { rows, columns, values } = view.trace.matrix(address);
  return {
    address: as, rows, columns, values: sign === 1 ? values : Float32Array.from(values, (value) => -value),
    rowLabels: looking(view), columnLabels: lookedAt(view),
    ...(view.state.model.config.mask === 'causal' ? { mask: 'causal' as const } : {}),
  };
}

export const named = (texts: readonly string[]): AxisLabels => ({ kind: 'name', texts });

export const layerNames = ({ trace }: View): string[] =>
  Array.from({ length: trace.layers }, (_, layer) => `L${layer}`);

export const headNames = ({ trace }: View): string[] =>
  Array.from({ length: trace.heads }, (_, head) => `H${head}`);
