// SPDX-License-Identifier: MIT
// Numbers by address: every cell of every matrix, and what is derived from them.

import { describe, expect, test } from 'vitest';

import { centralDifference } from '../oracle/gradient.js';
import { dot, length, product } from '../oracle/matrix.js';
import {
  everyModel,
  headsOf,
  matrixOf,
  oraclePass,
  seesIn,
  subject,
  useEngine,
} from './traced.js';

const engine = useEngine();

describe.each(everyModel)('read: %s', (_, options) => {
  test('every cell of every matrix', async () => {
    using made = await subject(engine(), options, { seed: 61 });
    const { model, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    for (const name of trace.names()) {
      const { address, rows, columns, values } = trace.matrix(name);
      expect(address).toBe(name);
      expect(values.length, name).toBe(rows * columns);
      const wrong = [...values.keys()].filter((index) => {
        const cell = `${name}.${Math.floor(index / columns)}.${index % columns}`;
        return !Object.is(trace.read(cell), values[index]);
      });
      expect(wrong, name).toEqual([]);
    }
  });

  test('what is derived per head, against the oracle', async () => {
    using made = await subject(engine(), options, { seed: 62, time: 5 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    const pass = oraclePass(oracle, example);
    for (const [layer, head] of headsOf(oracle)) {
      const prefix = `L${layer}.H${head}`;
      const of = (name: string) => pass.value(`${prefix}.${name}`);
      /** Limits are shares of the largest such number of the head, not of each. */
      const near = (name: string, expected: number, scale: number) => {
        const found = trace.read(`${prefix}.${name}`);
        const what = `${prefix}.${name}: ${found} for ${expected}`;
        expect(Math.abs(found - expected), what).toBeLessThan(
          1e-4 * (Math.abs(expected) + scale) + 1e-6,
        );
      };
      const [A, V, C] = [of('A'), of('V'), of('C')];
      const X = pass.value(`L${layer}.X`);
      const mixed = product(A, X);
      // The gradient of each mixture by central differences.
      const G = C.values.map((_, index) =>
        centralDifference(oracle, example, `${prefix}.C`, index),
      );
      const g = (row: number) => G.subarray(row * C.columns, (row + 1) * C.columns);
      const gSize = length(G) * length(V.values);

      for (let i = 0; i < 5; ++i) {
        const entropy = A.row(i).reduce((h, a) => h - (a > 0 ? a * Math.log(a) : 0), 0);
        near(`entropy.${i}`, entropy, 0);
        near(`mean.${i}`, -dot(g(i), C.row(i)), gSize);
        near(`|V|.${i}`, length(V.row(i)), 0);
        mixed.row(i).forEach((value, c) => near(`AX.${i}.${c}`, value, length(mixed.row(i))));
        for (let j = 0; j < 5; ++j) {
          near(`AV.${i}.${j}`, A.at(i, j) * length(V.row(j)), 0);
          if (seesIn(oracle)(i, j)) {
            near(`gain.${i}.${j}`, -dot(g(i), V.row(j)), gSize);
          }
        }
      }
      if (oracle.config.uniformAttention) {
        continue;
      }
      const [Q, K] = [of('Q'), of('K')];
      const dS = matrixOf(trace, `${prefix}.dS`);
      for (let i = 0; i < 5; ++i) {
        near(`|Q|.${i}`, length(Q.row(i)), 0);
        near(`|K|.${i}`, length(K.row(i)), 0);
        for (let j = 0; j < 5; ++j) {
          // Minus 0 is 0 to a reader.
          expect(trace.read(`${prefix}.push.${i}.${j}`) + dS.at(i, j)).toBe(0);
          near(`cos.${i}.${j}`, dot(Q.row(i), K.row(j)) / length(Q.row(i)) / length(K.row(j)), 1);
          if (seesIn(oracle)(i, j)) {
            const gain = dot(g(i), V.row(j)) - dot(g(i), C.row(i));
            near(`push.${i}.${j}`, -A.at(i, j) * gain, gSize);
          }
        }
      }
    }
  });
});

test('the documented example, L0.H1.dS.5.2', async () => {
  using made = await subject(engine(), everyModel[0]![1], { seed: 63 });
  const { model, oracle, example } = made;
  using trace = await model.trace(example.tokens, example.targets);
  const expected = centralDifference(oracle, example, 'L0.H1.S', 5 * 7 + 2);
  expect(Math.abs(expected)).toBeGreaterThan(1e-4);
  expect(Math.abs(trace.read('L0.H1.dS.5.2') - expected)).toBeLessThan(1e-3 * Math.abs(expected));
});
