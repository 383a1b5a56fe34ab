// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { HeedError, type StepMetrics } from 'heed';

import { collect, describeEngines, failure, tinyModel, tinyTrain, tokens } from './support.js';

const data = { tokens: tokens(400) };

describeEngines('K17 R091: a run that diverges', (engine) => {
  test('learning rate 10: the first bad step is named, the last good weights kept', async () => {
    const trainer = await engine().createTrainer({
      model: { ...tinyModel, norm: 'none', activation: 'relu' },
      train: {
        ...tinyTrain,
        steps: 500,
        optimizer: 'sgd',
        learningRate: 10,
        weightDecay: 0,
        clip: 0,
        warmup: 0,
        schedule: 'constant',
      },
      data,
    });
    const seen: StepMetrics[] = [];
    let hash = await trainer.model.weightsHash();
    let error: unknown;
    try {
      for await (const metrics of trainer.run()) {
        seen.push(metrics);
        hash = await trainer.model.weightsHash();
      }
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(HeedError);
    const { code, message } = error as HeedError;
    expect(code).toBe('non-finite');
    expect(message).toMatch(new RegExp(`step ${seen.length + 1}\\b`, 'i'));
    expect(message).toMatch(/[a-z]+\.[a-z.0-9]+|logits|loss|norm/);
    expect(seen.every(({ loss }) => Number.isFinite(loss))).toBe(true);
    expect(trainer.step).toBe(seen.length);
    expect(await trainer.model.weightsHash()).toBe(hash);
    for (const { name } of await trainer.model.tensors()) {
      expect((await trainer.model.read(name)).every(Number.isFinite), name).toBe(true);
    }
    // The same step fails again, and the run can still be saved and started anew.
    await failure(() => collect(trainer.run()), 'non-finite', `${seen.length + 1}`);
    expect((await trainer.save()).length).toBeGreaterThan(0);
    await trainer.reset();
    expect((await collect(trainer.run({ steps: 1 }))).length).toBe(1);
    trainer.dispose();
  });

  test('within a pull of many steps, what was done before is told first', async () => {
    const trainer = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
    await collect(trainer.run({ steps: 2 }));
    const values = await trainer.model.read('layers.1.attention.query.weight');
    values[5] = Number.NaN;
    const run = trainer.run({ every: 10 });
    await trainer.model.write('layers.1.attention.query.weight', values);
    await failure(() => run.next(), 'non-finite', 'layers.1.attention.query.weight', 'tep 3');
    expect(trainer.step).toBe(2);
    trainer.dispose();
  });

  test('K12 R059: reading through a NaN weight is an error, not numbers', async () => {
    const model = await engine().createModel(tinyModel);
    const values = await model.read('layers.0.ffn.in.weight');
    values[0] = Infinity;
    await model.write('layers.0.ffn.in.weight', values);
    await failure(() => model.forward([1, 2]), 'non-finite');
    await failure(() => model.loss([1], [2]), 'non-finite');
    await failure(() => collect(model.generate({ tokens: 1 })), 'non-finite');
    await failure(() => model.save(), 'non-finite', 'layers.0.ffn.in.weight');
    model.dispose();
  });
});
