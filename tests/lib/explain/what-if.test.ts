// SPDX-License-Identifier: MIT
// Passes in which one number is not what the model would compute, against the oracle's.

import { describe, expect, test } from 'vitest';
import type { ModelOptions, WhatIf } from 'heed';

import { gradientAddress, tracedValues, valueAddress } from '../oracle/addresses.js';
import { forward } from '../oracle/forward.js';
import { centralDifference } from '../oracle/gradient.js';
import { Random } from '../oracle/random.js';
import { expectNear, largest, matrixOf, subject, useEngine } from './traced.js';

const engine = useEngine();

const small: ModelOptions = { vocab: 11, context: 9, layers: 2, heads: 2, width: 12, ffn: 20 };
const models: [string, ModelOptions][] = [
  ['pre-norm with biases', { ...small, bias: true }],
  ['RoPE, RMS norm, gated', { ...small, position: 'rope', norm: 'rms', activation: 'swiglu' }],
  ['post-norm', { ...small, normPosition: 'post', position: 'sinusoidal' }],
  ['values that are the input', { ...small, value: 'identity', outProjection: false }],
];

const at = { layer: 0, head: 1 } as const;
const kinds: [string, readonly WhatIf[]][] = [
  ['a channel of a query', [{ set: 'q', ...at, row: 5, channel: 2, to: 1.5 }]],
  ['a channel of a key', [{ set: 'k', ...at, row: 2, channel: 3, to: -1.25 }]],
  ['a channel of a value', [{ set: 'v', ...at, row: 1, channel: 0, to: 2 }]],
  ['a score', [{ set: 'score', ...at, row: 4, column: 2, to: 1.75 }]],
  ['a score that is masked', [{ set: 'score', ...at, row: 2, column: 4, to: 9 }]],
  ['more of a score', [{ add: 'score', ...at, row: 6, column: 0, by: 4 }]],
  ['no scores', [{ set: 'scale', ...at, to: 0 }]],
  ['larger scores', [{ set: 'scale', layer: 1, head: 0, to: 8 }]],
  ['no mask', [{ set: 'mask', ...at, to: 'none' }]],
  ['the mask there is', [{ set: 'mask', ...at, to: 'causal' }]],
  ['an edge cut', [{ cut: 'edge', ...at, row: 6, column: 3, renormalise: false }]],
  ['an edge cut and shared out', [{ cut: 'edge', ...at, row: 5, column: 5, renormalise: true }]],
  ['an edge that is masked', [{ cut: 'edge', ...at, row: 1, column: 5, renormalise: true }]],
  ['a head without output', [{ cut: 'head', ...at, to: 'zero' }]],
  ['a head with its mean', [{ cut: 'head', layer: 1, head: 1, to: 'mean' }]],
  ['a weight', [{ set: 'weight', tensor: 'layers.1.ffn.in.weight', row: 3, column: 17, to: -2 }]],
  [
    'a weight of the embedding',
    [{ set: 'weight', tensor: 'embed.weight', row: 4, column: 1, to: 1 }],
  ],
  [
    'a weight of the queries',
    [{ set: 'weight', tensor: 'layers.0.attention.query.weight', row: 0, column: 11, to: 1.5 }],
  ],
  [
    'all at once, in different places',
    [
      { set: 'q', layer: 0, head: 0, row: 3, channel: 1, to: 2 },
      { set: 'v', layer: 0, head: 0, row: 2, channel: 5, to: -1 },
      { add: 'score', layer: 0, head: 1, row: 5, column: 1, by: -2 },
      { cut: 'edge', layer: 1, head: 0, row: 6, column: 2, renormalise: true },
      { cut: 'edge', layer: 1, head: 0, row: 6, column: 4, renormalise: false },
      { cut: 'head', layer: 1, head: 1, to: 'mean' },
      { set: 'weight', tensor: 'layers.1.attention.output.weight', row: 2, column: 2, to: 1 },
    ],
  ],
];

/** Whether the model has what is to be changed. */
const fits = (tensors: ReadonlyMap<string, unknown>, whatIf: readonly WhatIf[]): boolean =>
  whatIf.every((change) => !('tensor' in change) || tensors.has(change.tensor));

describe.each(models)('what if: %s', (_, options) => {
  test.each(kinds)('%s', async (_, whatIf) => {
    using made = await subject(engine(), options, { seed: 51 });
    const { model, oracle, example } = made;
    if (!fits(oracle.tensors, whatIf)) {
      const call = model.trace(example.tokens, example.targets, { whatIf });
      await expect(call).rejects.toMatchObject({ code: 'invalid-argument' });
      return;
    }
    const hash = await model.weightsHash();
    using trace = await model.trace(example.tokens, example.targets, { whatIf });
    expect(await model.weightsHash()).toBe(hash);
    const { pass, loss } = forward(oracle, example, { whatIf });
    expect(Math.abs(trace.loss - loss)).toBeLessThan(1e-5);

    for (const name of tracedValues(oracle)) {
      const [found, expected] = [matrixOf(trace, name), pass.value(valueAddress(name))];
      expectNear(found, expected, name, 1e-4, 1e-6);
    }

    // What the changed number was computed from no longer hears through it.
    const random = new Random(52);
    const upstream = ['E', 'L0.R', 'L0.X', 'L0.M', 'L1.R', 'L1.X', 'L1.Y', 'L1.M', 'N'];
    for (const name of [...upstream, ...oracle.tensors.keys()]) {
      const { values } = trace.matrix(gradientAddress(name));
      for (const index of random.choose([...values.keys()], 3)) {
        const expected = centralDifference(oracle, example, name, index, whatIf);
        const limit = 1e-3 * largest(values) + 1e-6;
        const error = Math.abs(values[index]! - expected);
        expect(error, `${gradientAddress(name)}[${index}]`).toBeLessThan(limit);
      }
    }
  });

  test('all heads cut leave the direct path', async () => {
    using made = await subject(engine(), options, { seed: 53 });
    const { model, oracle, example } = made;
    const whatIf = [0, 1].flatMap((layer) =>
      [0, 1].map((head) => ({ cut: 'head', layer, head, to: 'zero' }) as const),
    );
    using trace = await model.trace(example.tokens, example.targets, { whatIf });
    expectNear(
      matrixOf(trace, 'logits'),
      forward(oracle, example, { whatIf }).logits,
      'logits without attention',
    );
    const bias = trace.names().includes('L1.b_O') ? trace.matrix('L1.b_O').values : undefined;
    const { values, columns } = trace.matrix('L1.Y');
    values.forEach((value, i) => expect(value).toBeCloseTo(bias?.[i % columns] ?? 0, 6));
  });

  test('the sweep of a score, and its slope', async () => {
    using made = await subject(engine(), options, { seed: 54 });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets);
    for (const [layer, head] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const dS = matrixOf(trace, `L${layer}.H${head}.dS`);
      // Where the score matters most.
      const cell = dS.values.findIndex((value) => Math.abs(value) === largest(dS.values));
      const place = { layer, head, row: Math.floor(cell / dS.columns), column: cell % dS.columns };
      const by = [-8, -2, -0.1, -0.05, 0, 0.05, 0.1, 2, 8];
      const losses = await model.sweep(example.tokens, example.targets, { ...place, by });
      expect(losses).toBeInstanceOf(Float64Array);
      expect(losses.length).toBe(by.length);
      by.forEach((step, n) => {
        const whatIf = [{ add: 'score', ...place, by: step }] as const;
        const expected = forward(oracle, example, { whatIf }).loss;
        expect(Math.abs(losses[n]! - expected), `by ${step}`).toBeLessThan(1e-5);
      });
      expect(Math.abs(losses[4]! - trace.loss)).toBeLessThan(1e-6);
      // Four points leave 0.05^4 / 30 of the fifth derivative (at steps of 0.2 that was 2e-4), and
      // two roundings of a loss of 3 (1.2e-7) divided by 0.05.
      const slope = (8 * (losses[5]! - losses[3]!) - (losses[6]! - losses[2]!)) / (12 * 0.05);
      const push = dS.values[cell]!;
      expect(Math.abs(slope - push)).toBeLessThan(1e-3 * Math.abs(push) + 5e-6);
    }
  });

  test.each([false, true])(
    'every edge of a layer cut in turn, renormalised: %s',
    async (renormalise) => {
      using made = await subject(engine(), options, { seed: 55 });
      const { model, oracle, example } = made;
      const time = example.tokens.length;
      for (const layer of [0, 1]) {
        const { loss, losses } = await model.cutEdges(example.tokens, example.targets, {
          layer,
          renormalise,
        });
        expect(Math.abs(loss - forward(oracle, example).loss)).toBeLessThan(1e-5);
        expect(losses.length).toBe(2 * time * time);
        // One head and row alone: the same bits, and nothing else.
        const part = await model.cutEdges(example.tokens, example.targets, {
          layer,
          head: 1,
          row: 4,
          renormalise,
        });
        const from = (time + 4) * time;
        const alone = losses.map((value, at) => (at >= from && at < from + time ? value : NaN));
        expect(part.losses).toEqual(alone);
        for (let cell = 0; cell < losses.length; ++cell) {
          const head = Math.floor(cell / (time * time));
          const [row, column] = [Math.floor(cell / time) % time, cell % time];
          const what = `L${layer}.H${head} ${row}, ${column}`;
          if (column > row) {
            expect(losses[cell], what).toBeNaN();
            continue;
          }
          const whatIf = [{ cut: 'edge', layer, head, row, column, renormalise }] as const;
          const expected = forward(oracle, example, { whatIf }).loss;
          expect(Math.abs(losses[cell]! - expected), what).toBeLessThan(1e-5);
          if (cell % 5 === 0) {
            const plain = { gradients: false, whatIf };
            using trace = await model.trace(example.tokens, example.targets, plain);
            expect(Math.abs(losses[cell]! - trace.loss), what).toBeLessThan(1e-6);
          }
        }
      }
    },
  );
});

test('a query of grouped heads belongs to its own head', async () => {
  const options: ModelOptions = { ...small, heads: 4, kvHeads: 2, headWidth: 4, position: 'rope' };
  using made = await subject(engine(), options, { seed: 56 });
  const { model, oracle, example } = made;
  for (let head = 0; head < 4; ++head) {
    const whatIf = [{ set: 'q', layer: 0, head, row: 4, channel: 1, to: 2 }] as const;
    using trace = await model.trace(example.tokens, example.targets, { whatIf });
    const { pass } = forward(oracle, example, { whatIf });
    for (let other = 0; other < 4; ++other) {
      const name = `L0.H${other}.A`;
      expectNear(matrixOf(trace, name), pass.value(name), name);
    }
    expectNear(matrixOf(trace, 'logits'), pass.value('logits'), 'logits');
  }
});
