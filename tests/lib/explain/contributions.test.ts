// SPDX-License-Identifier: MIT
// Gradients as sums of outer products, each built here in full; and logits as sums of parts.

import { describe, expect, test } from 'vitest';
import type { ProjectionName, Trace } from 'heed';

import { logitParts } from '../oracle/logit-parts.js';
import { Matrix, build, dot, outer, plusRow, product, scaled, sum, transpose } from '../oracle/matrix.js';
import type { OracleModel } from '../oracle/model.js';
import { turned } from '../oracle/positions.js';
import { scoreSlope, throughRmsNorm } from '../oracle/scores.js';
import {
  everyModel,
  expectNear,
  headsOf,
  length,
  matrixOf,
  oraclePass,
  subject,
  useEngine,
} from './traced.js';

const engine = useEngine();

/** What row i and column j, and what each token, add to a head's gradient. */
function partsOf(
  trace: Trace,
  model: OracleModel,
  of: ProjectionName,
  layer: number,
  head: number,
) {
  const { position, ropeLayout, ropeBase } = model.config;
  const matrix = (name: string) => matrixOf(trace, `L${layer}.H${head}.${name}`);
  const X = matrixOf(trace, `L${layer}.X`);
  /** The gradient of q.k. */
  const push = (i: number, j: number): number =>
    matrix('dS').at(i, j) * scoreSlope(model.config, matrix('Q'), matrix('K'), i, j);
  const pushes = (): Matrix => build(X.rows, X.rows, push);
  /** A vector as a gradient before RoPE of row `at`. */
  const unturned = (vector: Float64Array, at: number): Float64Array => {
    if (position !== 'rope' || of === 'W_V') {
      return vector;
    }
    const rows = new Matrix(at + 1, vector.length);
    rows.row(at).set(vector);
    return turned(rows, ropeLayout, ropeBase, -1).row(at);
  };
  /** The same as a gradient before the norm of queries and keys, too. */
  const back = (vector: Float64Array, at: number): Float64Array => {
    const gradient = unturned(vector, at);
    if (!model.config.qkNorm || of === 'W_V') {
      return gradient;
    }
    const which = of === 'W_Q' ? 'query' : 'key';
    const weight = model.tensors.get(`layers.${layer}.attention.${which}Norm.weight`)!;
    const bias = trace.names().includes(`L${layer}.b_${of.at(-1)}`)
      ? matrix(`b_${of.at(-1)}`)
      : undefined;
    const raw = plusRow(product(X, matrix(of)), bias).row(at);
    return throughRmsNorm(raw, weight, gradient);
  };
  const pair = (i: number, j: number): Matrix => {
    switch (of) {
      case 'W_Q':
        return scaled(outer(X.row(i), back(matrix('K').row(j), i)), push(i, j));
      case 'W_K':
        return scaled(outer(X.row(j), back(matrix('Q').row(i), j)), push(i, j));
      case 'W_V':
        return scaled(outer(X.row(j), matrix('dC').row(i)), matrix('A').at(i, j));
    }
  };
  /** This head's part of the gradient of queries, keys or values, where these are shared, too. */
  const gradientOfRows = {
    W_Q: () => product(pushes(), matrix('K')),
    W_K: () => product(transpose(pushes()), matrix('Q')),
    W_V: () => product(transpose(matrix('A')), matrix('dC')),
  }[of]();
  const token = (t: number): Matrix => outer(X.row(t), back(gradientOfRows.row(t), t));
  const times = Array.from({ length: X.rows }, (_, t) => t);
  const { heads, kvHeads } = model.config;
  const tokens = times.map(token);
  return {
    whole: heads === kvHeads || of === 'W_Q' ? matrix(`d${of}`) : tokens.reduce(sum),
    tokens,
    pairs: times.flatMap((i) => times.map((j) => pair(i, j))),
  };
}

describe.each(everyModel)('contributions: %s', (_, options) => {
  test('shares are those of outer products and sum to 1', async () => {
    using made = await subject(engine(), options, { seed: 41 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    for (const [layer, head] of headsOf(oracle)) {
      for (const of of ['W_Q', 'W_K', 'W_V'] as const) {
        if (!trace.names().includes(`L${layer}.${of}`)) {
          // There is no such projection in this model, so nothing of it has a gradient.
          await expect(trace.contributions(of, layer, head)).rejects.toThrow(of);
          continue;
        }
        const what = `L${layer}.H${head}.${of}`;
        const found = await trace.contributions(of, layer, head);
        const { whole, tokens, pairs } = partsOf(trace, oracle, of, layer, head);
        const squared = dot(whole.values, whole.values);
        expect(Math.abs(found.squaredNorm - squared)).toBeLessThanOrEqual(1e-4 * squared);
        expect(found.meaningful, what).toBe(true);
        expectNear(tokens.reduce(sum), whole, `tokens of ${what}`, 1e-5);
        expectNear(pairs.reduce(sum), whole, `pairs of ${what}`, 1e-5);

        const time = tokens.length;
        const shares = (parts: Matrix[]) =>
          parts.map((part) => dot(part.values, whole.values) / squared);
        expectNear(
          new Matrix(1, time, found.tokens),
          new Matrix(1, time, shares(tokens)),
          `shares of tokens in ${what}`,
        );
        expectNear(
          new Matrix(time, time, found.pairs),
          new Matrix(time, time, shares(pairs)),
          `shares of pairs in ${what}`,
        );
        for (const all of [found.tokens, found.pairs]) {
          expect(Math.abs(all.reduce((a, b) => a + b, 0) - 1), what).toBeLessThan(1e-5);
        }
        // A token is the sum of its pairs: of its row in W_Q, of its column in the others.
        found.tokens.forEach((share, t) => {
          const own = found.pairs.filter((_, at) =>
            of === 'W_Q' ? Math.floor(at / time) === t : at % time === t,
          );
          const error = Math.abs(own.reduce((a, b) => a + b, 0) - share);
          expect(error, `${what}, token ${t}`).toBeLessThan(1e-5 * (1 + length(found.pairs)));
        });
      }
    }
  });
});

const preNorm = everyModel.filter(
  ([, { normPosition, layers }]) => normPosition !== 'post' && layers !== 0,
);

describe.each(preNorm)('logit parts: %s', (_, options) => {
  test('every part is the oracle’s, and all sum to the difference', async () => {
    using made = await subject(engine(), options, { seed: 42 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    const pass = oraclePass(oracle, example);
    const total = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);
    for (let layer = 0; layer < oracle.config.layers; ++layer) {
      for (const [row, target, rival] of [
        [0, 3, 4],
        [6, 0, 10],
        [4, 7, 2],
      ] as const) {
        const found = await trace.logitParts(layer, row, target, rival);
        const expected = logitParts(pass, layer, row, target, rival);
        const [heads, time] = [oracle.config.heads, example.tokens.length];
        const near = (a: number, b: number, name: string) =>
          expect(Math.abs(a - b), `${name} of layer ${layer}, row ${row}`).toBeLessThan(1e-4);
        near(found.difference, expected.difference, 'difference');
        const edges = new Matrix(heads, time, found.edges);
        expectNear(edges, expected.edges, 'edges', 1e-4, 1e-6);
        near(found.embedding, expected.embedding, 'embedding');
        near(total(found.attention), total(expected.attention), 'attention');
        near(total(found.feedForward), total(expected.feedForward), 'feed-forward');
        near(found.bias, expected.bias, 'bias');
        const parts = [
          total(found.edges),
          found.embedding,
          total(found.attention),
          total(found.feedForward),
          found.bias,
        ];
        near(total(parts), found.difference, 'sum');
      }
    }
  });
});
