// SPDX-License-Identifier: MIT
// What-ifs as the core takes them: six numbers each. Ranges are the core's to check; here it is
// kinds, keys and types.

import type { WhatIf } from './api-explain.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import {
  type Check,
  boolean,
  checkKeys,
  checkRecord,
  integer,
  number,
  oneOf,
  string,
} from './option-checks.js';

/** Kinds by number, as in cpp/explain/what_if.h. */
const kinds = {
  q: 0,
  k: 1,
  v: 2,
  score: 3,
  addToScore: 4,
  scale: 5,
  mask: 6,
  edge: 7,
  edgeRenormalised: 8,
  headZero: 9,
  headMean: 10,
  weight: 11,
} as const;

const place = { layer: integer, head: integer };
const vector: Record<string, Check> = {
  ...place,
  set: oneOf('q', 'k', 'v'),
  row: integer,
  channel: integer,
  to: number,
};
const score: Record<string, Check> = { ...place, row: integer, column: integer };

/** What each kind is written with. */
function checksOf(whatIf: Record<string, unknown>): Record<string, Check> | undefined {
  if (whatIf.add === 'score') return { ...score, add: oneOf('score'), by: number };
  switch (whatIf.cut) {
    case 'edge':
      return { ...score, cut: oneOf('edge'), renormalise: boolean };
    case 'head':
      return { ...place, cut: oneOf('head'), to: oneOf('zero', 'mean') };
  }
  switch (whatIf.set) {
    case 'q':
    case 'k':
    case 'v':
      return vector;
    case 'score':
      return { ...score, set: oneOf('score'), to: number };
    case 'scale':
      return { ...place, set: oneOf('scale'), to: number };
    case 'mask':
      return { ...place, set: oneOf('mask'), to: oneOf('none', 'causal') };
    case 'weight':
      return { set: oneOf('weight'), tensor: string, row: integer, column: integer, to: number };
  }
  return undefined;
}

/** Copies, so that nothing of the caller's travels on. */
export function checkWhatIfs(whatIfs: unknown): WhatIf[] {
  if (!Array.isArray(whatIfs)) {
    throw new HeedError(
      'invalid-argument',
      `whatIf must be an array, not ${describeValue(whatIfs)}. Put a single what-if in brackets.`,
    );
  }
  return whatIfs.map((whatIf: unknown, index) => {
    const what = `whatIf[${index}]`;
    checkRecord(whatIf, what);
    const checks = checksOf(whatIf as Record<string, unknown>);
    if (checks === undefined) {
      throw new HeedError(
        'invalid-argument',
        `${what} is of no known kind. It starts with set ('q', 'k', 'v', 'score', 'scale', ` +
          "'mask', 'weight'), add ('score') or cut ('edge', 'head').",
      );
    }
    checkKeys(whatIf, what, checks);
    for (const key of Object.keys(checks)) {
      if ((whatIf as Record<string, unknown>)[key] === undefined) {
        throw new HeedError('invalid-argument', `${what} needs "${key}".`);
      }
    }
    return { ...(whatIf as WhatIf) };
  });
}

export function encodeWhatIfs(
  whatIfs: readonly WhatIf[],
  tensors: readonly { name: string }[],
): Float64Array {
  const numbers = whatIfs.flatMap((w): number[] => {
    if ('add' in w) return [kinds.addToScore, w.layer, w.head, w.row, w.column, w.by];
    if ('cut' in w) {
      if (w.cut === 'head') {
        return [w.to === 'zero' ? kinds.headZero : kinds.headMean, w.layer, w.head, 0, 0, 0];
      }
      const kind = w.renormalise ? kinds.edgeRenormalised : kinds.edge;
      return [kind, w.layer, w.head, w.row, w.column, 0];
    }
    switch (w.set) {
      case 'score':
        return [kinds.score, w.layer, w.head, w.row, w.column, w.to];
      case 'scale':
        return [kinds.scale, w.layer, w.head, 0, 0, w.to];
      case 'mask':
        return [kinds.mask, w.layer, w.head, 0, 0, w.to === 'causal' ? 1 : 0];
      case 'weight':
        return [kinds.weight, indexOf(w.tensor, tensors), 0, w.row, w.column, w.to];
      default:
        return [kinds[w.set], w.layer, w.head, w.row, w.channel, w.to];
    }
  });
  return Float64Array.from(numbers);
}

function indexOf(name: string, tensors: readonly { name: string }[]): number {
  const index = tensors.findIndex((tensor) => tensor.name === name);
  if (index < 0) {
    throw new HeedError(
      'invalid-argument',
      `The model has no tensor ${JSON.stringify(name)}. tensors() lists the names.`,
    );
  }
  return index;
}
