// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import type { StepMetrics } from 'heed';

import { collect, describeEngines, failure, tinyModel, tinyTrain, tokens } from './support.js';

const data = { tokens: tokens(40_000) };
/** One step of this takes long enough that an abort comes inside it. */
const slow = { vocab: 13, context: 256, layers: 6, heads: 4, width: 128 };
const slowTrain = { steps: 3, batch: 8, accumulation: 8 };

function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

describeEngines('K24 R138: abort', (engine) => {
  test('inside a long step: it stops soon, nothing changed, the step runs anew', async () => {
    const trainer = await engine().createTrainer({ model: slow, train: slowTrain, data });
    const before = await trainer.model.weightsHash();
    const controller = new AbortController();
    const run = trainer.run({ signal: controller.signal });
    const step = run.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    const start = performance.now();
    expect(await step).toEqual({ done: true, value: undefined });
    // 250 ms are promised; a machine busy with other tests gets four times as much.
    expect(performance.now() - start).toBeLessThan(1000);
    expect(trainer.step).toBe(0);
    expect(await trainer.model.weightsHash()).toBe(before);
    trainer.dispose();
  });

  test('a run that was aborted and taken up again has the same bits', async () => {
    const options = {
      model: { ...slow, context: 32, layers: 2, dropout: 0.1 },
      train: { steps: 3, batch: 4, accumulation: 2 },
      data,
    };
    const straight = await engine().createTrainer(options);
    await collect(straight.run());
    const hash = await straight.model.weightsHash();
    straight.dispose();

    const broken = await engine().createTrainer(options);
    for (let tries = 0; broken.step < 3; ++tries) {
      await collect(broken.run({ signal: abortAfter(10 + 20 * tries) }));
    }
    expect(await broken.model.weightsHash()).toBe(hash);
    broken.dispose();
  });

  test('between steps: the run ends without a word', async () => {
    const trainer = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
    const controller = new AbortController();
    const steps: number[] = [];
    for await (const { step } of trainer.run({ signal: controller.signal })) {
      steps.push(step);
      if (step === 3) {
        controller.abort();
      }
    }
    expect(steps).toEqual([1, 2, 3]);
    expect(await collect(trainer.run({ signal: AbortSignal.abort() }))).toEqual([]);
    expect(trainer.step).toBe(3);
    trainer.dispose();
  });

  test('within a pull of many steps: what was done is told', async () => {
    const trainer = await engine().createTrainer({
      model: tinyModel,
      train: { ...tinyTrain, steps: 1_000_000 },
      data,
    });
    // A machine busy with other tests may not get to the first step in time.
    let told: StepMetrics[] = [];
    while (told.length === 0) {
      told = await collect(trainer.run({ every: 1_000_000, signal: abortAfter(100) }));
    }
    expect(told.length).toBe(1);
    expect(told[0]!.step).toBe(trainer.step);
    trainer.dispose();
  });

  test('an evaluation rejects, and the next one is whole', async () => {
    const trainer = await engine().createTrainer({ model: slow, train: slowTrain, data });
    await failure(() => trainer.evaluate({ split: 'train', signal: abortAfter(50) }), 'aborted');
    await failure(() => trainer.evaluate({ signal: AbortSignal.abort() }), 'aborted');
    expect((await trainer.evaluate({ maxWindows: 1 })).tokens).toBe(256);
    expect(trainer.step).toBe(0);
    trainer.dispose();
  });

  test('other calls get their turn while a long step runs', async () => {
    const trainer = await engine().createTrainer({ model: slow, train: slowTrain, data });
    const controller = new AbortController();
    const step = trainer.run({ signal: controller.signal }).next();
    const hash = await trainer.model.weightsHash();
    const maps = await trainer.model.attention([1, 2]);
    expect(maps.time).toBe(2);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(trainer.step).toBe(0);
    controller.abort();
    await step;
    trainer.dispose();
  });
});
