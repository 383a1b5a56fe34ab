// SPDX-License-Identifier: MIT
// Numbers that follow from a trace's matrices, in double. Each is a function of one head and an index
// or two; the formulas stand in api-explain.ts.

import { type TraceLayout, type View, cell } from './trace-layout.js';

type Find = (name: string) => View;
type Derived = (find: Find, indices: readonly number[]) => number | undefined;

const cells: Record<string, Derived> = {
  push: (find, at) => at.length === 2 ? -inside(find('dS'), at) : undefined,
  cos: (find, [i, j]) => {
    if (i === undefined || j === undefined) return undefined;
    const q = find('Q');
    const k = find('K');
    if (!holds(q, i) || !holds(k, j)) return Number.NaN;
    return dot(q, i, k, j) / (length(q, i) * length(k, j));
  },
  AV: (find, at) => {
    const [, j] = at;
    if (j === undefined) return undefined;
    const v = find('V');
    return holds(v, j) ? inside(find('A'), at) * length(v, j) : Number.NaN;
  },
  gain: (find, [i, j]) =>
    i === undefined || j === undefined ? undefined : negativeDot(find('dC'), i, find('V'), j),
  mean: (find, [i, more]) =>
    i === undefined || more !== undefined ? undefined : negativeDot(find('dC'), i, find('C'), i),
  entropy: (find, [i, more]) => {
    if (i === undefined || more !== undefined) return undefined;
    const a = find('A');
    if (!holds(a, i)) return Number.NaN;
    let sum = 0;
    for (let j = 0; j < a.columns; ++j) {
      const weight = cell(a, i, j);
      sum -= weight > 0 ? weight * Math.log(weight) : 0;
    }
    return sum;
  },
  '|Q|': lengthOf('Q'),
  '|K|': lengthOf('K'),
  '|V|': lengthOf('V'),
};

function lengthOf(name: string): Derived {
  return (find, [i, more]) => {
    if (i === undefined || more !== undefined) return undefined;
    const m = find(name);
    return holds(m, i) ? length(m, i) : Number.NaN;
  };
}

/**
 * The number of an address that names no matrix, or undefined when it is no derived one either. NaN
 * stands for an index outside.
 */
export function deriveNumber(
  layout: TraceLayout,
  name: string,
  indices: readonly number[],
): number | undefined {
  const parts = /^(L\d+\.)(H\d+\.)(.+)$/.exec(name);
  if (parts === null) {
    return undefined;
  }
  const [, layer, head, what] = parts;
  try {
    const find: Find = (matrix) => {
      const place = matrix === 'X' ? `${layer}X` : `${layer}${head}${matrix}`;
      const view = layout.find(place);
      if (view === undefined) throw new Absent();
      return view;
    };
    return what === 'AX' ? mixedInput(find, indices) : cells[what!]?.(find, indices);
  } catch (error) {
    if (error instanceof Absent) return undefined;
    throw error;
  }
}

/** A matrix that this trace has not. */
class Absent extends Error {}

function mixedInput(find: Find, [i, c]: readonly number[]): number | undefined {
  if (i === undefined || c === undefined) return undefined;
  const a = find('A');
  const x = find('X');
  if (!holds(a, i) || c >= x.columns) return Number.NaN;
  let sum = 0;
  for (let j = 0; j < a.columns; ++j) {
    sum += cell(a, i, j) * cell(x, j, c);
  }
  return sum;
}

function holds(view: View, row: number): boolean {
  return row < view.rows;
}

function inside(view: View, [i, j]: readonly number[]): number {
  return i! < view.rows && j! < view.columns ? cell(view, i!, j!) : Number.NaN;
}

function dot(a: View, i: number, b: View, j: number): number {
  let sum = 0;
  for (let c = 0; c < a.columns; ++c) {
    sum += cell(a, i, c) * cell(b, j, c);
  }
  return sum;
}

function negativeDot(a: View, i: number, b: View, j: number): number {
  return holds(a, i) && holds(b, j) ? -dot(a, i, b, j) : Number.NaN;
}

function length(view: View, row: number): number {
  return Math.sqrt(dot(view, row, view, row));
}
