// SPDX-License-Identifier: MIT
// Every public call with what it must not get: a typed error that says what to do, and an engine
// that goes on.

import { expect, test } from 'vitest';
import { type Engine, type ModelOptions, type TrainOptions, CharTokenizer } from 'heed';

import { collect, describeEngines, failure, tinyModel, tinyTrain, tokens } from './support.js';

const data = { tokens: tokens(400) };

/** The engine still does its work. */
async function goesOn(engine: Engine): Promise<void> {
  const trainer = await engine.createTrainer({ model: tinyModel, train: tinyTrain, data });
  expect((await collect(trainer.run({ steps: 1 }))).length).toBe(1);
  trainer.dispose();
}

describeEngines('K04 R020: model options', (engine) => {
  const cases: [string, Partial<ModelOptions>, string][] = [
    ['no vocabulary', { vocab: 0 }, 'vocab'],
    ['negative vocabulary', { vocab: -5 }, 'vocab'],
    ['huge vocabulary', { vocab: 2 ** 40 }, 'vocab'],
    ['no context', { context: 0 }, 'context'],
    ['negative layers', { layers: -1 }, 'layers'],
    ['no heads', { heads: 0 }, 'heads'],
    ['heads that do not divide the width', { heads: 3 }, 'heads'],
    ['kvHeads that do not divide heads', { heads: 4, kvHeads: 3 }, 'kvHeads'],
    ['no kvHeads', { kvHeads: 0 }, 'kvHeads'],
    ['no width', { width: 0 }, 'idth'],
    ['negative ffn', { ffn: -1 }, 'ffn'],
    ['odd head width for rope', { position: 'rope', headWidth: 5 }, 'headWidth'],
    ['rope base of 1', { ropeBase: 1 }, 'ropeBase'],
    ['negative rope base', { ropeBase: -3 }, 'ropeBase'],
    ['dropout of 1', { dropout: 1 }, 'dropout'],
    ['negative dropout', { dropout: -0.1 }, 'dropout'],
    ['a negative scale', { scale: -1 }, 'scale'],
    ['an endless soft cap', { softcap: Infinity }, 'softcap'],
    ['a window without a mask', { window: 3, mask: 'none' }, 'window'],
    ['norms of no queries', { qkNorm: true, uniformAttention: true }, 'qkNorm'],
    ['ALiBi without scores', { position: 'alibi', uniformAttention: true }, 'alibi'],
    ['NaN', { width: Number.NaN }, 'width'],
    ['infinity', { dropout: Infinity }, 'dropout'],
    ['a fraction', { layers: 1.5 }, 'layers'],
    ['a wrong name', { norm: 'batch' as never }, 'norm'],
  ];
  test.each(cases)('%s', async (_, options, word) => {
    const model = { ...tinyModel, ...options };
    await failure(() => engine().createModel(model), 'invalid-argument', new RegExp(word, 'i'));
    await failure(() => engine().forecast(model), 'invalid-argument');
    await failure(() => engine().createTrainer({ model, data }), 'invalid-argument');
    await goesOn(engine());
  });
});

describeEngines('K04 R020: train options', (engine) => {
  const cases: [string, TrainOptions, string][] = [
    ['no steps', { steps: 0 }, 'steps'],
    ['negative batch', { batch: -1 }, 'batch'],
    ['huge batch', { batch: 1e9 }, 'batch'],
    ['no accumulation', { accumulation: 0 }, 'accumulation'],
    ['a seed beyond 2^53', { seed: 2 ** 60 }, 'seed'],
    ['a negative seed', { seed: -1 }, 'seed'],
    ['no learning rate', { learningRate: 0 }, 'learningRate'],
    ['NaN', { learningRate: Number.NaN }, 'learningRate'],
    ['a minimum above the rate', { learningRate: 1e-3, minLearningRate: 1 }, 'minLearningRate'],
    ['beta1 of 1', { beta1: 1 }, 'beta1'],
    ['negative beta2', { beta2: -1 }, 'beta2'],
    ['no epsilon', { epsilon: 0 }, 'epsilon'],
    ['negative decay', { weightDecay: -1 }, 'weightDecay'],
    ['momentum of 1', { momentum: 1 }, 'momentum'],
    ['negative clip', { clip: -1 }, 'clip'],
    ['labels smoothed away', { labelSmoothing: 1 }, 'labelSmoothing'],
    ['everything for validation', { valFraction: 1 }, 'valFraction'],
    ['a decay longer than the run', { decayFraction: 1.5 }, 'decayFraction'],
    ['negative warm-up', { warmup: -1 }, 'warmup'],
    ['a wrong name', { optimizer: 'adam' as never }, 'optimizer'],
  ];
  test.each(cases)('%s', async (_, train, word) => {
    await failure(
      () => engine().createTrainer({ model: tinyModel, train, data }),
      'invalid-argument',
      new RegExp(word, 'i'),
    );
    await goesOn(engine());
  });
});

describeEngines('K23 R135: too little data', (engine) => {
  test('0, 1 and T tokens are errors naming N and T; T + 1 train', async () => {
    for (const count of [0, 1, 8]) {
      await failure(
        () =>
          engine().createTrainer({
            model: tinyModel,
            train: { ...tinyTrain, valFraction: 0 },
            data: { tokens: tokens(count) },
          }),
        'bad-data',
        new RegExp(`\\b${count}\\b`),
        /\b[89]\b/,
      );
    }
    const trainer = await engine().createTrainer({
      model: tinyModel,
      train: { ...tinyTrain, valFraction: 0 },
      data: { tokens: tokens(9) },
    });
    expect((await collect(trainer.run({ steps: 2 }))).length).toBe(2);
    // There is no validation part to speak of.
    await failure(() => trainer.evaluate(), 'bad-data', 'validation');
    trainer.dispose();
  });
});

describeEngines('K04 R020: calls with the wrong things', (engine) => {
  test('tokens', async () => {
    const model = await engine().createModel(tinyModel);
    for (const wrong of [undefined, null, 5, 'text', {}]) {
      await failure(() => model.forward(wrong as never), 'invalid-argument', 'tokens');
      await failure(() => model.attention(wrong as never), 'invalid-argument', 'tokens');
      await failure(() => model.loss(wrong as never, [1]), 'invalid-argument', 'tokens');
      await failure(() => model.loss([1], wrong as never), 'invalid-argument', 'targets');
    }
    for (const wrong of [0.5, Number.NaN, 2 ** 32, '1', null, undefined]) {
      await failure(() => model.forward([0, wrong as never]), 'invalid-argument', /tokens\[1\]/);
    }
    await failure(() => model.forward([13]), 'bad-data', '13', 'position 0');
    await failure(() => model.forward([0, -1]), 'bad-data', 'position 1');
    await failure(() => model.forward([]), 'bad-data', '0 tokens');
    await failure(() => model.forward(new Array(9).fill(0)), 'bad-data', '9 tokens', 'context');
    await failure(() => model.loss([1, 2], [1]), 'invalid-argument', '1 targets for 2');
    await failure(() => model.loss([1], [13]), 'bad-data', '13');
    await failure(() => model.loss([1], [-2]), 'bad-data', '-2');
    model.dispose();
  });

  test('tensors', async () => {
    const model = await engine().createModel(tinyModel);
    for (const wrong of [undefined, null, 5, {}]) {
      await failure(() => model.read(wrong as never), 'invalid-argument', 'name');
    }
    for (const name of ['', 'nothing', 'embed.weight\0', 'x'.repeat(100_000), '\u{1F44B}']) {
      await failure(() => model.read(name), 'invalid-argument', 'no tensor');
      await failure(() => model.write(name, new Float32Array(1)), 'invalid-argument', 'no tensor');
    }
    for (const wrong of [undefined, [1], new Float64Array(16), new ArrayBuffer(64)]) {
      await failure(
        () => model.write('norm.weight', wrong as never),
        'invalid-argument',
        'Float32Array',
      );
    }
    for (const length of [0, 15, 17]) {
      await failure(
        () => model.write('norm.weight', new Float32Array(length)),
        'invalid-argument',
        '16 values',
        `${length} were given`,
      );
    }
    model.dispose();
  });

  test('generation', async () => {
    const model = await engine().createModel(tinyModel);
    const generate = (options: object) => collect(model.generate({ tokens: 3, ...options }));
    await failure(() => model.generate(undefined as never), 'invalid-argument');
    await failure(() => generate({ tokens: -1 }), 'invalid-argument', 'tokens');
    await failure(() => generate({ tokens: 1.5 }), 'invalid-argument', 'tokens');
    await failure(() => generate({ tokens: Number.NaN }), 'invalid-argument', 'tokens');
    await failure(() => generate({ prompt: 'text' }), 'invalid-argument', 'prompt');
    await failure(() => generate({ prompt: [99] }), 'bad-data', '99');
    await failure(() => generate({ prompt: ['1'] }), 'invalid-argument', /prompt\[0\]/);
    await failure(() => generate({ stop: [0.5] }), 'invalid-argument', /stop\[0\]/);
    await failure(() => generate({ temperature: Number.NaN }), 'invalid-argument', 'temperature');
    await failure(() => generate({ seed: -1 }), 'invalid-argument', 'eed');
    await failure(() => generate({ seed: 2 ** 60 }), 'invalid-argument', 'eed');
    await failure(() => generate({ beams: 4 }), 'invalid-argument', 'beams');
    model.dispose();
  });

  test('trainers', async () => {
    const make = (options: object) =>
      engine().createTrainer({ model: tinyModel, train: tinyTrain, data, ...options } as never);
    await failure(() => engine().createTrainer(undefined as never), 'invalid-argument');
    await failure(() => make({ model: null }), 'invalid-argument', 'model');
    await failure(() => make({ model: 5 }), 'invalid-argument', 'model');
    await failure(() => make({ data: null }), 'invalid-argument', 'data');
    await failure(() => make({ data: { tokens: [1, 2] } }), 'invalid-argument', 'Int32Array');
    await failure(() => make({ data: { tokens: tokens(400).fill(13) } }), 'bad-data', '13');
    await failure(() => make({ data: { tokens: tokens(400).fill(-1) } }), 'bad-data', '-1');
    await failure(() => make({ optimizer: {} }), 'invalid-argument', 'optimizer');
    const trainer = await make({});
    for (const wrong of [{ every: 0 }, { every: -1 }, { steps: -1 }, { signal: 5 }, null, 5]) {
      await failure(() => trainer.run(wrong as never), 'invalid-argument');
    }
    for (const wrong of [{ split: 'test' }, { maxWindows: 0 }, { maxWindows: 0.5 }, null]) {
      await failure(() => trainer.evaluate(wrong as never), 'invalid-argument');
    }
    await failure(() => trainer.save({ a: 1 as never }), 'invalid-argument', '"a"');
    await failure(() => trainer.save({ 'heed.kind': 'x' }), 'invalid-argument', 'heed');
    await failure(() => trainer.save(null as never), 'invalid-argument');
    expect((await collect(trainer.run({ steps: 1 }))).length).toBe(1);
    trainer.dispose();
  });

  test('files', async () => {
    for (const wrong of [undefined, null, 'path', new ArrayBuffer(8), [0]]) {
      await failure(() => engine().loadModel(wrong as never), 'invalid-argument', 'Uint8Array');
      await failure(
        () => engine().resumeTrainer(wrong as never, data),
        'invalid-argument',
        'Uint8Array',
      );
    }
    const model = await engine().createModel(tinyModel);
    const file = await model.save({ note: 'x' });
    const bad: [string, Uint8Array][] = [
      ['empty', new Uint8Array(0)],
      ['seven bytes', file.slice(0, 7)],
      ['K20 R106 a length near 2^64', new Uint8Array(64).fill(0xff)],
      ['cut in the header', file.slice(0, 100)],
      ['cut by a byte', file.slice(0, -1)],
      ['a byte too long', Uint8Array.from([...file, 0])],
      ['text', new TextEncoder().encode('{"a": 1}'.repeat(100))],
      ['zeros', new Uint8Array(1000)],
    ];
    for (const [name, bytes] of bad) {
      const error = await failure(() => engine().loadModel(bytes), 'bad-data');
      expect(error.message, name).not.toBe('');
      await failure(() => engine().resumeTrainer(bytes, data), 'bad-data');
    }
    // A model alone is no run.
    await failure(() => engine().resumeTrainer(file, data), 'bad-data', 'model');
    model.dispose();
    await goesOn(engine());
  });
});

test('K23: binary data and a 50 MB text reach the tokenizer as they are', () => {
  const binary = Array.from({ length: 70_000 }, (_, i) => String.fromCharCode(i & 0xffff)).join('');
  const chars = CharTokenizer.fromText(binary);
  expect(chars.decode(chars.encode(binary))).toBe(binary.toWellFormed());
  const large = 'To be, or not to be: that is the question. \n'.repeat(1_136_364);
  expect(large.length).toBeGreaterThan(50e6 - 50);
  const ids = CharTokenizer.fromText(large).encode(large);
  expect(ids.length).toBe(large.length);
});
