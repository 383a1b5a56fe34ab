// SPDX-License-Identifier: MIT
// A pass as a trace offers it: matrices and single numbers by address, with token labels.

import type { AxisLabels, LabelledMatrix } from '../src/figures/contracts';
import type { NumberSource } from '../src/figures/addresses';
import { dot, type Pass, type Rows } from './attention-pass';

export const scope = 'L0.H0';

export interface Labelled extends NumberSource {
  pass: Pass;
  tokens: AxisLabels;
  channels: AxisLabels;
  matrix(name: string): LabelledMatrix;
}

const length = (v: readonly number[]): number => Math.sqrt(dot(v, v));

/** Matrices of the head by name, derived ones included. */
function rowsByName(pass: Pass): Record<string, Rows> {
  const { A, V, dC, C, dS, dA } = pass;
  return {
    ...(pass as unknown as Record<string, Rows>),
    dW_Q: pass.dW.W_Q, dW_K: pass.dW.W_K, dW_V: pass.dW.W_V,
    push: dS.map((row) => row.map((value) => (value === 0 ? 0 : -value))),
    AV: A.map((row) => row.map((a, j) => a * length(V[j]!))),
    gain: dC.map((g) => V.map((v) => -dot(g, v))),
    mean: dC.map((g, i) => [-dot(g, C[i]!)]),
    AxdA: A.map((row, i) => row.map((a, j) => (j > i ? 0 : -a * dA[i]![j]!))),
    entropy: A.map((row) => [-row.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0)]),
  };
}

export function labelled(pass: Pass, texts: string[], expected: (string | undefined)[]): Labelled {
  const named = rowsByName(pass);
  const tokens: AxisLabels = { kind: 'token', texts, expected };
  const channels: AxisLabels = { kind: 'channel', texts: [], selects: 'channel' };
  return {
    pass,
    tokens,
    channels,
    time: texts.length,
    headWidth: pass.Q[0]!.length,
    matrix(name) {
      const rows = named[name]!;
      const square = rows[0]!.length === texts.length && /^(S|A|dS|dA|push|AV|gain|AxdA)$/.test(name);
      const side = (selects: 'i' | 'j', role: 'query' | 'key'): AxisLabels =>
        ({ ...tokens, selects, role });
      const looked: AxisLabels = { kind: 'token', texts, selects: 'j', role: 'key' };
      const rowLabels: AxisLabels = name.startsWith('dW') ? channels
        : /^(K|V|dK|dV)$/.test(name) ? looked : side('i', 'query');
      return {
        address: name === 'X' ? 'L0.X' : `${scope}.${name}`,
        rows: rows.length,
        columns: rows[0]!.length,
        values: rows.flat(),
        rowLabels,
        columnLabels: square ? looked : channels,
        mask: square ? 'causal' : undefined,
      };
    },
    read(address) {
      const [, name, place] = /^L0\.(?:H0\.)?([A-Za-z_|]+)\.([\d.]+)$/.exec(address) ?? [];
      const [row = 0, column = 0] = (place ?? '').split('.').map(Number);
      if (name === '|Q|' || name === '|K|' || name === '|V|') {
        return length(named[name[1]!]![row]!);
      }
      if (name === 'cos') {
        return dot(pass.Q[row]!, pass.K[column]!) / length(pass.Q[row]!) / length(pass.K[column]!);
      }
      const value = name === undefined ? undefined : named[name]?.[row]?.[column];
      if (value === undefined) throw new RangeError(`no number at ${address}`);
      return value;
    },
  };
}
