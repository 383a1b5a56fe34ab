// SPDX-License-Identifier: MIT
// Groups, frozen parts, one step taken apart.

import { expect, test } from 'vitest';
import {
  type Engine,
  type Model,
  type StepReport,
  type TrainOptions,
  type Trainer,
  createEngine,
  describeTask,
} from 'heed';

import { collect, describeEngines, failure, timeless } from './support.js';

const data = { task: 'pointAndShift' } as const;
const { vocab } = describeTask(data);
const small = { vocab, layers: 2, heads: 2, width: 16, ffn: 24 } as const;
const training: TrainOptions = { steps: 30, batch: 4, seed: 5, warmup: 2 };

const make = (engine: Engine, train: TrainOptions = {}): Promise<Trainer> =>
  engine.createTrainer({ model: small, train: { ...training, ...train }, data });

async function tensorsOf(model: Model): Promise<Map<string, string>> {
  const tensors = await model.tensors();
  const entries = tensors.map(async ({ name }) => [name, String(await model.read(name))] as const);
  return new Map(await Promise.all(entries));
}

async function changed(model: Model, action: () => Promise<unknown>): Promise<string[]> {
  const before = await tensorsOf(model);
  await action();
  const after = await tensorsOf(model);
  return [...after].filter(([name, values]) => before.get(name) !== values).map(([name]) => name);
}

describeEngines('groups', (engine) => {
  test('every parameter is in one group', async () => {
    const trainer = await make(engine());
    const groups = await trainer.groups();
    const layer = ['query', 'key', 'value', 'output', 'feedForward', 'norms'];
    expect(groups.map(({ name }) => name)).toEqual([
      'embeddings',
      'positions',
      ...layer.map((name) => `layers.0.${name}`),
      ...layer.map((name) => `layers.1.${name}`),
      'norm',
    ]);
    const sum = groups.reduce((total, { parameters }) => total + parameters, 0);
    expect(sum).toBe(trainer.model.parameters);
    expect(groups.every(({ frozen }) => !frozen)).toBe(true);
    trainer.dispose();
  });

  test('norms are those of the last step: squares add up to the global norm', async () => {
    const trainer = await make(engine(), { freeze: ['value'] });
    await failure(() => trainer.norms(), 'bad-state', 'make a step first');
    const [metrics] = await collect(trainer.run({ steps: 1 }));
    const norms = await trainer.norms();
    expect(norms.map(({ name }) => name)).toEqual((await trainer.groups()).map(({ name }) => name));
    const squares = norms.reduce((sum, { gradient }) => sum + gradient ** 2, 0);
    expect(Math.sqrt(squares) / metrics!.gradientNorm).toBeCloseTo(1, 12);
    expect(norms.find(({ name }) => name === 'layers.1.value')!.gradient).toBe(0);
    let weights = 0;
    for (const { name } of await trainer.model.tensors()) {
      for (const weight of await trainer.model.read(name)) weights += weight ** 2;
    }
    const all = norms.reduce((sum, group) => sum + group.weights ** 2, 0);
    expect(all / weights).toBeCloseTo(1, 6);
    await trainer.reset();
    await failure(() => trainer.norms(), 'bad-state', 'make a step first');
    trainer.dispose();
  });

  test('what is frozen keeps its bits, and may change between steps', async () => {
    const trainer = await make(engine(), { freeze: ['value', 'layers.1.norms', 'embeddings'] });
    const held = (name: string) => /embed|value|layers\.1\.norm/.test(name);
    const names = (await trainer.model.tensors()).map(({ name }) => name);
    const steps = () => collect(trainer.run({ steps: 3 }));
    expect(await changed(trainer.model, steps)).toEqual(names.filter((name) => !held(name)));
    await trainer.setFrozen(['query']);
    const frozen = (await trainer.groups()).filter((group) => group.frozen);
    expect(frozen.map(({ name }) => name)).toEqual(['layers.0.query', 'layers.1.query']);
    expect(await changed(trainer.model, steps)).toEqual(
      names.filter((name) => !name.includes('query')),
    );
    await trainer.setFrozen([]);
    expect(await changed(trainer.model, steps)).toEqual(names);
    // All frozen: a step with nothing to move.
    await trainer.setFrozen((await trainer.groups()).map(({ name }) => name));
    expect(await changed(trainer.model, steps)).toEqual([]);
    expect(trainer.step).toBe(12);
    trainer.dispose();
  });

  test('a report adds up to the gradient, and costs no bit', async () => {
    const plain = await make(engine());
    const reported = await make(engine(), {});
    const expected = timeless(await collect(plain.run({ steps: 4 })));
    const metrics = await collect(reported.run({ steps: 4, report: true }));
    expect(timeless(metrics)).toEqual(expected);
    for (const { groups, gradientNorm } of metrics) {
      expect(groups!.map(({ name }) => name)).toEqual(
        (await reported.groups()).map(({ name }) => name),
      );
      expect(Math.hypot(...groups!.map((group) => group.gradientNorm))).toBeCloseTo(gradientNorm, 10);
      expect(groups!.every(({ change }) => change > 0)).toBe(true);
    }
    expect(metrics.every(({ groups }) => groups !== undefined)).toBe(true);
    plain.dispose();
    reported.dispose();
  });
});

describeEngines('a step taken apart', (engine) => {
  test.each([1, 2])('parts and run give the same bits (%i micro-batches)', async (accumulation) => {
    const straight = await make(engine(), { accumulation });
    const expected = await collect(straight.run({ steps: 5 }));
    const trainer = await make(engine(), { accumulation });
    const { loss } = await trainer.forward();
    expect(await trainer.forward()).toEqual({ loss });
    const { gradientNorm } = await trainer.backward();
    expect(await trainer.backward()).toEqual({ gradientNorm });
    const report = await trainer.update();
    expect(report.metrics).toMatchObject({ step: 1, loss, gradientNorm });
    expect(trainer.step).toBe(1);
    const rest = [report.metrics];
    rest.push((await trainer.update()).metrics); // all parts at once
    await trainer.forward();
    rest.push(...(await collect(trainer.run({ steps: 1 }))));
    await trainer.backward();
    rest.push(...(await collect(trainer.run({ steps: 1 }))));
    await trainer.ledger();
    await trainer.evaluate({ maxWindows: 8 }); // forgets the parts, which changes nothing
    rest.push((await trainer.update()).metrics);
    expect(timeless(rest)).toEqual(timeless(expected));
    expect(await trainer.model.weightsHash()).toBe(await straight.model.weightsHash());
    trainer.dispose();
    straight.dispose();
  });

  test('undo restores weights, moments and step', async () => {
    const straight = await make(engine());
    const trainer = await make(engine());
    await failure(() => trainer.undo(), 'bad-state', 'no step to undo');
    await collect(straight.run({ steps: 3 }));
    await collect(trainer.run({ steps: 3 }));
    const hash = await trainer.model.weightsHash();
    await trainer.update(['value']);
    expect(await trainer.model.weightsHash()).not.toBe(hash);
    await trainer.undo();
    expect(await trainer.model.weightsHash()).toBe(hash);
    expect(trainer.step).toBe(3);
    await failure(() => trainer.undo(), 'bad-state', 'no step to undo');
    await collect(trainer.run({ steps: 2 })); // made while stepping
    await trainer.undo();
    expect(trainer.step).toBe(4);
    await collect(straight.run());
    await collect(trainer.run());
    expect(await trainer.model.weightsHash()).toBe(await straight.model.weightsHash());
    expect(await trainer.save()).toEqual(await straight.save()); // moments, too
    trainer.dispose();
    straight.dispose();
  });

  test('an update moves the groups it is asked to, as the whole step would', async () => {
    const whole = await make(engine());
    const part = await make(engine());
    await collect(whole.run({ steps: 3 }));
    await collect(part.run({ steps: 3 }));
    await collect(whole.run({ steps: 1 }));
    const reports: StepReport[] = [];
    const moved = await changed(part.model, async () => {
      reports.push(await part.update(['layers.0.key', 'positions']));
    });
    expect(moved).toEqual(['positions.weight', 'layers.0.attention.key.weight']);
    for (const name of moved) {
      expect(await part.model.read(name)).toEqual(await whole.model.read(name));
    }
    expect(reports[0]!.groups.filter(({ change }) => change > 0).map(({ name }) => name)).toEqual([
      'positions',
      'layers.0.key',
    ]);
    whole.dispose();
    part.dispose();
  });

  test('the ledger predicts what it measures, and leaves no trace', async () => {
    // Large weights, so that every group has a gradient; plain SGD at a rate small enough for the
    // first order and large enough for float losses.
    const trainer = await make(engine(), {
      batch: 32,
      optimizer: 'sgd',
      momentum: 0,
      weightDecay: 0,
      warmup: 0,
      schedule: 'constant',
      clip: 0,
      learningRate: 2e-3,
    });
    for (const { name, shape } of await trainer.model.tensors()) {
      if (shape.length === 2) {
        const values = await trainer.model.read(name);
        await trainer.model.write(name, values.map((value) => 12 * value));
      }
    }
    const hash = await trainer.model.weightsHash();
    const ledger = await trainer.ledger();
    expect(await trainer.model.weightsHash()).toBe(hash);
    expect(trainer.step).toBe(0);
    expect(ledger.step).toBe(1);
    const { before, after, predicted, remainder, groups } = ledger;
    expect(before).toBe((await trainer.model.batchLoss(await trainer.batch())).loss);
    expect(predicted).toBeCloseTo(groups.reduce((sum, group) => sum + group.predicted, 0), 12);
    expect(remainder).toBeCloseTo(after - before - predicted, 12);
    expect(predicted / (after - before)).toBeGreaterThan(0.95);
    expect(predicted / (after - before)).toBeLessThan(1.05);
    let compared = 0;
    for (const group of groups) {
      expect(group.change).toBeCloseTo(2e-3 * group.gradientNorm, 6);
      // Losses of float logits are known to about 1e-7.
      if (group.predicted < -1e-5) {
        expect(group.predicted / group.measured, group.name).toBeGreaterThan(0.95);
        expect(group.predicted / group.measured, group.name).toBeLessThan(1.05);
        ++compared;
      }
    }
    expect(compared).toBeGreaterThan(3);
    const { metrics } = await trainer.update();
    expect((await trainer.model.batchLoss(await trainer.batch(1))).loss).toBe(after);
    expect(metrics.step).toBe(1);
    trainer.dispose();
  });

  test('the loss after some groups is that of a fresh engine with their weights', async () => {
    const trainer = await make(engine(), { accumulation: 2, learningRate: 1e-2 });
    await collect(trainer.run({ steps: 5 }));
    const rows = await trainer.batch();
    const start = (await trainer.model.batchLoss(rows)).loss;
    expect(await trainer.lossAfter([])).toBe(start);
    const fresh = await createEngine({ where: 'thread' });
    for (const groups of [['query', 'key'], ['value'], ['feedForward', 'norm', 'embeddings']]) {
      const expected = await trainer.lossAfter(groups);
      await trainer.update(groups);
      const { model } = await fresh.loadModel(await trainer.model.save());
      expect((await model.batchLoss(rows)).loss).toBe(expected);
      expect(expected).not.toBe(start);
      await trainer.undo();
    }
    fresh.dispose();
    trainer.dispose();
  });

  test('bad input of every kind', async () => {
    const trainer = await make(engine(), { steps: 1 });
    const wrong = (value: unknown) => value as never;
    for (const call of ['setFrozen', 'update', 'lossAfter'] as const) {
      await failure(() => trainer[call](wrong('query')), 'invalid-argument', 'group names');
      await failure(() => trainer[call](wrong([1])), 'invalid-argument', 'group names');
      await failure(() => trainer[call](['head']), 'invalid-argument', '"head"', 'groups()');
      await failure(() => trainer[call](['query', '']), 'invalid-argument', 'no group ""');
    }
    await failure(
      () => make(engine(), { freeze: ['layers.2.query'] }),
      'invalid-argument',
      'layers.2.query',
    );
    await failure(
      () => make(engine(), { freeze: wrong('query') }),
      'invalid-argument',
      '"freeze"',
    );
    expect(() => trainer.run(wrong({ report: 1 }))).toThrow('"report"');
    await trainer.update();
    for (const call of ['forward', 'backward', 'update', 'ledger'] as const) {
      await failure(() => trainer[call](), 'bad-state', 'All 1 steps are done');
    }
    trainer.dispose();
  });

  test('a weight that is not finite changes nothing', async () => {
    const trainer = await make(engine());
    const name = 'layers.0.attention.key.weight';
    const values = await trainer.model.read(name);
    await trainer.model.write(name, values.map((v, i) => (i === 3 ? Number.NaN : v)));
    for (const call of ['forward', 'backward', 'update', 'ledger'] as const) {
      await failure(() => trainer[call](), 'non-finite', 'Step 1');
    }
    await trainer.model.write(name, values);
    expect((await trainer.update()).metrics.step).toBe(1);
    trainer.dispose();
  });
});
