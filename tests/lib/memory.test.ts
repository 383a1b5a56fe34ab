// SPDX-License-Identifier: MIT
import { describe, expect, test, vi } from 'vitest';
import { ByteTokenizer, CharTokenizer, type Engine, createEngine } from 'heed';

import { collect, describeEngines, failure, tinyModel, tinyTrain, tokens } from './support.js';

const data = { tokens: tokens(400) };
const mebibyte = 2 ** 20;

async function cycle(engine: Engine): Promise<void> {
  const trainer = await engine.createTrainer({ model: tinyModel, train: tinyTrain, data });
  await collect(trainer.run({ steps: 1 }));
  trainer.dispose();
}

describe.each(['thread', 'worker'] as const)('%s', (where) => {
  test('K02 R007: 1,000 cycles leave no handle and, after the tenth, grow nothing', async () => {
    const engine = await createEngine({ where });
    for (let i = 0; i < 10; ++i) {
      await cycle(engine);
    }
    const tenth = await engine.memory();
    expect(tenth).toMatchObject({ liveHandles: 0, bytesInUse: 0 });
    for (let i = 10; i < 1000; ++i) {
      await cycle(engine);
    }
    expect(await engine.memory()).toEqual(tenth);
    engine.dispose();
  });

  test('K02 R008: loading and disposing a checkpoint 500 times grows nothing', async () => {
    const engine = await createEngine({ where });
    const source = await engine.createModel(tinyModel);
    const file = await source.save();
    source.dispose();
    const load = async () => {
      const { model } = await engine.loadModel(file);
      model.dispose();
    };
    await load();
    const first = await engine.memory();
    for (let i = 1; i < 500; ++i) {
      await load();
    }
    expect(await engine.memory()).toEqual(first);
    engine.dispose();
  });

  test('K27 R155: training with evaluation, sampling and saving grows nothing', async () => {
    const engine = await createEngine({ where });
    const trainer = await engine.createTrainer({
      model: tinyModel,
      train: { ...tinyTrain, steps: 600 },
      data,
    });
    const round = async () => {
      await collect(trainer.run({ steps: 50, every: 10 }));
      await trainer.evaluate();
      await trainer.save();
      await trainer.model.attention([1, 2, 3]);
      await collect(trainer.model.generate({ tokens: 20 }));
    };
    await round();
    const settled = await engine.memory();
    for (let i = 0; i < 10; ++i) {
      await round();
    }
    expect(await engine.memory()).toEqual(settled);
    engine.dispose();
  });
});

test('K02 R005: what is forgotten is freed when it is collected', async () => {
  const engine = await createEngine();
  const forget = async () => {
    const model = await engine.createModel(tinyModel);
    await model.forward([1]);
    const words = model.generate({ tokens: 100 });
    await words.next();
  };
  for (let i = 0; i < 50; ++i) {
    await forget();
  }
  expect((await engine.memory()).liveHandles).toBeGreaterThan(0);
  const collectGarbage = (globalThis as { gc?: () => void }).gc!;
  for (let tries = 0; tries < 50 && (await engine.memory()).liveHandles > 2; ++tries) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // The last model may still be on this function's stack.
  expect((await engine.memory()).liveHandles).toBeLessThanOrEqual(2);
  engine.dispose();
});

describeEngines(
  'K03 R013: a memory of 64 MiB',
  (engine) => {
    const big = { vocab: 5000, context: 512, layers: 8, heads: 8, width: 512 };

    test('what does not fit is a typed error with its bytes; nothing changes', async () => {
      const small = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
      await collect(small.run({ steps: 3 }));
      const hash = await small.model.weightsHash();
      const before = await engine().memory();
      for (let i = 0; i < 3; ++i) {
        await failure(() => engine().createModel(big), 'out-of-memory', /\d+ bytes/);
        await failure(
          () => engine().createTrainer({ model: big, data }),
          'out-of-memory',
          /\d+ bytes/,
        );
        await failure(
          () => engine().createTrainer({ model: { ...tinyModel, vocab: 1_000_000 }, data }),
          'out-of-memory',
        );
      }
      const after = await engine().memory();
      expect(after.bytesInUse).toBe(before.bytesInUse);
      expect(after.liveHandles).toBe(before.liveHandles);
      expect(after.heapBytes).toBeLessThanOrEqual(64 * mebibyte);
      expect(await small.model.weightsHash()).toBe(hash);
      expect((await collect(small.run({ steps: 3 }))).length).toBe(3);
      small.dispose();
    });

    test('the largest model that fits is found from below without harm', async () => {
      let made = 0;
      for (let width = 64; ; width += 64) {
        const model = { vocab: 1000, context: 64, layers: 4, heads: 4, width };
        const forecast = await engine().forecast(model, tinyTrain);
        try {
          const trainer = await engine().createTrainer({ model, train: tinyTrain, data });
          expect(forecast.bytes.total).toBeLessThan(64 * mebibyte);
          trainer.dispose();
          ++made;
        } catch (error) {
          expect(error).toMatchObject({ code: 'out-of-memory' });
          break;
        }
      }
      expect(made).toBeGreaterThan(0);
      await cycle(engine());
    });
  },
  { memoryLimit: 64 * mebibyte },
);

test('K03 R013: 6 GiB are refused, then a model of 100,000 parameters trains', async () => {
  const engine = await createEngine();
  const six = { vocab: 10_000, context: 8, layers: 16, heads: 16, width: 2048 };
  expect((await engine.forecast(six)).bytes.total).toBeGreaterThan(6 * 2 ** 30);
  const start = performance.now();
  await failure(() => engine.createTrainer({ model: six, data }), 'out-of-memory', /\d{10,} bytes/);
  // Found out beforehand: drawing that many weights would take minutes.
  expect(performance.now() - start).toBeLessThan(5000);
  expect((await engine.memory()).peakBytes).toBeLessThan(4096);
  const trainer = await engine.createTrainer({
    model: { ...tinyModel, width: 96, layers: 1, ffn: 320 },
    train: tinyTrain,
    data,
  });
  expect(trainer.model.parameters).toBeGreaterThan(90_000);
  expect((await collect(trainer.run({ steps: 3 }))).length).toBe(3);
  engine.dispose();
});

test('K03 R014: 200 engines, one after the other', async () => {
  const start = async (where: 'thread' | 'worker') => {
    const engine = await createEngine({ where });
    await cycle(engine);
    engine.dispose();
  };
  for (let i = 0; i < 180; ++i) {
    await start('thread');
  }
  for (let i = 0; i < 20; ++i) {
    await start('worker');
  }
});

test('K02 R006: reading properties costs the core nothing', async () => {
  const engine = await createEngine();
  const trainer = await engine.createTrainer({ model: tinyModel, train: tinyTrain, data });
  const before = await engine.memory();
  let sum = 0;
  for (let i = 0; i < 1_000_000; ++i) {
    sum += trainer.model.config.vocab + trainer.config.batch + trainer.step;
  }
  expect(sum).toBe(15_000_000);
  expect(await engine.memory()).toEqual(before);
  engine.dispose();
});

describe('K03 R016: an array that cannot be allocated', () => {
  /** Until the returned function is called, arrays of that kind and more than 100 entries fail. */
  function failing(kind: 'Float32Array' | 'Uint8Array' | 'Int32Array'): () => void {
    const Original = globalThis[kind];
    const Failing = new Proxy(Original, {
      construct(target, args, newTarget) {
        if (typeof args[0] === 'number' && args[0] > 100) {
          throw new RangeError('Array buffer allocation failed');
        }
        return Reflect.construct(target, args, newTarget as typeof Original);
      },
    });
    vi.stubGlobal(kind, Failing);
    return () => vi.unstubAllGlobals();
  }

  test('in read, save, load, encode: typed, and the engine goes on', async () => {
    const engine = await createEngine();
    const model = await engine.createModel(tinyModel);
    const file = await model.save();
    const cases: [Parameters<typeof failing>[0], () => Promise<unknown>][] = [
      ['Float32Array', () => model.read('embed.weight')],
      ['Float32Array', () => model.attention([1, 2, 3, 4, 5, 6, 7])],
      ['Uint8Array', () => model.save()],
      ['Uint8Array', () => engine.loadModel(file)],
      ['Int32Array', async () => new ByteTokenizer().encode('x'.repeat(200))],
      ['Int32Array', async () => CharTokenizer.fromText('ab').encode('ab'.repeat(100))],
      ['Int32Array', () => model.forward(new Array<number>(200).fill(1))],
    ];
    for (const [kind, action] of cases) {
      const restore = failing(kind);
      try {
        await failure(action, 'out-of-memory', /entries/);
      } finally {
        restore();
      }
    }
    expect((await model.forward([1, 2])).length).toBe(26);
    model.dispose();
    expect((await engine.memory()).liveHandles).toBe(0);
    engine.dispose();
  });
});
