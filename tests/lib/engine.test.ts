// SPDX-License-Identifier: MIT
// The public API over both kinds of engine: callers cannot tell which they have.

import { expect, test } from 'vitest';
import { type Engine, type Trainer, createEngine } from 'heed';

import {
  collect,
  describeEngines,
  failure,
  timeless,
  tinyModel,
  tinyTrain,
  tokens,
} from './support.js';

const data = { tokens: tokens(400) };

async function withTrainer<T>(
  engine: Engine,
  use: (trainer: Trainer) => Promise<T>,
  train = {},
): Promise<T> {
  const trainer = await engine.createTrainer({
    model: tinyModel,
    train: { ...tinyTrain, ...train },
    data,
  });
  try {
    return await use(trainer);
  } finally {
    trainer.dispose();
  }
}

describeEngines('info', (engine) => {
  test('says what runs, where and why', () => {
    const { info } = engine();
    expect(info.variant).toBe('simd128');
    expect(info.threads).toBe(1);
    expect(info.reason).not.toBe('');
    expect(info.wasmHash).toMatch(/^[0-9a-f]{64}$/);
    expect(info.memoryLimit).toBe(4 * 2 ** 30);
    expect(info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Object.isFrozen(info)).toBe(true);
  });
});

describeEngines('models', (engine) => {
  test('configuration, tensors and parameters agree', async () => {
    const model = await engine().createModel({ ...tinyModel, bias: true });
    expect(model.config).toMatchObject({ ...tinyModel, kvHeads: 2, headWidth: 8, bias: true });
    const tensors = await model.tensors();
    expect(tensors[0]).toEqual({
      name: 'embed.weight',
      shape: [13, 16],
      parameters: 208,
      decays: true,
    });
    const norm = tensors.find(({ name }) => name === 'layers.0.norm1.bias');
    expect(norm).toMatchObject({ shape: [16], decays: false });
    expect(tensors.reduce((sum, { parameters }) => sum + parameters, 0)).toBe(model.parameters);
    model.dispose();
  });

  test('a model without layers or feed-forward is a model', async () => {
    for (const part of [{ layers: 0 }, { ffn: 0 }]) {
      const model = await engine().createModel({ ...tinyModel, ...part });
      expect((await model.forward([1, 2])).length).toBe(26);
      model.dispose();
    }
  });

  test('the seed fixes the weights', async () => {
    const hash = async (seed?: number) => {
      const init = seed === undefined ? {} : { seed };
      const model = await engine().createModel(tinyModel, init);
      const found = await model.weightsHash();
      model.dispose();
      return found;
    };
    expect(await hash(1)).toBe(await hash(1));
    expect(await hash(1)).not.toBe(await hash(2));
    expect(await hash()).toBe(await hash(1337));
    expect(await hash(2 ** 53 - 1)).not.toBe(await hash(0));
    expect(await hash(1)).toMatch(/^[0-9a-f]{16}$/);
  });

  test('what is written is read back, and changes the logits', async () => {
    const model = await engine().createModel(tinyModel);
    const before = await model.forward([1, 2, 3]);
    const values = (await model.read('norm.weight')).map((value) => value * 2);
    await model.write('norm.weight', values);
    expect(await model.read('norm.weight')).toEqual(values);
    expect(values.byteLength).toBe(64); // the caller's array was not given away
    const after = await model.forward([1, 2, 3]);
    after.forEach((value, i) => expect(value).toBeCloseTo(2 * before[i]!, 4));
    model.dispose();
  });

  test('K01 R001: arrays that were handed out outlive growth and disposal', async () => {
    const model = await engine().createModel(tinyModel);
    const embed = await model.read('embed.weight');
    const kept = embed.slice();
    const big = await engine().createModel({ vocab: 50_000, width: 512, heads: 8, layers: 1 });
    expect((await engine().memory()).heapBytes).toBeGreaterThan(100e6);
    expect(embed).toEqual(kept);
    expect(embed.buffer.byteLength).toBe(embed.byteLength);
    big.dispose();
    model.dispose();
    expect(embed).toEqual(kept);
  });

  test('loss is the mean cross-entropy of the logits; -1 is left out', async () => {
    const model = await engine().createModel(tinyModel);
    const ids = [1, 5, 12, 0];
    const targets = [5, 12, -1, 3];
    const logits = await model.forward(Int32Array.from(ids));
    let sum = 0;
    targets.forEach((target, t) => {
      if (target >= 0) {
        const row = logits.subarray(t * 13, t * 13 + 13);
        sum += Math.log(row.reduce((total, x) => total + Math.exp(x), 0)) - row[target]!;
      }
    });
    const loss = await model.loss(ids, targets);
    expect(loss.tokens).toBe(3);
    expect(loss.loss).toBeCloseTo(sum / 3, 5);
    expect(await model.loss([1], [-1])).toMatchObject({ loss: 0, tokens: 0 });
    model.dispose();
  });

  test('attention maps are causal and sum to 1', async () => {
    const model = await engine().createModel(tinyModel);
    const { layers, heads, time, weights } = await model.attention([3, 1, 4, 1, 5]);
    expect([layers, heads, time]).toEqual([2, 2, 5]);
    for (let row = 0; row < layers * heads * time; ++row) {
      const line = weights.subarray(row * time, (row + 1) * time);
      expect(line.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
      expect([...line.subarray((row % time) + 1)].every((weight) => weight === 0)).toBe(true);
    }
    model.dispose();
  });
});

describeEngines('generation', (engine) => {
  test('the seed fixes the text; temperature 0 is the likeliest token', async () => {
    const model = await engine().createModel(tinyModel);
    const text = (options: object) => collect(model.generate({ tokens: 12, ...options }));
    expect(await text({ seed: 3 })).toEqual(await text({ seed: 3 }));
    expect(await text({ seed: 3 })).not.toEqual(await text({ seed: 4 }));
    const logits = await model.forward([2, 7]);
    const last = logits.subarray(13);
    const [first] = await text({ prompt: [2, 7], temperature: 0, seed: 9 });
    expect(first).toBe(last.indexOf(Math.max(...last)));
    expect(await text({ topK: 1, seed: 1, prompt: [2] })).toEqual(
      await text({ temperature: 0, prompt: [2] }),
    );
    model.dispose();
  });

  test('K22 R131: prompts and texts longer than the context', async () => {
    for (const position of ['learned', 'sinusoidal', 'rope', 'none'] as const) {
      const model = await engine().createModel({ ...tinyModel, context: 16, position });
      for (const length of [1, 16, 17, 1000]) {
        const prompt = tokens(length);
        const made = await collect(model.generate({ prompt, tokens: 100 }));
        expect(made.length).toBe(100);
        expect(made.every((token) => token >= 0 && token < 13)).toBe(true);
      }
      await failure(() => collect(model.generate({ prompt: [], tokens: 1 })), 'bad-data', 'empty');
      model.dispose();
    }
  });

  test('K22 R129, R130: ranges of temperature, topK and topP', async () => {
    const model = await engine().createModel(tinyModel);
    const one = (options: object) => collect(model.generate({ tokens: 1, ...options }));
    for (const options of [{ topK: 13 }, { topK: 14 }, { topK: 1e9 }, { topP: 1e-9 }]) {
      expect((await one(options)).length).toBe(1);
    }
    await failure(() => one({ temperature: -1 }), 'invalid-argument', 'emperature');
    await failure(() => one({ topK: -1 }), 'invalid-argument', 'opK');
    for (const topP of [0, -1, 1.5]) {
      await failure(() => one({ topP }), 'invalid-argument', 'opP');
    }
    model.dispose();
  });

  test('it ends at a stop token, an abort, a break, and after no token at all', async () => {
    const model = await engine().createModel(tinyModel);
    const all = await collect(model.generate({ tokens: 40, seed: 1 }));
    const stop = all[10]!;
    const stopped = await collect(model.generate({ tokens: 40, seed: 1, stop: [stop] }));
    expect(stopped).toEqual(all.slice(0, all.indexOf(stop) + 1));
    expect(await collect(model.generate({ tokens: 0 }))).toEqual([]);

    const controller = new AbortController();
    const aborted: number[] = [];
    for await (const token of model.generate({ tokens: 40, seed: 1, signal: controller.signal })) {
      aborted.push(token);
      if (aborted.length === 3) {
        controller.abort();
      }
    }
    expect(aborted).toEqual(all.slice(0, 3));
    for await (const token of model.generate({ tokens: 40, seed: 1 })) {
      expect(token).toBe(all[0]);
      break;
    }
    // The loops above freed their caches: only the model is left.
    expect((await engine().memory()).liveHandles).toBe(1);
    model.dispose();
  });
});

describeEngines('training', (engine) => {
  test('it learns, step by step, as asked', async () => {
    await withTrainer(
      engine(),
      async (trainer) => {
        const metrics = await collect(trainer.run());
        expect(metrics.map(({ step }) => step)).toEqual(
          Array.from({ length: 150 }, (_, i) => i + 1),
        );
        expect(trainer.step).toBe(150);
        expect(metrics[0]!.loss).toBeCloseTo(Math.log(13), 0);
        expect(metrics.at(-1)!.loss).toBeLessThan(0.5);
        expect(metrics[0]).toMatchObject({ tokens: 16 });
        expect(metrics[0]!.learningRate).toBeGreaterThan(0); // K17 R090
        expect(await collect(trainer.run())).toEqual([]);
      },
      { steps: 150, learningRate: 1e-2 },
    );
  });

  test('every and steps say which metrics come; the last always does', async () => {
    await withTrainer(engine(), async (trainer) => {
      const steps = async (options: object) =>
        (await collect(trainer.run(options))).map(({ step }) => step);
      expect(await steps({ steps: 7, every: 3 })).toEqual([3, 6, 7]);
      expect(await steps({ steps: 0 })).toEqual([]);
      expect(await steps({ steps: 2 })).toEqual([8, 9]);
      expect(await steps({ every: 100 })).toEqual([20]);
    });
  });

  test('it is pulled: nothing runs before or between', async () => {
    await withTrainer(engine(), async (trainer) => {
      const run = trainer.run();
      const before = await trainer.model.weightsHash();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await trainer.model.weightsHash()).toBe(before);
      await run.next();
      const after = await trainer.model.weightsHash();
      expect(after).not.toBe(before);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await trainer.model.weightsHash()).toBe(after);
      expect(trainer.step).toBe(1);
      await run.return!();
      expect(await collect(run)).toEqual([]);
    });
  });

  test('two runs with one seed are equal to the bit; reset starts the same one again', async () => {
    const once = () =>
      withTrainer(engine(), async (trainer) => {
        const metrics = timeless(await collect(trainer.run()));
        const hash = await trainer.model.weightsHash();
        await trainer.reset();
        expect(trainer.step).toBe(0);
        expect(timeless(await collect(trainer.run()))).toEqual(metrics);
        expect(await trainer.model.weightsHash()).toBe(hash);
        return { metrics, hash };
      });
    expect(await once()).toEqual(await once());
  });

  test('every optimizer, schedule and kind of model trains', async () => {
    const models = [
      { norm: 'rms', position: 'rope', activation: 'swiglu', kvHeads: 1, tied: false },
      { norm: 'none', position: 'sinusoidal', activation: 'relu', ropeLayout: 'interleaved' },
      { normPosition: 'post', activation: 'silu', position: 'none', bias: true },
      { activation: 'geluTanh', dropout: 0.2, ffn: 0 },
      { activation: 'relu2' },
      { activation: 'geglu' },
      { position: 'alibi', window: 3, softcap: 5, scale: 0.5, qkNorm: true },
    ] as const;
    for (const model of models) {
      for (const train of [
        { optimizer: 'sgd', schedule: 'constant' },
        { optimizer: 'adamw', schedule: 'cosine', accumulation: 2, clip: 0 },
        { optimizer: 'lion', schedule: 'wsd', decayFraction: 0.5 },
        { optimizer: 'muon', schedule: 'wsd' },
        { optimizer: 'adamw', schedule: 'linear', labelSmoothing: 0.1 },
      ] as const) {
        const trainer = await engine().createTrainer({
          model: { ...tinyModel, ...model },
          train: { ...tinyTrain, ...train, steps: 3 },
          data,
        });
        const metrics = await collect(trainer.run());
        expect(metrics.length).toBe(3);
        expect(metrics.every(({ loss }) => Number.isFinite(loss))).toBe(true);
        trainer.dispose();
      }
    }
  });

  test('an existing model keeps its weights and outlives its trainer', async () => {
    const model = await engine().createModel(tinyModel, { seed: 77 });
    const before = await model.weightsHash();
    const trainer = await engine().createTrainer({ model, train: tinyTrain, data });
    expect(trainer.model).toBe(model);
    expect(await model.weightsHash()).toBe(before);
    await collect(trainer.run({ steps: 2 }));
    trainer.dispose();
    expect(model.disposed).toBe(false);
    expect(await model.weightsHash()).not.toBe(before);
    model.dispose();
  });

  test('the loss mask counts only what it marks', async () => {
    const lossMask = new Uint8Array(400);
    const none = await engine().createTrainer({
      model: tinyModel,
      train: { ...tinyTrain, weightDecay: 0 },
      data: { ...data, lossMask },
    });
    const before = await none.model.weightsHash();
    const [first] = await collect(none.run({ steps: 1 }));
    expect(first!.loss).toBe(0); // K14 R073
    expect(await none.model.weightsHash()).toBe(before);
    none.dispose();
  });

  test('evaluation is the mean over whole windows and changes nothing', async () => {
    await withTrainer(engine(), async (trainer) => {
      await collect(trainer.run({ steps: 5 }));
      const hash = await trainer.model.weightsHash();
      const whole = await trainer.evaluate();
      // 40 validation tokens hold 4 windows of 8 with their targets.
      expect(whole.tokens).toBe(32);
      let sum = 0;
      const part = data.tokens.subarray(360);
      for (let at = 0; at < 32; at += 8) {
        const { loss } = await trainer.model.loss(
          part.slice(at, at + 8),
          part.slice(at + 1, at + 9),
        );
        sum += loss;
      }
      expect(whole.loss).toBeCloseTo(sum / 4, 5);
      expect((await trainer.evaluate({ maxWindows: 2 })).tokens).toBe(16);
      expect((await trainer.evaluate({ split: 'train' })).tokens).toBe(352);
      expect(await trainer.model.weightsHash()).toBe(hash);
    });
  });

  test('K19 R103: dropout is off outside training', async () => {
    const trainer = await engine().createTrainer({
      model: { ...tinyModel, dropout: 0.5 },
      train: tinyTrain,
      data,
    });
    expect(await trainer.evaluate()).toEqual(await trainer.evaluate());
    const made = () => collect(trainer.model.generate({ tokens: 10, seed: 2 }));
    expect(await made()).toEqual(await made());
    trainer.dispose();
  });

  test('reading between steps does not disturb the run', async () => {
    const plain = await withTrainer(engine(), async (trainer) => {
      await collect(trainer.run());
      return trainer.model.weightsHash();
    });
    const watched = await withTrainer(engine(), async (trainer) => {
      for await (const { step } of trainer.run()) {
        await trainer.model.attention([1, 2, 3]);
        await trainer.evaluate({ maxWindows: 1 });
        await collect(trainer.model.generate({ tokens: 3, seed: step }));
        await trainer.save();
      }
      return trainer.model.weightsHash();
    });
    expect(watched).toBe(plain);
  });
});

describeEngines('forecast', (engine) => {
  test('says what making the trainer then takes', async () => {
    const forecast = await engine().forecast(tinyModel, tinyTrain);
    const { parameters, gradients, optimizer, activations, total } = forecast.bytes;
    expect(parameters + gradients + optimizer + activations).toBe(total);
    expect(forecast.tokensPerStep).toBe(16);
    expect(forecast.flopsPerStep).toBeGreaterThan(6 * 16 * 4000);
    const before = (await engine().memory()).bytesInUse;
    await withTrainer(engine(), async (trainer) => {
      expect(trainer.model.parameters).toBe(forecast.parameters);
      const used = (await engine().memory()).bytesInUse - before;
      // Beside the forecast there are the tokens (1,600 bytes) and tables of names.
      expect(used).toBeGreaterThanOrEqual(total);
      expect(used).toBeLessThan(total + 16_384);
    });
  });

  test('K03 R013: sizes beyond any memory are exact numbers, not errors', async () => {
    const huge = { vocab: 1_000_000, width: 65_536, layers: 256, ffn: 262_144, heads: 64 };
    const forecast = await engine().forecast(huge);
    expect(forecast.bytes.total).toBeGreaterThan(2 ** 40);
    expect(Number.isSafeInteger(forecast.parameters)).toBe(true);
  });

  test('it refuses what createTrainer would refuse', async () => {
    await failure(() => engine().forecast({ vocab: 0 }), 'invalid-argument', 'ocab');
    await failure(
      () => engine().forecast(tinyModel, { learningRate: -1 }),
      'invalid-argument',
      'earningRate',
    );
  });
});

test('both kinds of engine compute the same bits', async () => {
  const hashes: string[] = [];
  for (const where of ['thread', 'worker'] as const) {
    const engine = await createEngine({ where });
    hashes.push(
      await withTrainer(engine, async (trainer) => {
        await collect(trainer.run());
        return trainer.model.weightsHash();
      }),
    );
    engine.dispose();
  }
  expect(hashes[0]).toBe(hashes[1]);
});
