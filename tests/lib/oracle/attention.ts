// SPDX-License-Identifier: MIT
// One head of one layer, with what is set, added, scaled or cut in it.

import type { WhatIf } from '../../../web/lib/dist/api-explain.js';
import {
  Matrix,
  below,
  beside,
  build,
  columnsOf,
  plusRow,
  product,
  rowsOf,
  scaled,
  sum,
  transpose,
} from './matrix.js';
import { keyHead, leaderOf } from './model.js';
import type { Pass } from './pass.js';
import { turned } from './positions.js';
import { rmsNormed, scaleOf, scoresOf, sees } from './scores.js';
import { softmax } from './softmax.js';

/** (T, C): attention's output of a layer for the input X of its projections. */
export function attend(pass: Pass, layer: number, x: Matrix): Matrix {
  const { config } = pass.model;
  let y = new Matrix(x.rows, config.width);
  for (let head = 0; head < config.heads; ++head) {
    y = sum(y, attendHead(pass, layer, head, x));
  }
  keepWhole(pass, layer);
  y = plusRow(y, pass.tensor(`layers.${layer}.attention.output.bias`));
  return pass.tap(`L${layer}.Y`, y);
}

/** The heads' matrices as one: side by side, or for S, A and O one below the other. */
function keepWhole(pass: Pass, layer: number): void {
  if (pass.nudged) {
    return;
  }
  const { config } = pass.model;
  const group = config.heads / config.kvHeads;
  for (const [name, every] of [
    ['Q', 1],
    ['K', group],
    ['V', group],
    ['C', 1],
    ['S', 1],
    ['A', 1],
    ['O', 1],
  ] as const) {
    const parts = Array.from({ length: config.heads / every }, (_, n) =>
      pass.values.get(`L${layer}.H${n * every}.${name}`),
    ).filter((part) => part !== undefined);
    if (parts.length > 0) {
      const whole = /[SAO]/.test(name) ? below(parts) : beside(parts);
      pass.values.set(`L${layer}.${name}`, whole);
    }
  }
}

/** Whether row i sees column j. */
export function visibility(
  pass: Pass,
  layer: number,
  head: number,
): (row: number, column: number) => boolean {
  const { config } = pass.model;
  let mask = config.mask ?? 'causal';
  for (const change of changesOf(pass, layer, head)) {
    if ('set' in change && change.set === 'mask') {
      mask = change.to;
    }
  }
  return (row, column) => sees({ ...config, mask }, row, column);
}

function attendHead(pass: Pass, layer: number, head: number, x: Matrix): Matrix {
  const { config } = pass.model;
  const tap = (name: string, matrix: Matrix) => pass.tap(`L${layer}.H${head}.${name}`, matrix);
  const visible = visibility(pass, layer, head);

  const v = shared(pass, layer, head, 'V', () => valuesOf(pass, layer, head, x));
  let a: Matrix;
  if (config.uniformAttention) {
    a = rowwise(new Matrix(x.rows, x.rows), visible);
  } else {
    const set = changesOf(pass, layer, head);
    const q = tap('Q', withVectorsSet(set, 'q', project(pass, layer, head, 'Q', x)));
    const k = shared(pass, layer, head, 'K', () => project(pass, layer, head, 'K', x));
    const raw = scaled(product(q, transpose(k)), scaleOf(config) * scaleSet(set));
    const scores = withScoresSet(set, scoresOf(config, head, raw));
    a = rowwise(tap('S', scores), visible);
  }
  a = tap('A', withEdgesCut(pass, layer, head, a));
  const seen = build(a.rows, a.columns, (i, j) => (visible(i, j) ? a.at(i, j) : 0));
  const c = tap('C', withHeadCut(pass, layer, head, product(seen, v)));
  if (config.outProjection === false) {
    const first = head * config.headWidth;
    const inside = (column: number) => column >= first && column < first + config.headWidth;
    return tap(
      'O',
      build(c.rows, config.width, (i, j) => (inside(j) ? c.at(i, j - first) : 0)),
    );
  }
  const whole = pass.weight(`layers.${layer}.attention.output.weight`);
  const wO = tap('W_O', rowsOf(whole, head * config.headWidth, config.headWidth));
  return tap('O', product(c, wO));
}

/** Keys or values: query heads that share them share what is set and nudged in them, too. */
function shared(
  pass: Pass,
  layer: number,
  head: number,
  which: 'K' | 'V',
  make: () => Matrix,
): Matrix {
  const { config } = pass.model;
  const leader = leaderOf(config, head);
  const at = (name: string) => `L${layer}.H${head}.${name}`;
  if (head !== leader) {
    for (const name of [which, `W_${which}`, `b_${which}`]) {
      const known = pass.values.get(`L${layer}.H${leader}.${name}`);
      if (known !== undefined) {
        pass.values.set(at(name), known);
      }
    }
    return pass.value(at(which));
  }
  const readers = Array.from({ length: config.heads / config.kvHeads }, (_, n) => leader + n);
  const set = readers.flatMap((reader) => changesOf(pass, layer, reader));
  return pass.tap(at(which), withVectorsSet(set, which === 'K' ? 'k' : 'v', make()));
}

const words = { Q: 'query', K: 'key', V: 'value' } as const;

/** (T, D): x times the head's columns of a projection, turned where positions are rotary. */
function project(pass: Pass, layer: number, head: number, of: 'Q' | 'K' | 'V', x: Matrix): Matrix {
  const { config } = pass.model;
  const name = `layers.${layer}.attention.${words[of]}`;
  const first = (of === 'Q' ? head : keyHead(config, head)) * config.headWidth;
  const part = columnsOf(pass.weight(`${name}.weight`), first, config.headWidth);
  const w = pass.tap(`L${layer}.H${head}.W_${of}`, part);
  const bias = pass.tensor(`${name}.bias`);
  const b = bias && columnsOf(bias, first, config.headWidth);
  if (b !== undefined) {
    pass.values.set(`L${layer}.H${head}.b_${of}`, b);
  }
  const raw = plusRow(product(x, w), b);
  const y =
    config.qkNorm && of !== 'V'
      ? rmsNormed(raw, pass.weight(`layers.${layer}.attention.${words[of]}Norm.weight`))
      : raw;
  return config.position === 'rope' && of !== 'V'
    ? turned(y, config.ropeLayout, config.ropeBase, 1)
    : y;
}

function valuesOf(pass: Pass, layer: number, head: number, x: Matrix): Matrix {
  const { config } = pass.model;
  return config.value === 'identity'
    ? columnsOf(x, keyHead(config, head) * config.headWidth, config.headWidth)
    : project(pass, layer, head, 'V', x);
}

function rowwise(scores: Matrix, visible: (row: number, column: number) => boolean): Matrix {
  const a = new Matrix(scores.rows, scores.columns);
  for (let i = 0; i < a.rows; ++i) {
    a.row(i).set(softmax(scores.row(i), (j) => visible(i, j)));
  }
  return a;
}

type OfHead = Extract<WhatIf, { head: number }>;

const changesOf = (pass: Pass, layer: number, head: number): OfHead[] =>
  pass.whatIf.filter(
    (change): change is OfHead =>
      'head' in change && change.layer === layer && change.head === head,
  );

function withVectorsSet(
  changes: readonly OfHead[],
  which: 'q' | 'k' | 'v',
  vectors: Matrix,
): Matrix {
  const made = vectors.copy();
  for (const change of changes) {
    if ('set' in change && change.set === which) {
      made.put(change.row, change.channel, change.to);
    }
  }
  return made;
}

/** What the changes multiply the scale by. */
const scaleSet = (changes: readonly OfHead[]): number =>
  changes.reduce(
    (factor, change) => ('set' in change && change.set === 'scale' ? factor * change.to : factor),
    1,
  );

function withScoresSet(changes: readonly OfHead[], scores: Matrix): Matrix {
  const made = scores.copy();
  for (const change of changes) {
    if ('add' in change) {
      made.values[change.row * made.columns + change.column]! += change.by;
    } else if ('set' in change && change.set === 'score') {
      made.put(change.row, change.column, change.to);
    }
  }
  return made;
}

function withEdgesCut(pass: Pass, layer: number, head: number, weights: Matrix): Matrix {
  const made = weights.copy();
  for (const change of changesOf(pass, layer, head)) {
    if ('cut' in change && change.cut === 'edge') {
      const row = made.row(change.row);
      row[change.column] = 0;
      if (change.renormalise) {
        const rest = row.reduce((total, weight) => total + weight, 0);
        row.forEach((weight, j) => (row[j] = rest > 0 ? weight / rest : 0));
      }
    }
  }
  return made;
}

function withHeadCut(pass: Pass, layer: number, head: number, output: Matrix): Matrix {
  let made = output;
  for (const change of changesOf(pass, layer, head)) {
    if ('cut' in change && change.cut === 'head') {
      const mean = (j: number) =>
        columnsOf(made, j, 1).values.reduce((a, b) => a + b, 0) / made.rows;
      const means = Array.from({ length: made.columns }, (_, j) => mean(j));
      made = build(made.rows, made.columns, (_, j) => (change.to === 'zero' ? 0 : means[j]!));
    }
  }
  return made;
}
