// SPDX-License-Identifier: MIT
import { describe, expect, test } from 'vitest';
import { modelDefaults, presets, trainDefaults } from 'heed';

import {
  checkData,
  checkEngineOptions,
  checkEvaluateOptions,
  checkGenerateOptions,
  checkMetadata,
  checkRunOptions,
  checkTrainerOptions,
} from '../../web/lib/dist/call-options.js';
import { checkSeed, resolveModel, resolveTrain } from '../../web/lib/dist/options.js';
import { configOf, parseFields, valuesOf } from '../../web/lib/dist/fields.js';
import { failure } from './support.js';

describe('defaults', () => {
  test('what follows from other options follows from those given', () => {
    const model = resolveModel({ vocab: 10, width: 96, heads: 6 });
    expect(model).toMatchObject({ kvHeads: 6, headWidth: 16, ffn: 384, context: 64 });
    expect(resolveModel({ vocab: 10, headWidth: 5, width: 13 }).headWidth).toBe(5);
    expect(resolveTrain({ learningRate: 0.5 }).minLearningRate).toBe(0.05);
  });

  test('undefined means the default', () => {
    expect(resolveModel({ vocab: 10, width: undefined as never }).width).toBe(modelDefaults.width);
    expect(resolveTrain({ steps: undefined as never })).toEqual(trainDefaults);
    expect(resolveTrain()).toEqual(trainDefaults);
  });

  test('the preset nanogpt-cpu is the documented setting', () => {
    const { model, train } = presets['nanogpt-cpu'];
    expect(resolveModel({ vocab: 65, ...model })).toEqual({
      vocab: 65,
      context: 64,
      layers: 4,
      heads: 4,
      kvHeads: 4,
      width: 128,
      headWidth: 32,
      ffn: 512,
      norm: 'layer',
      normPosition: 'pre',
      activation: 'geluErf',
      position: 'learned',
      ropeBase: 10_000,
      ropeLayout: 'halves',
      bias: false,
      tied: true,
      dropout: 0,
      scale: 0,
      softcap: 0,
      window: 0,
      qkNorm: false,
      mask: 'causal',
      value: 'learned',
      outProjection: true,
      uniformAttention: false,
      init: 'gpt2',
    });
    expect(resolveTrain(train)).toEqual(trainDefaults);
  });
});

describe('refusals', () => {
  const wrongValues = ['64', Number.NaN, Infinity, null, {}, [], true, 1n];

  test('K04 R020: every model option refuses wrong types and names itself', async () => {
    const config = resolveModel({ vocab: 10 });
    for (const key of Object.keys(config)) {
      for (const wrong of wrongValues) {
        const isFlag = typeof config[key as keyof typeof config] === 'boolean';
        if (isFlag && wrong === true) {
          continue;
        }
        await failure(
          () => resolveModel({ ...config, [key]: wrong } as never),
          'invalid-argument',
          `"${key}" must be`,
        );
      }
    }
  });

  test('K04 R020: every train option refuses wrong types and names itself', async () => {
    for (const key of Object.keys(trainDefaults)) {
      for (const wrong of wrongValues) {
        await failure(
          () => resolveTrain({ [key]: wrong } as never),
          'invalid-argument',
          `"${key}" must be`,
        );
      }
    }
  });

  test('unknown keys are refused and the known ones listed, also those of Object', async () => {
    await failure(
      () => resolveModel({ vocab: 10, colour: 1 } as never),
      'invalid-argument',
      '"colour"',
      'vocab, context',
    );
    await failure(() => resolveTrain({ toString: 1 } as never), 'invalid-argument', '"toString"');
  });

  test('what is needed is asked for', async () => {
    await failure(() => resolveModel({} as never), 'invalid-argument', '"vocab"');
    await failure(() => checkGenerateOptions({} as never), 'invalid-argument', '"tokens"');
    await failure(() => checkTrainerOptions({ data: {} } as never), 'invalid-argument', '"model"');
    await failure(() => checkData({} as never), 'invalid-argument', '"tokens"');
  });

  test('a width that heads do not divide is refused', async () => {
    await failure(() => resolveModel({ vocab: 5, width: 130 }), 'invalid-argument', '130', '4');
  });

  test('things that are not option objects are refused by every check', async () => {
    const checks: ((value: never) => unknown)[] = [
      resolveModel,
      resolveTrain,
      checkSeed,
      checkRunOptions,
      checkEvaluateOptions,
      checkGenerateOptions,
      checkEngineOptions,
      checkTrainerOptions,
      checkData,
      checkMetadata,
    ];
    for (const check of checks) {
      for (const wrong of [null, 3, 'x', [], () => 0]) {
        await failure(() => check(wrong as never), 'invalid-argument', 'object');
      }
    }
  });

  test('numbers out of range of the calls that check here', async () => {
    await failure(() => checkRunOptions({ steps: -1 }), 'invalid-argument', 'steps');
    await failure(() => checkRunOptions({ every: 0 }), 'invalid-argument', 'every');
    await failure(() => checkRunOptions({ every: 0.5 }), 'invalid-argument', 'whole');
    await failure(() => checkEvaluateOptions({ maxWindows: 0 }), 'invalid-argument', 'maxWindows');
    await failure(() => checkSeed({ seed: -1 }), 'invalid-argument', 'seed');
    await failure(
      () => checkEvaluateOptions({ split: 'test' as never }),
      'invalid-argument',
      "'train' or 'validation'",
    );
  });

  test('data and metadata of the wrong kind', async () => {
    const tokens = new Int32Array(4);
    await failure(() => checkData({ tokens: [1, 2] as never }), 'invalid-argument', 'Int32Array');
    await failure(
      () => checkData({ tokens, lossMask: new Uint8Array(3) }),
      'invalid-argument',
      '3 entries',
    );
    await failure(() => checkMetadata({ a: 1 as never }), 'invalid-argument', '"a" must be');
    await failure(() => checkEngineOptions({ wasmUrl: 5 as never }), 'invalid-argument', 'URL');
    await failure(() => checkEngineOptions({ wasmBinary: [0] as never }), 'invalid-argument');
    await failure(() => checkRunOptions({ signal: {} as never }), 'invalid-argument', 'Abort');
  });
});

test('configurations become numbers by the core\'s own field list, and come back', () => {
  const fields = parseFields('vocab number\nnorm layer rms none\nbias flag\ndropout float\n');
  expect(fields.map((field) => field.kind)).toEqual(['number', 'names', 'flag', 'float']);
  const config = { vocab: 65, norm: 'rms', bias: true, dropout: 0.1 };
  const values = valuesOf(fields, config);
  expect([...values]).toEqual([65, 1, 1, 0.1]);
  // The core keeps floats in 32 bits.
  values[3] = Math.fround(0.1);
  expect(configOf(fields, values)).toEqual(config);
  values[3] = Math.fround(1 / 3);
  expect(Math.fround((configOf(fields, values) as typeof config).dropout)).toBe(values[3]);
});
