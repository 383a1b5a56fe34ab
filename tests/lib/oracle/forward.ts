// SPDX-License-Identifier: MIT
// The whole forward pass of one sequence in double, every intermediate by its address.

import { activations, isGated } from './activation.js';
import { attend } from './attention.js';
import { Matrix, build, plusRow, product, rowsOf, sum, transpose } from './matrix.js';
import type { OracleModel } from './model.js';
import { type Example, Pass, type PassOptions } from './pass.js';
import { sinusoidal } from './positions.js';
import { softmax } from './softmax.js';

/** What the engine adds to a variance. */
export const normEpsilon = 1e-5;

export interface Result {
  pass: Pass;
  /** (T, V) */
  logits: Matrix;
  /** Mean over the counted targets, nats; 0 when none counts. */
  loss: number;
}

export function forward(model: OracleModel, example: Example, options: PassOptions = {}): Result {
  const pass = new Pass(model, options);
  const { config } = model;
  let stream = embed(pass, example.tokens);
  for (let layer = 0; layer < config.layers; ++layer) {
    stream = block(pass, layer, stream);
  }
  stream = pass.tap('last', stream);
  const read = pass.tap('N', finalNorm(pass, stream));
  const logits = pass.tap('logits', product(read, transpose(headOf(pass))));
  return { pass, logits, loss: lossOf(pass, logits, example.targets) };
}

/** What the head would make of a place of the stream. */
export const logitsOf = (pass: Pass, stream: Matrix): Matrix =>
  product(finalNorm(pass, stream), transpose(headOf(pass)));

const finalNorm = (pass: Pass, stream: Matrix): Matrix =>
  pass.model.config.normPosition === 'pre' ? normalise(pass, 'norm', stream) : stream;

const headOf = (pass: Pass): Matrix =>
  pass.weight(pass.model.config.tied ? 'embed.weight' : 'head.weight');

function embed(pass: Pass, tokens: ArrayLike<number>): Matrix {
  const { position, width } = pass.model.config;
  const table = pass.weight('embed.weight');
  const time = tokens.length;
  const rows = pass.tap(
    'E',
    build(time, width, (t, c) => table.at(tokens[t]!, c)),
  );
  if (position === 'learned') {
    return sum(rows, pass.tap('P', rowsOf(pass.weight('positions.weight'), 0, time)));
  }
  return position === 'sinusoidal' ? sum(rows, pass.tap('P', sinusoidal(time, width))) : rows;
}

function block(pass: Pass, layer: number, incoming: Matrix): Matrix {
  const { config } = pass.model;
  const at = (name: string) => `L${layer}.${name}`;
  const branch = (
    names: { input: string; sum?: string },
    norm: string,
    stream: Matrix,
    run: (x: Matrix) => Matrix,
  ): Matrix => {
    const before = config.normPosition === 'pre' ? normalise(pass, norm, stream) : stream;
    const joined = sum(stream, run(pass.tap(at(names.input), before)));
    const after = config.normPosition === 'post' ? normalise(pass, norm, joined) : joined;
    return names.sum === undefined ? after : pass.tap(at(names.sum), after);
  };
  const name = `layers.${layer}`;
  const stream = pass.tap(at('R'), incoming);
  const middle = branch({ input: 'X', sum: 'M' }, `${name}.norm1`, stream, (x) =>
    attend(pass, layer, x),
  );
  return config.ffn === 0
    ? middle
    : branch({ input: 'U' }, `${name}.norm2`, middle, (u) => feedForward(pass, layer, u));
}

function feedForward(pass: Pass, layer: number, u: Matrix): Matrix {
  const { activation } = pass.model.config;
  const name = `layers.${layer}.ffn`;
  const linear = (which: string, x: Matrix) =>
    plusRow(
      product(x, pass.weight(`${name}.${which}.weight`)),
      pass.tensor(`${name}.${which}.bias`),
    );
  const act = activations[activation];
  const inner = pass.tap(`L${layer}.ffnIn`, linear('in', u));
  let hidden: Matrix;
  if (isGated(activation)) {
    const gate = pass.tap(`L${layer}.ffnGate`, linear('gate', u));
    hidden = build(inner.rows, inner.columns, (i, j) => act(gate.at(i, j)) * inner.at(i, j));
  } else {
    hidden = build(inner.rows, inner.columns, (i, j) => act(inner.at(i, j)));
  }
  return pass.tap(`L${layer}.Z`, linear('out', pass.tap(`L${layer}.ffnHidden`, hidden)));
}

function normalise(pass: Pass, name: string, x: Matrix): Matrix {
  const { norm, width } = pass.model.config;
  if (norm === 'none') {
    return x;
  }
  const weight = pass.weight(`${name}.weight`);
  const made = new Matrix(x.rows, width);
  for (let i = 0; i < x.rows; ++i) {
    const row = x.row(i);
    const mean = norm === 'layer' ? row.reduce((a, b) => a + b, 0) / width : 0;
    const power = row.reduce((total, value) => total + (value - mean) ** 2, 0) / width;
    const factor = 1 / Math.sqrt(power + normEpsilon);
    row.forEach((value, j) => made.put(i, j, (value - mean) * factor * weight.at(0, j)));
  }
  return plusRow(made, norm === 'layer' ? pass.tensor(`${name}.bias`) : undefined);
}

function lossOf(pass: Pass, logits: Matrix, targets: ArrayLike<number>): number {
  const likely = new Matrix(logits.rows, logits.columns);
  for (let i = 0; i < logits.rows; ++i) {
    likely.row(i).set(softmax(logits.row(i)));
  }
  const probs = pass.tap('probs', likely);
  const counts = (i: number) => targets[i] !== -1;
  const losses = pass.tap(
    'loss',
    build(logits.rows, 1, (i) => (counts(i) ? -Math.log(probs.at(i, targets[i]!)) : 0)),
  );
  const counted = losses.values.filter((_, i) => counts(i));
  return counted.length === 0 ? 0 : counted.reduce((a, b) => a + b, 0) / counted.length;
}
