// SPDX-License-Identifier: MIT
// One next token: its distribution against a recomputation, and its draw against generate.

import { describe, expect, test } from 'vitest';
import type { Engine, Model, ModelOptions, NextOptions } from 'heed';

import { scatterWeights } from './oracle/configurations.js';
import { softmax } from './oracle/softmax.js';
import { collect, describeEngines, failure, tinyModel } from './support.js';

const models: [string, Partial<ModelOptions>][] = [
  ['learned positions', {}],
  ['sinusoidal positions, post-norm', { position: 'sinusoidal', normPosition: 'post' }],
  ['RoPE', { position: 'rope' }],
  ['ALiBi in a window', { position: 'alibi', window: 3 }],
  ['no positions', { position: 'none' }],
  ['no mask', { mask: 'none', position: 'rope' }],
  ['no mask, learned positions', { mask: 'none' }],
  ['a context of one token', { context: 1 }],
  ['no layers', { layers: 0 }],
];

const samplings: [string, NextOptions][] = [
  ['greedy', { temperature: 0 }],
  ['as it is', {}],
  ['cold', { temperature: 0.4, seed: 3 }],
  ['hot', { temperature: 2.5, seed: 4 }],
  ['top-k', { topK: 3, seed: 5 }],
  ['top-p', { topP: 0.6, seed: 6 }],
  ['all of it', { temperature: 1.3, topK: 7, topP: 0.8, seed: 2 ** 53 - 1 }],
];

async function scattered(engine: Engine, options: Partial<ModelOptions>): Promise<Model> {
  const model = await engine.createModel({ ...tinyModel, ...options });
  await scatterWeights(model, 81);
  return model;
}

describeEngines('the next token', (engine) => {
  describe.each(models)('%s', (_, options) => {
    test.each(samplings)('one at a time is what generate yields: %s', async (_, sampling) => {
      using model = await scattered(engine(), options);
      // Prompts that fit, fill the context and are longer than it; past it all of them go on.
      for (const prompt of [[4], [1, 5, 12, 0, 3, 3, 7, 2], [9, 1, 5, 12, 0, 3, 3, 7, 2, 8, 6]]) {
        const expected = await collect(model.generate({ prompt, tokens: 20, ...sampling }));
        const text = [...prompt];
        for (let index = 0; index < expected.length; ++index) {
          const { token, ids } = await model.next(text, { ...sampling, index });
          expect(token, `token ${index}`).toBe(expected[index]);
          expect(ids).toContain(token);
          text.push(token);
        }
      }
    });
  });
});

describeEngines('what the next token is drawn from', (engine) => {
  test.each(samplings)('%s', async (_, sampling) => {
    using model = await scattered(engine(), {});
    const text = [1, 5, 12, 0, 3];
    const logits = (await model.forward(text)).slice(-13);
    const own = softmax(logits);
    const { temperature = 1, topK = 0, topP = 1 } = sampling;
    const { ids, probabilities, raw, token } = await model.next(text, sampling);
    const order = [...own.keys()].sort((a, b) => own[b]! - own[a]!);
    const tempered = temperature === 0 ? own : softmax(logits.map((l) => l / temperature));
    let kept = temperature === 0 ? order.slice(0, 1) : order.slice(0, topK || 13);
    const mass = () => kept.reduce((sum, id) => sum + tempered[id]!, 0);
    if (topP < 1 && temperature > 0) {
      const wanted = topP * mass();
      let sum = 0;
      kept = kept.slice(0, 1 + kept.findIndex((id) => (sum += tempered[id]!) >= wanted));
    }
    expect([...ids]).toEqual(kept);
    const total = mass();
    kept.forEach((id, n) => {
      expect(Math.abs(probabilities[n]! - tempered[id]! / total)).toBeLessThan(1e-5);
      expect(Math.abs(raw[n]! - own[id]!)).toBeLessThan(1e-5);
    });
    expect(probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
    expect(ids).toContain(token);
  });

  test('draws follow the probabilities', async () => {
    using model = await scattered(engine(), {});
    const { ids, probabilities } = await model.next([1, 5], { topK: 4 });
    const counts = new Map<number, number>();
    const draws = 1000;
    for (let seed = 0; seed < draws; ++seed) {
      const { token } = await model.next([1, 5], { topK: 4, seed });
      counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    ids.forEach((id, n) => {
      const p = probabilities[n]!;
      // Five standard errors.
      const limit = 5 * Math.sqrt((p * (1 - p)) / draws);
      expect(Math.abs((counts.get(id) ?? 0) / draws - p)).toBeLessThan(limit);
    });
  });

  test('an index beyond the text counts draws', async () => {
    using model = await scattered(engine(), {});
    const tokens = new Set<number>();
    for (let index = 2; index < 30; ++index) {
      tokens.add((await model.next([1, 5], { index, temperature: 3 })).token);
    }
    expect(tokens.size).toBeGreaterThan(3);
  });

  test('an extreme temperature leaves out what cannot be drawn', async () => {
    using model = await scattered(engine(), {});
    const { ids, probabilities } = await model.next([1, 5], { temperature: 1e-4 });
    expect(ids.length).toBeLessThan(13);
    expect(Math.min(...probabilities)).toBeGreaterThan(0);
  });

  test('the wrong things', async () => {
    using model = await scattered(engine(), {});
    const next = (options: object, text: unknown = [1, 5]) => model.next(text as never, options);
    await failure(() => model.next([1], null as never), 'invalid-argument');
    await failure(() => next({}, []), 'bad-data', 'empty');
    await failure(() => next({}, [13]), 'bad-data', '13');
    await failure(() => next({ index: 1 }, [1, 13]), 'bad-data', '13');
    await failure(() => next({}, 'text'), 'invalid-argument', 'tokens');
    await failure(() => next({}, [0.5]), 'invalid-argument', /tokens\[0\]/);
    await failure(() => next({ tokens: 1 }), 'invalid-argument', 'tokens');
    for (const name of ['temperature', 'topK', 'topP', 'seed', 'index']) {
      for (const wrong of [-1, Number.NaN, '1']) {
        const word = new RegExp(name.slice(1));
        await failure(() => next({ [name]: wrong }), 'invalid-argument', word);
      }
    }
    await failure(() => next({ index: 2 ** 60 }), 'invalid-argument', 'ndex');
    await model.write('norm.weight', new Float32Array(16).fill(Number.NaN));
    await failure(() => next({}), 'non-finite');
    model.dispose();
    await failure(() => next({}), 'disposed', 'model');
  });
});
