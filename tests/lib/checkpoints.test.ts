// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { CharTokenizer, tokenizerFromMetadata, tokenizerMetadata } from 'heed';

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
const variants = [
  { name: 'adamw', model: { dropout: 0.1 }, train: { accumulation: 2 } },
  {
    name: 'sgd',
    model: { norm: 'rms', position: 'rope', tied: false },
    train: { optimizer: 'sgd' },
  },
] as const;

describeEngines('checkpoints', (engine) => {
  test.each(variants)('K17 R092: $name resumes bit for bit', async ({ model, train }) => {
    const options = {
      model: { ...tinyModel, ...model },
      train: { ...tinyTrain, ...train },
      data,
    };
    const straight = await engine().createTrainer(options);
    const expected = timeless(await collect(straight.run()));
    const hash = await straight.model.weightsHash();
    straight.dispose();

    for (const stop of [0, 1, 7, 19]) {
      const first = await engine().createTrainer(options);
      await collect(first.run({ steps: stop }));
      const file = await first.save({ note: `after ${stop}` });
      first.dispose();
      const { trainer, metadata } = await engine().resumeTrainer(file, data);
      expect(metadata).toEqual({ note: `after ${stop}` });
      expect(trainer.step).toBe(stop);
      expect(trainer.config).toEqual({ ...trainer.config, ...options.train });
      expect(trainer.model.config).toEqual({ ...trainer.model.config, ...options.model });
      expect(timeless(await collect(trainer.run()))).toEqual(expected.slice(stop));
      expect(await trainer.model.weightsHash()).toBe(hash);
      trainer.dispose();
    }
  });

  test('a model comes back from a model\'s file and from a run\'s', async () => {
    const trainer = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
    await collect(trainer.run({ steps: 3 }));
    const hash = await trainer.model.weightsHash();
    const logits = await trainer.model.forward([1, 2, 3]);
    for (const file of [await trainer.save(), await trainer.model.save()]) {
      const { model, metadata } = await engine().loadModel(file);
      expect(metadata).toEqual({});
      expect(model.config).toEqual(trainer.model.config);
      expect(await model.weightsHash()).toBe(hash);
      expect(await model.forward([1, 2, 3])).toEqual(logits);
      expect(file.byteLength).toBeGreaterThan(0); // the caller's file was not given away
      model.dispose();
    }
    trainer.dispose();
  });

  test('the tokenizer travels in the metadata', async () => {
    const tokenizer = CharTokenizer.fromText('abc \u{1F44B}\n"\\\0\uFEFF');
    const model = await engine().createModel({ ...tinyModel, vocab: tokenizer.vocab });
    const mine = { ...tokenizerMetadata(tokenizer), '__proto__x': '\u{10FFFF}', empty: '' };
    const { model: back, metadata } = await engine().loadModel(await model.save(mine));
    expect(metadata).toEqual(mine);
    const restored = tokenizerFromMetadata(metadata)!;
    expect([...restored.encode('a\u{1F44B}\0')]).toEqual([...tokenizer.encode('a\u{1F44B}\0')]);
    model.dispose();
    back.dispose();
  });

  test('K20 R112: the file is safetensors that other tools open', async () => {
    const model = await engine().createModel(tinyModel);
    const file = await model.save({ note: 'x' });
    const length = Number(new DataView(file.buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    expect(header['__metadata__']).toMatchObject({ format: 'pt', note: 'x' });
    const { data_offsets: offsets, dtype, shape } = header['embed.weight'];
    expect([dtype, shape]).toEqual(['F32', [13, 16]]);
    const start = 8 + length;
    const values = new Float32Array(file.slice(start + offsets[0], start + offsets[1]).buffer);
    expect(values).toEqual(await model.read('embed.weight'));
    model.dispose();
  });

  test('other data are refused', async () => {
    const trainer = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
    const file = await trainer.save();
    trainer.dispose();
    const other = data.tokens.slice();
    other[200] = (other[200]! + 1) % 13;
    await failure(() => engine().resumeTrainer(file, { tokens: other }), 'bad-data', 'data');
    const lossMask = new Uint8Array(400).fill(1);
    lossMask[3] = 0;
    await failure(() => engine().resumeTrainer(file, { ...data, lossMask }), 'bad-data', 'data');
  });

  test('a damaged weight or moment is found', async () => {
    const trainer = await engine().createTrainer({ model: tinyModel, train: tinyTrain, data });
    await collect(trainer.run({ steps: 1 }));
    const file = await trainer.save();
    trainer.dispose();
    for (const at of [file.length - 3, file.length >> 1]) {
      const damaged = file.slice();
      damaged[at]! ^= 0x10;
      await failure(() => engine().resumeTrainer(damaged, data), 'bad-data');
    }
  });
});
