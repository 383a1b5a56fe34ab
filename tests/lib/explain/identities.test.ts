// SPDX-License-Identifier: MIT
// The identities that the explanations rest on, in double from the trace's own float32 numbers, on
// every layer and head. Row i looks, column j is looked at, G = dC, scale = 1 / sqrt(D).

import { describe, expect, test } from 'vitest';
import type { Trace } from 'heed';

import { scatterWeights } from '../oracle/configurations.js';
import {
  Matrix,
  build,
  columnsOf,
  difference,
  dot,
  outer,
  plusRow,
  product,
  rowsOf,
  scaled,
  sum,
  transpose,
} from '../oracle/matrix.js';
import { type OracleModel, keyHead } from '../oracle/model.js';
import { turned } from '../oracle/positions.js';
import { scaleOf, scoreSlope } from '../oracle/scores.js';
import {
  everyModel,
  expectNear,
  headsOf,
  length,
  matrixOf,
  seesIn,
  subject,
  useEngine,
  visiblePart,
} from './traced.js';

const engine = useEngine();

/** One head's numbers under the names of the identities. */
function headOf(trace: Trace, model: OracleModel, layer: number, head: number) {
  const { headWidth, position, ropeLayout, ropeBase } = model.config;
  const of = (name: string) => matrixOf(trace, `L${layer}.H${head}.${name}`);
  return {
    of,
    X: matrixOf(trace, `L${layer}.X`),
    A: of('A'),
    V: of('V'),
    C: of('C'),
    G: of('dC'),
    /** dS as the gradient of q.k. */
    flow: () => {
      const [Q, K, dS] = [of('Q'), of('K'), of('dS')];
      return build(dS.rows, dS.columns, (i, j) =>
        dS.at(i, j) * scoreSlope(model.config, Q, K, i, j));
    },
    /** Queries and keys before RoPE, or gradients of these. */
    unturned: (m: Matrix) => (position === 'rope' ? turned(m, ropeLayout, ropeBase, -1) : m),
    bias: (which: 'V', columns: number): Matrix | undefined =>
      trace.names().includes(`L${layer}.b_${which}`)
        ? columnsOf(
            matrixOf(trace, `L${layer}.b_${which}`),
            keyHead(model.config, head) * headWidth,
            columns,
          )
        : undefined,
  };
}

describe.each(everyModel)('identities: %s', (_, options) => {
  test('I1 to I8', async () => {
    using made = await subject(engine(), options, { seed: 31 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    const sees = seesIn(oracle);
    for (const [layer, head] of headsOf(oracle)) {
      const { of, X, A, V, C, G, flow, unturned, bias } = headOf(trace, oracle, layer, head);
      const name = (identity: string) => `${identity} of L${layer}.H${head}`;
      const time = X.rows;

      const dA = build(time, time, (i, j) => dot(G.row(i), V.row(j)));
      expectNear(visiblePart(of('dA'), sees), visiblePart(dA, sees), name('I1'));

      // Heads that share a key and value head add up in its gradients.
      const readers = readersOf(oracle, head).map((h) => headOf(trace, oracle, layer, h));
      const overReaders = (part: (reader: (typeof readers)[number]) => Matrix) =>
        readers.map(part).reduce(sum);
      expectNear(
        of('dV'),
        overReaders((r) => product(transpose(r.A), r.G)),
        name('I5'),
      );

      const mixed = product(A, X);
      if (oracle.config.value === 'identity') {
        const first = keyHead(oracle.config, head) * V.columns;
        expectNear(C, columnsOf(mixed, first, V.columns), name('I8'));
      } else {
        const linear = overReaders((r) => product(transpose(product(r.A, X)), r.G));
        expectNear(of('dW_V'), linear, name('I7'), 1e-5);
        const parts = overReaders((r) => {
          const rows = product(r.A, X);
          return sumOf(time, (i) => outer(rows.row(i), r.G.row(i)));
        });
        expectNear(of('dW_V'), parts, name('I7, a sum of outer products'), 1e-5);
        expectNear(C, plusRow(product(mixed, of('W_V')), bias('V', V.columns)), name('I8'));
      }
      if (oracle.config.uniformAttention) {
        continue;
      }

      const [Q, K, dS] = [of('Q'), of('K'), of('dS')];
      const better = build(time, time, (i, j) => {
        const gain = dot(G.row(i), V.row(j)) - dot(G.row(i), C.row(i));
        return A.at(i, j) * gain;
      });
      expectNear(dS, better, name('I2'));

      for (let i = 0; i < time; ++i) {
        const row = dS.row(i);
        const total = row.reduce((a, b) => a + b, 0);
        expect(Math.abs(total), name('I3')).toBeLessThanOrEqual(1e-5 * length(dS.values) + 1e-9);
        row.forEach((value, j) => {
          expect(sees(i, j) || value === 0, name(`I3 at ${i}, ${j}`)).toBe(true);
        });
      }

      const pushes = flow();
      expectNear(of('dQ'), product(pushes, K), name('I4, dQ'));
      const keys = overReaders((r) => product(transpose(r.flow()), r.of('Q')));
      expectNear(of('dK'), keys, name('I4, dK'));

      // With a norm of queries and keys, gradients of the projections go on through it: their sums of
      // outer products are those of the contributions' tests.
      if (oracle.config.qkNorm) {
        continue;
      }
      const { k } = positionFree(oracle, Q, K);
      const dWQ = sumOf(time, (i) =>
        sumOf(time, (j) => scaled(outer(X.row(i), k(i, j)), pushes.at(i, j))),
      );
      expectNear(of('dW_Q'), dWQ, name('I6, W_Q'), 1e-5);
      const dWK = overReaders((r) => {
        const { q } = positionFree(oracle, r.of('Q'), K);
        const ofReader = r.flow();
        return sumOf(time, (j) =>
          sumOf(time, (i) => scaled(outer(X.row(j), q(i, j)), ofReader.at(i, j))),
        );
      });
      expectNear(of('dW_K'), dWK, name('I6, W_K'), 1e-5);
      expectNear(of('dW_Q'), product(transpose(X), unturned(of('dQ'))), name('W_Q by rows'), 1e-5);
      expectNear(of('dW_K'), product(transpose(X), unturned(of('dK'))), name('W_K by rows'), 1e-5);
    }
  });

  test('I9: a step of the weights, taken apart', async () => {
    using made = await subject(engine(), options, { seed: 32 });
    const { model, oracle, example } = made;
    using before = await model.trace(example.tokens, example.targets);
    await scatterWeights(model, 33);
    using after = await model.trace(example.tokens, example.targets);
    for (const [layer, head] of headsOf(oracle)) {
      const then = headOf(before, oracle, layer, head);
      const now = headOf(after, oracle, layer, head);
      const change = (name: string) => difference(now.of(name), then.of(name));
      const [dA, dV] = [change('A'), change('V')];
      const parts = [product(dA, then.V), product(then.A, dV), product(dA, dV)];
      expectNear(change('C'), parts.reduce(sum), `I9, C of L${layer}.H${head}`);
      // A soft cap bends the scores: the product rule then holds before it only.
      if (oracle.config.uniformAttention || oracle.config.softcap) {
        continue;
      }
      const sees = seesIn(oracle);
      const [dQ, dK] = [change('Q'), change('K')];
      const moved = [
        product(dQ, transpose(then.of('K'))),
        product(then.of('Q'), transpose(dK)),
        product(dQ, transpose(dK)),
      ].reduce(sum);
      const scores = visiblePart(now.of('S'), sees);
      const dS = difference(scores, visiblePart(then.of('S'), sees));
      const what = `I9, S of L${layer}.H${head}`;
      expectNear(scaled(dS, 1 / scaleOf(oracle.config)), visiblePart(moved, sees), what);
    }
  });
});

test('heads, biases and the residual stream add up', async () => {
  for (const [name, options] of everyModel) {
    using made = await subject(engine(), options, { seed: 34 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    const names = trace.names();
    for (let layer = 0; layer < oracle.config.layers; ++layer) {
      const of = (address: string) => matrixOf(trace, `L${layer}.${address}`);
      const heads = Array.from({ length: oracle.config.heads }, (_, head) => of(`H${head}.O`));
      const bias = trace.names().includes(`L${layer}.b_O`) ? of('b_O') : undefined;
      expectNear(of('Y'), plusRow(heads.reduce(sum), bias), `${name}: Y`, 1e-5);
      if (oracle.config.normPosition === 'pre') {
        expectNear(of('M'), sum(of('R'), of('Y')), `${name}: M`, 1e-5);
      }
      // A head's part of a projection is a part of the whole, in its gradient, too.
      const { headWidth, heads: count } = oracle.config;
      for (const which of ['W_Q', 'W_K', 'W_V'].filter((w) => names.includes(`L${layer}.${w}`))) {
        for (let head = 0; head < count; ++head) {
          const first = (which === 'W_Q' ? head : keyHead(oracle.config, head)) * headWidth;
          for (const part of [which, `d${which}`]) {
            const columns = columnsOf(of(part), first, headWidth);
            expectNear(of(`H${head}.${part}`), columns, `${name}: ${part} of ${head}`, 0, 0);
          }
        }
      }
      // All heads as one: side by side, or one below the other.
      for (const which of ['Q', 'K', 'V', 'C', 'S', 'A', 'O'].filter((w) =>
        names.includes(`L${layer}.${w}`),
      )) {
        for (const part of [which, `d${which}`]) {
          for (let head = 0; head < count; ++head) {
            const own = of(`H${head}.${part}`);
            const place = /[KV]/.test(which) ? keyHead(oracle.config, head) : head;
            const inside = /[SAO]/.test(which)
              ? rowsOf(of(part), place * own.rows, own.rows)
              : columnsOf(of(part), place * own.columns, own.columns);
            expectNear(own, inside, `${name}: ${part} of ${head}`, 0, 0);
          }
        }
      }
    }
  }
});

/** Query heads that read the same key and value head as this one. */
const readersOf = ({ config }: OracleModel, head: number): number[] =>
  Array.from({ length: config.heads }, (_, other) => other).filter(
    (other) => keyHead(config, other) === keyHead(config, head),
  );

const sumOf = (count: number, part: (index: number) => Matrix): Matrix =>
  Array.from({ length: count }, (_, index) => part(index)).reduce(sum);

/**
 * What a pair (i, j) hands to the projections: k_j turned back by i rows for W_Q, q_i turned back
 * by j rows for W_K. Without RoPE they are k_j and q_i.
 */
function positionFree({ config }: OracleModel, Q: Matrix, K: Matrix) {
  const back = (m: Matrix, from: number, by: number): Float64Array => {
    if (config.position !== 'rope') {
      return m.row(from);
    }
    // Row `by` of a matrix whose rows are all alike is turned by just that many.
    const rows = build(by + 1, m.columns, (_, c) => m.at(from, c));
    return turned(rows, config.ropeLayout, config.ropeBase, -1).row(by);
  };
  return {
    q: (i: number, j: number) => back(Q, i, j),
    k: (i: number, j: number) => back(K, j, i),
  };
}
