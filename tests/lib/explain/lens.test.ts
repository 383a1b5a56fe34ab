// SPDX-License-Identifier: MIT
// What the head would say of the residual stream on its way, against the oracle.

import { describe, expect, test } from 'vitest';

import { logitsOf } from '../oracle/forward.js';
import { softmax } from '../oracle/softmax.js';
import { failure } from '../support.js';
import { everyModel, oraclePass, subject, useEngine } from './traced.js';

const engine = useEngine();

const placesOf = (layers: number, ffn: number): string[] => [
  ...Array.from({ length: layers }, (_, layer) =>
    ffn > 0 ? [`L${layer}.R`, `L${layer}.M`] : [`L${layer}.R`],
  ).flat(),
  'last',
];

describe.each(everyModel)('the lens: %s', (_, options) => {
  test('every place and row', async () => {
    using made = await subject(engine(), options, { seed: 61 });
    const { model, oracle, example } = made;
    const { layers, ffn, vocab } = model.config;
    using trace = await model.trace(example.tokens, example.targets, { gradients: false });
    const lens = await trace.lens({ top: vocab });
    const places = placesOf(layers, ffn);
    expect(lens.places).toEqual(places);
    expect(lens.top).toBe(vocab);
    const { time } = trace;
    expect(lens.ids.length).toBe(places.length * time * vocab);
    expect(lens.entropy.length).toBe(places.length * time);

    const pass = oraclePass(oracle, example);
    const names = new Set(trace.names());
    places.forEach((place, p) => {
      expect(names.has(place), place).toBe(true);
      const logits = logitsOf(pass, pass.value(place));
      for (let i = 0; i < time; ++i) {
        const what = `${place}, row ${i}`;
        const row = p * time + i;
        const expected = softmax(logits.row(i));
        const ids = lens.ids.subarray(row * vocab, (row + 1) * vocab);
        expect([...ids].sort((a, b) => a - b)).toEqual([...Array(vocab).keys()]);
        ids.forEach((id, n) => {
          const found = lens.probabilities[row * vocab + n]!;
          expect(Math.abs(found - expected[id]!), what).toBeLessThan(1e-5);
          // Likeliest first, but for ones that rounding may exchange.
          if (n > 0) {
            expect(logits.at(i, ids[n - 1]!) - logits.at(i, id), what).toBeGreaterThan(-1e-4);
          }
        });
        const entropy = -expected.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
        expect(Math.abs(lens.entropy[row]! - entropy), what).toBeLessThan(1e-4);
        const target = example.targets[i]!;
        if (target === -1) {
          expect(lens.target[row], what).toBeNaN();
          expect(lens.rank[row], what).toBe(0);
        } else {
          expect(Math.abs(lens.target[row]! - expected[target]!), what).toBeLessThan(1e-5);
          expect(ids[lens.rank[row]! - 1], what).toBe(target);
        }
      }
    });
  });

  test('the last place is the trace itself in every bit, and fewer are the first of all', async () => {
    using made = await subject(engine(), options, { seed: 62 });
    const { model, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    const lens = await trace.lens();
    expect(lens.top).toBe(5);
    const { values, columns } = trace.matrix('probs');
    const first = (lens.places.length - 1) * trace.time;
    for (let i = 0; i < trace.time; ++i) {
      const row = Array.from(values.subarray(i * columns, (i + 1) * columns));
      const expected = [...row.keys()].sort((a, b) => row[b]! - row[a]! || a - b).slice(0, 5);
      const at = (first + i) * 5;
      expect([...lens.ids.subarray(at, at + 5)]).toEqual(expected);
      expect([...lens.probabilities.subarray(at, at + 5)]).toEqual(expected.map((id) => row[id]));
      const target = example.targets[i]!;
      if (target !== -1) {
        expect(lens.target[first + i]).toBe(row[target]);
      }
    }
    // The trace is as before.
    const again = await trace.lens();
    expect(again).toEqual(lens);
    using other = await model.trace(example.tokens, example.targets);
    expect(other.matrix('probs').values).toEqual(values);
  });
});

test('what is no number of tokens is refused; a small vocabulary has fewer than five', async () => {
  using model = await engine().createModel({ vocab: 3, context: 4, layers: 1, heads: 1, width: 4 });
  using trace = await model.trace([0, 1], [1, 2]);
  expect((await trace.lens()).top).toBe(3);
  for (const top of [0, -1, 4, 1.5, Number.NaN, '2']) {
    await failure(() => trace.lens({ top: top as never }), 'invalid-argument', 'top');
  }
  for (const wrong of [null, 5, { places: 1 }]) {
    await failure(() => trace.lens(wrong as never), 'invalid-argument');
  }
});
