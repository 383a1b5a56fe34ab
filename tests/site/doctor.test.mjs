// SPDX-License-Identifier: MIT
// The doctor at real runs: eleven that go wrong in a known way, and as many and more that go well.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { CharTokenizer, createEngine, describeTask, taskPresets } from '../../web/lib/dist/node.js';
import { siteModule } from './site-module.mjs';

const { Doctor, Examiner } = await siteModule('doctor/index.ts');
const sonnets = await readFile(
  new URL('../../web/site/generated/texts/sonnets.txt', import.meta.url), 'utf8');

function onText(model = {}, train = {}, text = sonnets) {
  const tokenizer = CharTokenizer.fromText(text);
  const learningRate = train.learningRate ?? 0.004;
  return {
    model: {
      vocab: tokenizer.vocab, layers: 2, heads: 2, width: 32, context: 32, position: 'rope',
      bias: false, tied: true, ...model,
    },
    train: {
      batch: 8, steps: 1000, warmup: 50, seed: 1337, beta2: 0.99, minLearningRate: learningRate / 10,
      ...train, learningRate,
    },
    data: { tokens: tokenizer.encode(text) },
  };
}

function onTask(task, model = {}, train = {}) {
  const preset = taskPresets[task];
  const { vocab, context } = describeTask(preset.data);
  return {
    model: { ...preset.model, vocab, context, ...model },
    train: { ...preset.train, ...train },
    data: preset.data,
  };
}

describe('the doctor', { timeout: 600_000 }, () => {
  let engine;

  before(async () => {
    engine = await createEngine();
  });
  after(() => engine?.dispose());

  /** Trains, looks every so many steps, and returns what was found at any time, by kind. */
  async function watched(run, { steps = 300, every = 20, change = () => {}, until } = {}) {
    const trainer = await engine.createTrainer(run);
    await change(trainer.model);
    const doctor = new Doctor();
    const examiner = new Examiner();
    const course = { steps: [], loss: [], validationSteps: [], validation: [] };
    const found = {};
    doctor.begin(run.model.vocab, trainer.config.warmup, 0);
    examiner.begin();
    try {
      while (trainer.step < steps) {
        const looks = (trainer.step + 1) % every === 0;
        if (looks) await examiner.before(trainer);
        for await (const metrics of trainer.run({ steps: 1 })) {
          doctor.stepped(metrics);
          course.steps.push(metrics.step);
          course.loss.push(metrics.loss);
        }
        if (looks) {
          doctor.looked(await examiner.after(trainer));
          const { loss } = await trainer.evaluate({ maxWindows: 32 });
          course.validationSteps.push(trainer.step);
          course.validation.push(loss);
        }
        for (const finding of doctor.findings(course)) found[finding.kind] ??= { ...finding, step: trainer.step };
        if (until !== undefined && found[until] !== undefined) break;
      }
    } catch (error) {
      // What was found before it came to that counts.
      if (error.code !== 'non-finite') throw error;
    } finally {
      trainer.dispose();
    }
    return found;
  }

  /** W_V and W_O of head 0 of layer 0 at zero: neither has a gradient as long as the other is zero. */
  async function silence(model) {
    const { heads, headWidth, width } = model.config;
    for (const { name, shape } of await model.tensors()) {
      if (!/^layers\.0\..*(value|output)\.weight$/.test(name)) continue;
      const values = await model.read(name);
      const [rows, columns] = shape;
      for (let i = 0; i < values.length; ++i) {
        const row = Math.floor(i / columns);
        const column = i % columns;
        const ofHead = columns === heads * headWidth && name.includes('value') ? column : row;
        if (ofHead < headWidth) values[i] = 0;
      }
      assert.equal(rows * columns, values.length);
      assert.equal(width, heads * headWidth);
      await model.write(name, values);
    }
  }

  const bad = {
    'a rate of 10: the loss climbs': [onText({}, { learningRate: 10, weightDecay: 0 }), 'diverging'],
    'a rate ten times too high': [onText({}, { learningRate: 0.03 }), 'rateHigh'],
    'a rate of 0.3': [onText({}, { learningRate: 0.3 }), 'rateHigh'],
    'a rate of a millionth': [onText({}, { learningRate: 1e-6 }), 'rateLow'],
    'SGD at a rate for Adam': [
      onText({}, { optimizer: 'sgd', learningRate: 3e-6, weightDecay: 0 }), 'rateLow'],
    'a text of 1500 characters': [
      onText({ width: 64 }, { valFraction: 0.2 }, sonnets.slice(0, 1500)), 'overfitting'],
    'twelve layers, norms behind': [onText({ layers: 12, normPosition: 'post' }), 'vanishing'],
    'scores times 30': [onText({ scale: 30 }), 'saturated'],
    'a head without value and output': [onText(), 'silent', { change: silence }],
    'scores times almost nothing': [onText({ scale: 1e-5 }), 'unsteered'],
    'no norms and large weights': [
      onText({ layers: 8, norm: 'none', init: 'unit', activation: 'relu2' }, { learningRate: 0.03 }),
      'exploding', { every: 5 }],
  };

  for (const [name, [run, kind, options]] of Object.entries(bad)) {
    test(`${name}: ${kind}`, async () => {
      const found = await watched(run, { until: kind, steps: 400, ...options });
      assert.ok(found[kind], `found only ${JSON.stringify(found)}`);
    });
  }

  const good = {
    'the usual settings': onText(),
    'four heads, RMS norm, SwiGLU, ALiBi': onText({
      heads: 4, kvHeads: 2, norm: 'rms', activation: 'swiglu', position: 'alibi' }),
    'learned positions, dropout': onText({ position: 'learned', bias: true, tied: false, dropout: 0.1 }),
    'norms behind, four layers': onText({ layers: 4, normPosition: 'post' }),
    'no norms': onText({ norm: 'none' }),
    'windows of three': onText({ window: 3 }),
    'uniform attention': onText({ uniformAttention: true, position: 'learned' }),
    'Lion': onText({}, { optimizer: 'lion', learningRate: 0.0004 }),
    'Muon': onText({}, { optimizer: 'muon' }),
    'SGD': onText({}, { optimizer: 'sgd', learningRate: 0.1, weightDecay: 0 }),
    'unit start, eight layers': onText({ layers: 8, init: 'unit' }),
    'the task point and shift': onTask('pointAndShift'),
    'the task sort': onTask('sort'),
    'the task induction': onTask('induction'),
    'the task Dyck': onTask('dyck'),
    'the task parity': onTask('parity'),
    'the task addition': onTask('addition'),
  };

  for (const [name, run] of Object.entries(good)) {
    test(`${name}: nothing is wrong`, async () => {
      // Tasks are larger than the models on text.
      const steps = name.startsWith('the task') ? 200 : 300;
      assert.deepEqual(await watched(run, { steps }), {});
    });
  }
});
