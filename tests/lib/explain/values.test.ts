// SPDX-License-Identifier: MIT
// Every forward number of a trace against the oracle.

import { describe, expect, test } from 'vitest';

import { tracedGradients, tracedValues, valueAddress } from '../oracle/addresses.js';
import { forward } from '../oracle/forward.js';
import { Matrix } from '../oracle/matrix.js';
import {
  everyModel,
  expectNear,
  matrixOf,
  oraclePass,
  seesIn,
  subject,
  useEngine,
} from './traced.js';

const engine = useEngine();

describe.each(everyModel)('values: %s', (_, options) => {
  test.each([1, 2, 7])('%d tokens', async (time) => {
    using made = await subject(engine(), options, { seed: 10 + time, time });
    const { model, oracle, example } = made;
    using trace = await model.trace(example.tokens, example.targets, { gradients: false });
    expect(trace).toMatchObject({
      layers: oracle.config.layers,
      heads: oracle.config.heads,
      time,
      tokens: example.tokens,
      targets: example.targets,
      gradients: false,
    });
    const { pass, loss, logits } = forward(oracle, example);
    expect(Math.abs(trace.loss - loss)).toBeLessThan(1e-5);
    expect(trace.names().sort()).toEqual(tracedValues(oracle).sort());

    const sees = seesIn(oracle);
    for (const name of trace.names()) {
      const found = matrixOf(trace, name);
      const expected = pass.value(valueAddress(name));
      expectNear(found, expected, name);
      if (/\.A$/.test(name)) {
        found.values.forEach((weight, at) => {
          const row = Math.floor(at / time) % time;
          expect(weight === 0, `${name} ${at}`).toBe(!sees(row, at % time));
        });
      }
    }
    const usual = await model.forward(example.tokens);
    expectNear(matrixOf(trace, 'logits'), new Matrix(time, logits.columns, usual), 'logits', 1e-5);
  });
});

test('with gradients there are names for these, too, and the values are the same', async () => {
  for (const [, options] of everyModel) {
    using made = await subject(engine(), options);
    const { model, oracle, example } = made;
    using plain = await model.trace(example.tokens, example.targets, { gradients: false });
    using full = await model.trace(example.tokens, example.targets);
    expect(full.gradients).toBe(true);
    expect(full.names().sort()).toEqual(
      [...tracedValues(oracle), ...tracedGradients(oracle)].sort(),
    );
    for (const name of plain.names()) {
      expect(full.matrix(name), name).toEqual(plain.matrix(name));
    }
  }
});

test('a trace is of its moment: weights that change later do not change it', async () => {
  using made = await subject(engine(), everyModel[1]![1]);
  const { model, example } = made;
  using trace = await model.trace(example.tokens, example.targets);
  const numbers = () => trace.names().map((name) => trace.matrix(name));
  const [before, shares] = [numbers(), await trace.contributions('W_Q', 0, 1)];
  for (const { name, parameters } of await model.tensors()) {
    await model.write(name, new Float32Array(parameters).fill(0.25));
  }
  await model.trace([1, 2], [2, 3]).then((other) => other.dispose());
  expect(numbers()).toEqual(before);
  expect(await trace.contributions('W_Q', 0, 1)).toEqual(shares);
});

test('a target of -1 has no loss; without any target all gradients are 0', async () => {
  using made = await subject(engine(), everyModel[0]![1]);
  const { model, oracle, example } = made;
  const targets = [3, -1, -1, 5, -1, -1, -1];
  using some = await model.trace(example.tokens, targets);
  const expected = oraclePass(oracle, { tokens: example.tokens, targets });
  expectNear(matrixOf(some, 'loss'), expected.value('loss'), 'loss');
  expect([...some.matrix('loss').values].map((loss) => loss === 0)).toEqual(
    targets.map((target) => target === -1),
  );
  using none = await model.trace(example.tokens, new Array(7).fill(-1));
  expect(none.loss).toBe(0);
  for (const name of tracedGradients(oracle)) {
    expect(
      none.matrix(name).values.every((value) => value === 0),
      name,
    ).toBe(true);
  }
  const { squaredNorm, meaningful, tokens, pairs } = await none.contributions('W_V', 1, 0);
  expect([squaredNorm, meaningful]).toEqual([0, false]);
  expect([...tokens, ...pairs].every((share) => share === 0)).toBe(true);
});
