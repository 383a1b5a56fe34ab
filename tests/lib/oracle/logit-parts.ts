// SPDX-License-Identifier: MIT
// Where a difference of two logits comes from in a pre-norm model, the final norm's scale held.

import { normEpsilon } from './forward.js';
import { Matrix, build, dot, product, scaled, sum } from './matrix.js';
import type { Pass } from './pass.js';

export interface OracleLogitParts {
  difference: number;
  /** By head and column, H x T. */
  edges: Matrix;
  embedding: number;
  /** By layer; 0 for the layer whose edges are shown. */
  attention: number[];
  feedForward: number[];
  bias: number;
}

export function logitParts(
  pass: Pass,
  layer: number,
  row: number,
  target: number,
  rival: number,
): OracleLogitParts {
  const { config } = pass.model;
  const layers = Array.from({ length: config.layers }, (_, l) => l);
  const outputs = [
    ...layers.map((l) => `L${l}.Y`),
    ...(config.ffn > 0 ? layers.map((l) => `L${l}.Z`) : []),
  ];
  const start = pass.values.has('P') ? sum(pass.value('E'), pass.value('P')) : pass.value('E');
  const stream = outputs.map((name) => pass.value(name)).reduce(sum, start);
  const read = readerOf(pass, stream.row(row), target, rival);

  const heads = Array.from({ length: config.heads }, (_, head) => {
    const of = (name: string) => pass.value(`L${layer}.H${head}.${name}`);
    const moved =
      config.outProjection === false
        ? build(of('V').rows, config.width, (j, c) => {
            const channel = c - head * config.headWidth;
            return channel >= 0 && channel < config.headWidth ? of('V').at(j, channel) : 0;
          })
        : product(of('V'), of('W_O'));
    return Array.from({ length: moved.rows }, (_, j) => {
      const weight = of('A').at(row, j);
      return read(scaled(moved, weight).row(j));
    });
  });
  const logits = pass.value('logits');
  const bias = pass.tensor(`layers.${layer}.attention.output.bias`);
  const normBias = config.norm === 'layer' ? pass.tensor('norm.bias') : undefined;
  return {
    difference: logits.at(row, target) - logits.at(row, rival),
    edges: new Matrix(config.heads, logits.rows, heads.flat()),
    embedding: read(start.row(row)),
    attention: layers.map((l) => (l === layer ? 0 : read(pass.value(`L${l}.Y`).row(row)))),
    feedForward: layers.map((l) => (config.ffn > 0 ? read(pass.value(`L${l}.Z`).row(row)) : 0)),
    bias:
      (bias ? read(bias.values) : 0) +
      (normBias ? dot(normBias.values, apart(pass, target, rival)) : 0),
  };
}

/** Row `target` of the head minus row `rival`. */
function apart(pass: Pass, target: number, rival: number): Float64Array {
  const head = pass.weight(pass.model.config.tied ? 'embed.weight' : 'head.weight');
  return head.row(target).map((value, c) => value - head.row(rival)[c]!);
}

/** What a part of the stream at this row adds to the difference. */
function readerOf(
  pass: Pass,
  stream: Float64Array,
  target: number,
  rival: number,
): (part: Float64Array) => number {
  const { norm, width } = pass.model.config;
  const direction = apart(pass, target, rival);
  if (norm === 'none') {
    return (part) => dot(part, direction);
  }
  const weight = pass.weight('norm.weight').values;
  const meanOf = (x: Float64Array) => (norm === 'layer' ? x.reduce((a, b) => a + b, 0) / width : 0);
  const centred = (x: Float64Array) => x.map((value) => value - meanOf(x));
  const whole = centred(stream);
  const factor = 1 / Math.sqrt(dot(whole, whole) / width + normEpsilon);
  return (part) =>
    centred(part).reduce(
      (total, value, c) => total + value * factor * weight[c]! * direction[c]!,
      0,
    );
}
