// SPDX-License-Identifier: MIT
// Scores of heads, of maps made by hand and of a model that has learned to copy; repeated tokens.

import { describe, expect, test } from 'vitest';
import {
  type AttentionMaps,
  type Engine,
  type Trainer,
  createEngine,
  describeTask,
  headScores,
  repeatedTokens,
  taskPresets,
} from 'heed';

import { failure } from './support.js';

/** Maps of one layer, a head from each row rule. */
function maps(time: number, ...heads: ((i: number, j: number) => number)[]): AttentionMaps {
  const weights = new Float32Array(heads.length * time * time);
  heads.forEach((head, h) => {
    for (let i = 0; i < time; ++i) {
      for (let j = 0; j <= i; ++j) {
        weights[(h * time + i) * time + j] = head(i, j);
      }
    }
  });
  return { layers: 1, heads: heads.length, time, weights };
}

const previous = (i: number, j: number) => Number(j === Math.max(i - 1, 0));
const sink = (_: number, j: number) => Number(j === 0);
const self = (i: number, j: number) => Number(j === i);
const uniform = (i: number) => 1 / (i + 1);
const induction = (i: number, j: number) => Number(j === Math.max(i - 3, 0));

describe('scores of heads', () => {
  test('of maps made by hand', () => {
    const made = headScores(maps(8, previous, sink, self, uniform, induction), { period: 4 });
    const close = (found: Float64Array, expected: number[]) => {
      expect(found).toBeInstanceOf(Float64Array);
      expect(found.length).toBe(5);
      found.forEach((value, n) => expect(value).toBeCloseTo(expected[n]!, 6));
    };
    close(made.entropy, [0, 0, 0, 1, 0]);
    // 0, 1, ..., 7 back to the first; (i / 2) from a uniform row; 0, 1, 2 and then 3.
    close(made.distance, [7 / 8, 28 / 8, 0, 28 / 16, (0 + 1 + 2 + 3 * 5) / 8]);
    const harmonic = [2, 3, 4, 5, 6, 7, 8].reduce((sum, n) => sum + 1 / n, 0) / 7;
    close(made.previous, [1, 1 / 7, 0, harmonic, 1 / 7]);
    close(made.first, [1 / 7, 1, 0, harmonic, 3 / 7]);
    close(made.self, [0, 0, 1, harmonic, 0]);
    const later = [5, 6, 7, 8].reduce((sum, n) => sum + 1 / n, 0) / 4;
    close(made.induction!, [0, 0, 0, later, 1]);
  });

  test('of several layers, in the order of the maps', () => {
    const two = maps(5, previous, sink);
    const more = maps(5, self, uniform);
    const weights = new Float32Array([...two.weights, ...more.weights]);
    const made = headScores({ layers: 2, heads: 2, time: 5, weights });
    expect([...made.self.map(Math.round)]).toEqual([0, 0, 1, 0]);
    expect(made.induction).toBeUndefined();
  });

  test('one token has rows for the distance alone', () => {
    const made = headScores(maps(1, self));
    expect(made.distance[0]).toBe(0);
    for (const name of ['entropy', 'previous', 'first', 'self'] as const) {
      expect(made[name][0]).toBeNaN();
    }
  });

  test('a period there cannot be, and maps that are none', async () => {
    for (const period of [0, 8, -1, 1.5, '2']) {
      const call = () => headScores(maps(8, self), { period: period as never });
      await failure(call, 'invalid-argument', 'period');
    }
    const good = maps(4, self);
    for (const wrong of [null, {}, { ...good, time: 5 }, { ...good, weights: [1] }]) {
      await failure(() => headScores(wrong as never), 'invalid-argument', 'attention');
    }
    await failure(() => headScores(good, { periods: 1 } as never), 'invalid-argument', 'periods');
  });
});

test('a model trained on induction has a head for it', async () => {
  using engine = await createEngine({ where: 'thread' });
  using trainer = await solved(engine);
  const { vocab, context } = trainer.model.config;
  const period = Math.floor(context / 2);
  const tokens = repeatedTokens({ vocab, period, repeats: 2, seed: 1 });
  const { induction, previous } = headScores(await trainer.model.attention(tokens), { period });
  // The second layer's heads, which read what one of the first has moved by a token.
  expect(Math.max(...induction!.subarray(2))).toBeGreaterThan(0.7);
  expect(Math.max(...induction!.subarray(0, 2))).toBeLessThan(0.2);
  expect(Math.max(...previous.subarray(0, 2))).toBeGreaterThan(0.4);
}, 300_000);

/** Some seeds find induction within the preset's steps, at a stroke; others do not. */
async function solved(engine: Engine): Promise<Trainer> {
  const { model, train, data } = taskPresets.induction;
  for (const seed of [1, 2, 3]) {
    const trainer = await engine.createTrainer({
      model: { ...model, vocab: describeTask(data).vocab },
      train: { ...train, seed },
      data,
    });
    for await (const { step } of trainer.run({ every: 100 })) {
      const { accuracy } = await trainer.evaluate({ maxWindows: 50 });
      if (accuracy > 0.95 || step === train.steps) break;
    }
    if ((await trainer.evaluate({ maxWindows: 50 })).accuracy > 0.95) return trainer;
    trainer.dispose();
  }
  throw new Error('no seed has learned induction');
}

describe('repeated tokens', () => {
  test('are the same everywhere', () => {
    // SplitMix64 of 1, 2, 3, ... golden ratios: 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, ...
    const made = repeatedTokens({ vocab: 16, period: 4, repeats: 2, seed: 0 });
    expect(made).toBeInstanceOf(Int32Array);
    // 16 * 0xe220a839 / 2^32 = 14; 15 * 0x6e789e6a / 2^32 = 6.
    expect([...made.subarray(0, 2)]).toEqual([14, 6]);
    expect(made.subarray(4)).toEqual(made.subarray(0, 4));
    expect(repeatedTokens({ vocab: 16, period: 4, repeats: 2 })).toEqual(made);
    expect(repeatedTokens({ vocab: 16, period: 4, repeats: 2, seed: 1 })).not.toEqual(made);
  });

  test('are distinct as far as the vocabulary reaches, and all alike likely', () => {
    const counts = new Float64Array(10);
    for (let seed = 0; seed < 2000; ++seed) {
      const tokens = repeatedTokens({ vocab: 10, period: 10, repeats: 1, seed });
      expect(new Set(tokens).size).toBe(10);
      counts[tokens[3]!]! += 1;
    }
    // 200 each, five standard deviations of 13.4.
    for (const count of counts) {
      expect(Math.abs(count - 200)).toBeLessThan(67);
    }
    const long = repeatedTokens({ vocab: 3, period: 8, repeats: 1, seed: 4 });
    expect(new Set(long.subarray(0, 3)).size).toBe(3);
    expect(new Set(long.subarray(3, 6)).size).toBe(3);
    expect([...repeatedTokens({ vocab: 1, period: 2, repeats: 2 })]).toEqual([0, 0, 0, 0]);
  });

  test('of the wrong sizes are refused', async () => {
    const good = { vocab: 16, period: 4, repeats: 2, seed: 0 };
    for (const name of Object.keys(good)) {
      for (const wrong of [-1, 0.5, Number.NaN, '2', ...(name === 'seed' ? [] : [0, undefined])]) {
        const call = () => repeatedTokens({ ...good, [name]: wrong } as never);
        await failure(call, 'invalid-argument', name);
      }
    }
    await failure(() => repeatedTokens(null as never), 'invalid-argument');
    await failure(() => repeatedTokens({ ...good, gap: 1 } as never), 'invalid-argument', 'gap');
    const huge = { ...good, period: 2 ** 40, repeats: 2 ** 10 };
    await failure(() => repeatedTokens(huge), 'out-of-memory');
  });
});
