// SPDX-License-Identifier: MIT
// Why there is a V: the ten variants of point-and-shift, trained in lock-step from one seed. With
// embeddings held still routing (W_Q, W_K) and content (W_V) are separate jobs; once embeddings may
// move, the rest of the model works around a frozen part.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, type ModelOptions, type Trainer, createEngine, describeTask } from 'heed';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ where: 'thread' });
});
afterAll(() => engine.dispose());

const task = { task: 'pointAndShift' } as const;
const { vocab, context } = describeTask(task);

const variants: Record<string, { model?: Partial<ModelOptions>; freeze?: string[] }> = {
  full: {},
  identity: { model: { value: 'identity' } },
  frozenValue: { freeze: ['value'] },
  frozenScores: { freeze: ['query', 'key'] },
  uniform: { model: { uniformAttention: true } },
};

async function variant(name: string, still: boolean, seed: number): Promise<Trainer> {
  const { model = {}, freeze = [] } = variants[name]!;
  return engine.createTrainer({
    model: {
      vocab,
      context,
      layers: 1,
      heads: 1,
      width: 24,
      ffn: 0,
      norm: 'none',
      outProjection: false,
      init: 'unit',
      ...model,
    },
    train: {
      steps: 800,
      batch: 32,
      seed,
      learningRate: 0.01,
      schedule: 'constant',
      warmup: 0,
      weightDecay: 0,
      clip: 0,
      freeze: [...freeze, ...(still ? ['embeddings', 'positions'] : [])],
    },
    data: task,
  });
}

/** Percent of 1000 fresh examples answered right after 800 steps. */
async function accuracies(still: boolean, seed: number): Promise<Record<string, number>> {
  const names = Object.keys(variants);
  const trainers = await Promise.all(names.map((name) => variant(name, still, seed)));
  const twins = engine.createTwins(trainers);
  for await (const _ of twins.run({ every: 800 }));
  const found: Record<string, number> = {};
  for (const [index, name] of names.entries()) {
    const { exact, sequences } = await trainers[index]!.evaluate({ maxWindows: 1000 });
    expect(sequences).toBe(1000);
    found[name] = exact * 100;
  }
  for (const trainer of trainers) trainer.dispose();
  return found;
}

for (const seed of [11, 23, 47]) {
  test(`seed ${seed}: what a frozen part costs depends on what may still move`, async () => {
    const still = await accuracies(true, seed);
    expect(still.full).toBeGreaterThanOrEqual(99);
    expect(still.identity).toBeLessThanOrEqual(25);
    expect(still.frozenValue).toBeLessThanOrEqual(25);
    expect(still.frozenScores).toBeLessThanOrEqual(50);
    expect(still.uniform).toBeLessThanOrEqual(50);
    const learned = await accuracies(false, seed);
    expect(learned.full).toBeGreaterThanOrEqual(99);
    expect(learned.frozenValue).toBeGreaterThanOrEqual(99);
    expect(learned.frozenScores).toBeGreaterThanOrEqual(99);
    expect(learned.uniform).toBeLessThanOrEqual(50);
    expect(learned.identity).toBeLessThan(learned.frozenValue!);
  });
}
