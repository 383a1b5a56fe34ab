// SPDX-License-Identifier: MIT
// Traced gradients against central differences of the oracle at the engine's own weights.

import { describe, expect, test } from 'vitest';
import type { Engine, Trace, TrainOptions, Trainer } from 'heed';

import { gradientAddress, hasGradient, singleValues } from '../oracle/addresses.js';
import { forward } from '../oracle/forward.js';
import { centralDifference } from '../oracle/gradient.js';
import { type OracleModel, exported } from '../oracle/model.js';
import type { Example } from '../oracle/pass.js';
import { Random } from '../oracle/random.js';
import { everyModel, largest, seesIn, subject, useEngine } from './traced.js';

const engine = useEngine();

/** Ten random entries of every gradient; of weights and scores, where a row looks. */
function expectGradients(trace: Trace, model: OracleModel, example: Example, seed: number): void {
  const random = new Random(seed);
  const sees = seesIn(model);
  const time = example.tokens.length;
  let checked = 0;
  for (const value of singleValues(model).filter((name) => hasGradient(model, name))) {
    const address = gradientAddress(value);
    const { values } = trace.matrix(address);
    const limit = 1e-3 * largest(values) + 1e-7;
    const looked = (index: number) =>
      !/\.[SA]$/.test(value) || sees(Math.floor(index / time), index % time);
    for (const index of random.choose([...values.keys()].filter(looked), 10)) {
      const expected = centralDifference(model, example, value, index);
      const error = Math.abs(values[index]! - expected);
      expect(error, `${address}[${index}], ${values[index]} for ${expected}`).toBeLessThan(limit);
      ++checked;
    }
  }
  expect(checked).toBeGreaterThan(50);
}

describe.each(everyModel)('gradients: %s', (_, options) => {
  test.each([2, 7])('%d tokens', async (time) => {
    using made = await subject(engine(), options, { seed: 20 + time, time });
    using trace = await made.model.trace(made.example.tokens, made.example.targets);
    expectGradients(trace, made.oracle, made.example, time);
  });
});

/** The gradients of two fixed examples as the run stands. */
async function expectGradientsNow(trainer: Trainer): Promise<void> {
  const model = await exported(trainer.model);
  for (const index of [0, 1]) {
    const example = await trainer.example(index);
    using trace = await trainer.model.trace(example.tokens, example.targets);
    expect(Math.abs(trace.loss - forward(model, example).loss)).toBeLessThan(1e-5);
    expectGradients(trace, model, example, trainer.step + index);
  }
}

async function run(trainer: Trainer, steps: number): Promise<number> {
  let loss = Number.NaN;
  for await (const metrics of trainer.run({ steps, every: steps })) {
    loss = metrics.loss;
  }
  return loss;
}

const train: TrainOptions = {
  steps: 1000,
  batch: 32,
  learningRate: 0.01,
  schedule: 'constant',
  warmup: 0,
  weightDecay: 0,
  seed: 11,
};

const lesson = (made: Engine): Promise<Trainer> =>
  made.createTrainer({
    model: {
      vocab: 14,
      context: 7,
      layers: 1,
      heads: 1,
      width: 24,
      ffn: 0,
      norm: 'none',
      outProjection: false,
      init: 'unit',
    },
    train,
    data: { task: 'pointAndShift' },
  });

test('point and shift: steps 0, 50 and convergence', async () => {
  using trainer = await lesson(engine());
  await expectGradientsNow(trainer);
  await run(trainer, 50);
  await expectGradientsNow(trainer);
  expect(await run(trainer, 750)).toBeLessThan(0.05);
  await expectGradientsNow(trainer);
}, 180_000);

test('point and shift on two layers with everything: steps 0, 50 and convergence', async () => {
  using trainer = await engine().createTrainer({
    model: { vocab: 14, context: 7, layers: 2, heads: 2, width: 24, ffn: 48, bias: true },
    train,
    data: { task: 'pointAndShift' },
  });
  await expectGradientsNow(trainer);
  await run(trainer, 50);
  await expectGradientsNow(trainer);
  expect(await run(trainer, 750)).toBeLessThan(0.05);
  await expectGradientsNow(trainer);
}, 180_000);
