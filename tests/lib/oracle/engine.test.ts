// SPDX-License-Identifier: MIT
// The oracle and the engine see the same model: logits, loss and attention of every configuration.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, createEngine } from 'heed';

import { configurations, exampleFor, scatterWeights } from './configurations.js';
import { forward } from './forward.js';
import { largest } from './matrix.js';
import { exported } from './model.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ where: 'thread' });
});
afterAll(() => engine.dispose());

describe.each(configurations)('oracle against engine: %s', (_, options) => {
  test.each([1, 2, 3, 9])('%d tokens', async (time) => {
    using model = await engine.createModel(options);
    await scatterWeights(model, 100 + time);
    const example = exampleFor(model.config, time, time);
    const { pass, logits, loss } = forward(await exported(model), example);

    const found = await model.forward(example.tokens);
    expect(found.length).toBe(logits.values.length);
    expect(largest(logits.values)).toBeGreaterThan(0.1);
    expect(largest(logits.values.map((value, i) => value - found[i]!))).toBeLessThan(1e-4);
    expect(Math.abs((await model.loss(example.tokens, example.targets)).loss - loss)).toBeLessThan(
      1e-5,
    );

    const maps = await model.attention(example.tokens);
    for (let layer = 0; layer < maps.layers; ++layer) {
      for (let head = 0; head < maps.heads; ++head) {
        const at = (layer * maps.heads + head) * time * time;
        const weights = pass.value(`L${layer}.H${head}.A`).values;
        const errors = weights.map((value, i) => value - maps.weights[at + i]!);
        expect(largest(errors), `L${layer}.H${head}.A`).toBeLessThan(1e-5);
      }
    }
  });
});
