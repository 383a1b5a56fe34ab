// SPDX-License-Identifier: MIT
// The past of a run, branches from it, and twins.

import { expect, test } from 'vitest';
import {
  type Engine,
  type ModelOptions,
  type RunOptions,
  type TrainOptions,
  type Trainer,
  describeTask,
} from 'heed';

import { collect, describeEngines, failure, timeless, tokens } from './support.js';

const data = { task: 'copy', length: 3 } as const;
const small: ModelOptions = { vocab: describeTask(data).vocab, layers: 1, heads: 2, width: 16, ffn: 0 };
const training: TrainOptions = { steps: 60, batch: 4, seed: 5, warmup: 2 };

const make = (engine: Engine, train: TrainOptions = {}, model = small): Promise<Trainer> =>
  engine.createTrainer({ model, train: { ...training, ...train }, data });

/** Hash of the weights after each of so many steps, the first before any. */
async function hashes(trainer: Trainer, steps: number): Promise<string[]> {
  const found = [await trainer.model.weightsHash()];
  for await (const _ of trainer.run({ steps })) {
    found.push(await trainer.model.weightsHash());
  }
  return found;
}

describeEngines('timeline', (engine) => {
  test('every step again, exactly, while the run goes on', async () => {
    const straight = await make(engine());
    const expected = await hashes(straight, 40);
    const trainer = await make(engine());
    const timeline = await trainer.record({ every: 7 });
    await collect(trainer.run({ steps: 30, every: 30 }));
    expect([timeline.first, timeline.last]).toEqual([0, 30]);
    expect(await timeline.kept()).toEqual([0, 7, 14, 21, 28, 30]);
    for (const step of [30, 0, 13, 14, 15, 29, 1]) {
      const model = await timeline.at(step);
      expect(await model.weightsHash(), `step ${step}`).toBe(expected[step]);
    }
    await collect(trainer.run({ steps: 10, every: 10 }));
    expect(timeline.last).toBe(40);
    expect(await (await timeline.at(33)).weightsHash()).toBe(expected[33]);
    expect(await trainer.model.weightsHash()).toBe(expected[40]);
    const model = await timeline.at(3);
    model.dispose(); // only this view of it
    expect(await (await timeline.at(4)).weightsHash()).toBe(expected[4]);
    const last = await timeline.at(4);
    timeline.dispose();
    await failure(() => last.weightsHash(), 'disposed');
    await failure(() => timeline.at(3), 'disposed');
    const again = await trainer.record();
    expect(again.first).toBe(40);
    trainer.dispose();
    straight.dispose();
    expect(again.disposed).toBe(true);
  });

  test('a small budget thins the past and keeps it exact', async () => {
    const trainer = await make(engine());
    const before = (await engine().memory()).bytesInUse;
    const perSnapshot = trainer.model.parameters * 3 * 4;
    const timeline = await trainer.record({ every: 1, maxBytes: 6 * perSnapshot });
    const expected = await hashes(trainer, 60);
    expect((await engine().memory()).bytesInUse - before).toBeLessThan(8 * perSnapshot);
    const kept = await timeline.kept();
    expect(kept.length).toBeLessThanOrEqual(7);
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(60);
    for (const step of [59, 31, 2]) {
      expect(await (await timeline.at(step)).weightsHash()).toBe(expected[step]);
    }
    trainer.dispose();
  });

  test('what happens between plain steps belongs to the past', async () => {
    const trainer = await make(engine());
    const timeline = await trainer.record({ every: 4 });
    const expected = [await trainer.model.weightsHash()];
    for (let step = 1; step <= 16; ++step) {
      if (step === 3) await trainer.update(['query']);
      else await collect(trainer.run({ steps: 1 }));
      if (step === 6) await trainer.setFrozen(['value']);
      if (step === 9) {
        const weights = await trainer.model.read('embed.weight');
        await trainer.model.write('embed.weight', weights.map((w) => w + 0.25));
      }
      if (step === 12) {
        await trainer.update();
        await trainer.undo();
      }
      expected.push(await trainer.model.weightsHash());
    }
    for (let step = 16; step >= 0; --step) {
      expect(await (await timeline.at(step)).weightsHash(), `step ${step}`).toBe(expected[step]);
    }
    await trainer.reset();
    expect([timeline.first, timeline.last]).toEqual([0, 0]);
    expect(await (await timeline.at(0)).weightsHash()).toBe(expected[0]);
    trainer.dispose();
  });

  test('an unchanged branch repeats the run; others differ from there on', async () => {
    const straight = await make(engine());
    const expected = await collect(straight.run());
    const hash = await straight.model.weightsHash();
    const trainer = await make(engine());
    const timeline = await trainer.record();
    await collect(trainer.run({ steps: 25, every: 25 }));
    const branch = await timeline.branch(18);
    expect(branch.step).toBe(18);
    expect(branch.config).toEqual(trainer.config);
    expect(branch.task).toEqual(trainer.task);
    expect(timeless(await collect(branch.run()))).toEqual(timeless(expected.slice(18)));
    expect(await branch.model.weightsHash()).toBe(hash);
    const other = await timeline.branch(18, { learningRate: 5e-4, freeze: ['key'], steps: 20 });
    expect(other.config).toMatchObject({ learningRate: 5e-4, minLearningRate: 5e-5, steps: 20 });
    const losses = await collect(other.run());
    expect(losses).toHaveLength(2);
    expect(losses[0]!.loss).toBe(expected[18]!.loss); // the same weights and batch
    expect(losses[1]!.loss).not.toBe(expected[19]!.loss);
    const sgd = await timeline.branch(20, { optimizer: 'sgd' });
    expect((await collect(sgd.run({ steps: 1 })))[0]!.loss).toBe(expected[20]!.loss);
    trainer.dispose(); // branches live on
    expect((await collect(sgd.run({ steps: 1 })))[0]!.step).toBe(22);
    for (const done of [branch, other, sgd, straight]) done.dispose();
  });

  test('over a text, the text is not copied again', async () => {
    const text = { tokens: tokens(100_000) };
    const trainer = await engine().createTrainer({
      model: { ...small, vocab: 13, context: 8 },
      train: training,
      data: text,
    });
    const before = (await engine().memory()).bytesInUse;
    const timeline = await trainer.record();
    const expected = await hashes(trainer, 12);
    const branch = await timeline.branch(5);
    expect(await branch.model.weightsHash()).toBe(expected[5]);
    expect((await engine().memory()).bytesInUse - before).toBeLessThan(400_000);
    trainer.dispose();
    expect((await collect(branch.run({ steps: 1 })))[0]!.step).toBe(6);
    branch.dispose();
  });

  test('bad input of every kind', async () => {
    const trainer = await make(engine());
    const wrong = (value: unknown) => value as never;
    await failure(() => trainer.record(wrong(3)), 'invalid-argument', 'record options');
    await failure(() => trainer.record({ every: 0 }), 'invalid-argument', 'every');
    await failure(() => trainer.record(wrong({ each: 1 })), 'invalid-argument', '"each"');
    await failure(() => trainer.record({ maxBytes: 100 }), 'invalid-argument', /maxBytes is 100/i);
    const timeline = await trainer.record();
    await failure(() => trainer.record(), 'bad-state', 'recorded already');
    await collect(trainer.run({ steps: 5 }));
    await failure(() => timeline.at(6), 'invalid-argument', 'steps 0 to 5');
    await failure(() => timeline.at(-1), 'invalid-argument', 'from 0 up');
    await failure(() => timeline.at(wrong('2')), 'invalid-argument', 'step');
    await failure(() => timeline.branch(6), 'invalid-argument', 'steps 0 to 5');
    await failure(() => timeline.branch(3, { steps: 2 }), 'invalid-argument', 'Steps is 2');
    await failure(() => timeline.branch(3, { freeze: ['head'] }), 'invalid-argument', '"head"');
    await failure(() => timeline.branch(3, wrong({ rate: 1 })), 'invalid-argument', '"rate"');
    timeline.dispose();
    timeline.dispose();
    trainer.dispose();
    await failure(() => trainer.record(), 'disposed');
  });
});

describeEngines('twins', (engine) => {
  const variants = (train: TrainOptions = {}) =>
    Promise.all([
      make(engine(), train),
      make(engine(), { ...train, freeze: ['value'] }),
      make(engine(), { ...train, learningRate: 1e-2 }, { ...small, layers: 2 }),
    ]);
  const alone = async (index: number, options: RunOptions, train?: TrainOptions) => {
    const trainers = await variants(train);
    const metrics = timeless(await collect(trainers[index]!.run(options)));
    trainers.forEach((trainer) => trainer.dispose());
    return metrics;
  };

  test('each twin makes the bits that it makes alone, on identical batches', async () => {
    const trainers = await variants();
    const twins = engine().createTwins(trainers);
    const metrics = await collect(twins.run({ steps: 12, every: 3, report: true }));
    expect(metrics).toHaveLength(4);
    for (const index of trainers.keys()) {
      const own = metrics.map((round) => round[index]!);
      expect(timeless(own)).toEqual(await alone(index, { steps: 12, every: 3 }));
      expect(own[0]!.groups!.length).toBeGreaterThan(3);
      expect(trainers[index]!.step).toBe(12);
    }
    const [first, ...others] = await Promise.all(trainers.map((trainer) => trainer.batch()));
    others.forEach((batch) => expect(batch).toEqual(first));
    trainers.forEach((trainer) => trainer.dispose());
    expect(() => twins.run()).toThrow('disposed');
  });

  test('the shortest run ends it; an abort leaves all at one step', async () => {
    const trainers = [await make(engine(), { steps: 9 }), await make(engine())];
    const twins = engine().createTwins(trainers);
    const controller = new AbortController();
    let rounds = 0;
    for await (const _ of twins.run({ signal: controller.signal })) {
      if (++rounds === 4) controller.abort();
    }
    expect(trainers.map(({ step }) => step)).toEqual([4, 4]);
    expect(await collect(twins.run())).toHaveLength(5);
    expect(trainers.map(({ step }) => step)).toEqual([9, 9]);
    trainers.forEach((trainer) => trainer.dispose());
  });

  test('when one cannot go on, none moves', async () => {
    const trainers = await variants();
    const twins = engine().createTwins(trainers);
    await collect(twins.run({ steps: 2 }));
    const last = trainers.at(-1)!.model;
    const weights = await last.read('embed.weight');
    await last.write('embed.weight', weights.map(() => Number.NaN));
    await failure(() => collect(twins.run()), 'non-finite', 'Step 3');
    expect(trainers.map(({ step }) => step)).toEqual([2, 2, 2]);
    await last.write('embed.weight', weights);
    const [next] = await collect(twins.run({ steps: 1 }));
    expect(timeless(next!)[0]).toEqual((await alone(0, { steps: 3 }))[2]);
    trainers.forEach((trainer) => trainer.dispose());
  });

  test('trainers whose batches would differ are no twins', async () => {
    const one = await make(engine());
    const refuse = async (train: TrainOptions, words: string) => {
      const other = await make(engine(), train);
      await failure(() => engine().createTwins([one, other]), 'invalid-argument', words);
      other.dispose();
    };
    await refuse({ seed: 6 }, 'seed is 5 for the first and 6 for number 2');
    await refuse({ batch: 5 }, 'batch');
    await refuse({ accumulation: 2 }, 'accumulation');
    const elsewhere = async (task: object, words: string) => {
      const other = await engine().createTrainer({
        model: { ...small, vocab: 20, context: 20 },
        train: training,
        data: { ...data, ...task },
      });
      await failure(() => engine().createTwins([one, other]), 'invalid-argument', words);
      other.dispose();
    };
    await elsewhere({ length: 4 }, 'tokens in an example');
    await elsewhere({ task: 'reverse' }, 'fingerprint of the data');
    await elsewhere({ symbols: 9 }, 'fingerprint of the data');
    const same = await engine().createTrainer({ model: one.model, train: training, data });
    await failure(() => engine().createTwins([one, same]), 'invalid-argument', 'same model');
    for (const bad of [null, [], [one], [one, {}], 'twins']) {
      await failure(() => engine().createTwins(bad as never), 'invalid-argument', 'at least two');
    }
    const other = await make(engine());
    const twins = engine().createTwins([one, other]);
    expect(() => twins.run({ every: 0 })).toThrow('every');
    await collect(other.run({ steps: 1 }));
    await failure(() => collect(twins.run()), 'bad-state', 'different steps');
    one.dispose();
    other.dispose();
  });
});

describeEngines('change', (engine) => {
  test('other options from a step on: what a branch with them makes', async () => {
    const changes: TrainOptions = { learningRate: 1e-4, batch: 7, steps: 30, schedule: 'linear' };
    const recorded = await make(engine());
    const timeline = await recorded.record();
    await collect(recorded.run({ steps: 10, every: 10 }));
    const branch = await timeline.branch(10, changes);
    const expected = timeless(await collect(branch.run()));

    const trainer = await make(engine());
    await collect(trainer.run({ steps: 10 }));
    await trainer.change(changes);
    expect(trainer.step).toBe(10);
    expect(trainer.config).toEqual(branch.config);
    expect(timeless(await collect(trainer.run()))).toEqual(expected);
    expect(trainer.step).toBe(30);
    expect(await trainer.model.weightsHash()).toBe(await branch.model.weightsHash());

    // What is saved goes on under the new options, too.
    const again = await engine().resumeTrainer(await trainer.save());
    expect(again.trainer.config).toEqual(trainer.config);
    for (const one of [recorded, branch, trainer, again.trainer]) one.dispose();
  });

  test('between two steps of a loop that goes on', async () => {
    const trainer = await make(engine());
    const rates: number[] = [];
    for await (const { step, learningRate } of trainer.run()) {
      rates.push(learningRate);
      if (step === 5) await trainer.change({ schedule: 'constant', learningRate: 0.5, steps: 8 });
    }
    expect(rates.slice(5)).toEqual([0.5, 0.5, 0.5]);
    trainer.dispose();
  });

  test('what cannot be is refused and changes nothing', async () => {
    const [trainer, straight] = [await make(engine()), await make(engine())];
    await collect(trainer.run({ steps: 5 }));
    const before = trainer.config;
    await failure(() => trainer.change({ steps: 4 }), 'invalid-argument', /steps/i);
    await failure(() => trainer.change({ valFraction: 0.3 }), 'invalid-argument', /valFraction/i);
    await failure(() => trainer.change({ batch: 0 }), 'invalid-argument', /batch/i);
    // @ts-expect-error: another call does that
    await failure(() => trainer.change({ freeze: ['head'] }), 'invalid-argument', 'setFrozen');
    // @ts-expect-error: no such option
    await failure(() => trainer.change({ rate: 1 }), 'invalid-argument', 'rate');
    const timeline = await trainer.record();
    await failure(() => trainer.change({ batch: 2 }), 'bad-state', /timeline/);
    timeline.dispose();
    expect(trainer.config).toBe(before);
    const losses = timeless(await collect(trainer.run({ steps: 5 })));
    expect(losses).toEqual(timeless(await collect(straight.run({ steps: 10 }))).slice(5));
    trainer.dispose();
    straight.dispose();
    await failure(() => trainer.change({ batch: 2 }), 'disposed');
  });
});
