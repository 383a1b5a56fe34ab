// SPDX-License-Identifier: MIT
// From the trace to what figures draw: matrices and rows with their labels.

import type { AxisLabels, LabelledMatrix, LabelledVector } from '../../figures/contracts';
import type { Frame } from '../run/frames';
import type { View } from '../room.svelte';

/** The tokens of the probe as they are written. */
export const tokenTexts = (view: View): string[] =>
  Array.from(view.example?.tokens ?? [], (id) => view.labels[id] ?? '');

const expectedTexts = (view: View): Array<string | undefined> =>
  Array.from(view.example?.targets ?? [], (id) => (id < 0 ? undefined : view.labels[id]));

export const looking = (view: View): AxisLabels => ({
  kind: 'token', texts: tokenTexts(view), expected: expectedTexts(view), role: 'query', selects: 'i',
});

export const lookedAt = (view: View): AxisLabels => ({
  kind: 'token', texts: tokenTexts(view), role: 'key', selects: 'j',
});

export const channels: AxisLabels = { kind: 'channel', texts: [], selects: 'channel' };

export const vocabulary = (view: View): AxisLabels => ({ kind: 'name', texts: view.labels });

export function labelled(
  { trace }: Frame,
  address: string,
  rowLabels: AxisLabels,
  columnLabels: AxisLabels,
  mask?: 'causal',
): LabelledMatrix {
  const { rows, columns, values } = trace.matrix(address);
  return {
    address, rows, columns, values, rowLabels, columnLabels,
    ...(mask === undefined ? {} : { mask }),
  };
}

/** A matrix of T x T: rows look, columns are looked at. */
export const square = (view: View, frame: Frame, address: string): LabelledMatrix =>
  labelled(frame, address, looking(view), lookedAt(view), 'causal');

/** Minus a matrix of the trace, under the address of what is derived from it. */
export function negated(matrix: LabelledMatrix, address: string): LabelledMatrix {
  return { ...matrix, address, values: Float32Array.from(matrix.values, (value) => -value) };
}

/** Row `row` of a matrix. */
export function rowOf(matrix: LabelledMatrix, row: number): LabelledVector {
  const { address, columns, values, columnLabels } = matrix;
  const from = row * columns;
  return {
    address: `${address}.${row}`,
    values: Array.prototype.slice.call(values, from, from + columns) as number[],
    labels: columnLabels,
  };
}

export const scopeOf = ({ layer, head }: { layer: number; head: number }): string =>
  `L${layer}.H${head}`;
