// SPDX-License-Identifier: MIT
// Every option of a model and of its training: set in the form, trained with, and found in what is
// saved.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';

/** Together they choose every value of every choice, and every number and flag at least once. */
const palettes = {
  'ALiBi, gated, post-norm, Lion': {
    position: 'alibi', norm: 'rms', activation: 'geglu', headsPerKey: 2, normPosition: 'post',
    dropout: 0.1, window: 8, softcap: 5, scale: 0.3, qkNorm: true, bias: true, tied: false, init: 'unit',
    optimizer: 'lion', learningRate: 0.0003, schedule: 'wsd', warmup: 3, finalShare: 0.2,
    decayFraction: 0.5, accumulation: 2, weightDecay: 0.3, beta1: 0.8, beta2: 0.95, clip: 0.5,
    labelSmoothing: 0.1,
  },
  'parts of attention left out, SGD': {
    position: 'sinusoidal', norm: 'none', activation: 'relu2', value: 'identity',
    outProjection: false, uniformAttention: true, optimizer: 'sgd', momentum: 0.5,
    learningRate: 0.05, schedule: 'linear', clip: 0,
  },
  'rotary pairs of neighbours': {
    position: 'rope', ropeBase: 500, ropeLayout: 'interleaved', activation: 'swiglu',
    schedule: 'constant', norm: 'layer', normPosition: 'pre',
  },
  'learned positions, ReLU': { position: 'learned', activation: 'relu', optimizer: 'adamw' },
  Muon: { optimizer: 'muon', momentum: 0.95, seed: 7 },
  'no positions, SiLU': { position: 'none', activation: 'silu', init: 'gpt2', value: 'learned' },
  'GELU by tanh, no feed-forward': { activation: 'geluTanh', ffn: 0, schedule: 'cosine' },
  'GELU by erf, no layers': { activation: 'geluErf', layers: 0, ropeLayout: 'halves' },
};

/** What of the form stands in a checkpoint under another name. */
const stored = {
  headsPerKey: (value, all) => ['model.kvHeads', all.heads / value],
  finalShare: (value, all) => ['train.minLearningRate', all.learningRate * value],
};
const ofTraining = new Set([
  'optimizer', 'learningRate', 'schedule', 'warmup', 'decayFraction', 'accumulation', 'weightDecay',
  'beta1', 'beta2', 'momentum', 'clip', 'labelSmoothing', 'steps', 'batch', 'seed',
]);

describe('the palette', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  async function openAll(room) {
    for (const title of ['More about the model', 'More about the training']) {
      const details = room.page.locator('form details', { hasText: title });
      await details.locator('summary').click();
      await details.locator('.fields').waitFor();
    }
  }

  async function set(room, name, value) {
    const field = room.field(name);
    if (typeof value === 'boolean') await field.setChecked(value);
    else if (await field.evaluate((element) => element.tagName) === 'SELECT') {
      await field.selectOption(value);
    } else await field.fill(String(value));
  }

  /** Metadata of the newest checkpoint in this browser's storage. */
  const savedMetadata = (room) => room.page.evaluate(async () => {
    const result = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await result(indexedDB.open('heed'));
    const saves = await result(database.transaction('saves').objectStore('saves').getAll());
    database.close();
    const { checkpoint } = saves.sort((a, b) => b.record.savedAt - a.record.savedAt)[0].record;
    const length = Number(new DataView(checkpoint.buffer).getBigUint64(checkpoint.byteOffset, true));
    return JSON.parse(new TextDecoder().decode(checkpoint.subarray(8, 8 + length))).__metadata__;
  });

  test('the form offers every choice, and the palettes choose each of them', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await openAll(room);
    const chosen = Object.values(palettes);
    const names = await room.page.locator('form fieldset [name]').evaluateAll((all) =>
      all.map((e) => [e.name, e.tagName === 'SELECT' ? [...e.options].map((o) => o.value) : []]));
    assert.ok(names.length >= 36, `${names.length} settings`);
    for (const [name, options] of names) {
      if (Object.hasOwn(tiny, name)) continue;
      assert.ok(chosen.some((palette) => Object.hasOwn(palette, name)), `no palette sets ${name}`);
      for (const option of options) {
        assert.ok(chosen.some((palette) => palette[name] === option), `none has ${name} ${option}`);
      }
    }
    await room.close();
  });

  for (const [title, palette] of Object.entries(palettes)) {
    test(`${title}: set, trained with, saved, in the link`, async () => {
      const room = await RoomPage.open(site);
      await room.phase('running');
      await openAll(room);
      for (const [name, value] of Object.entries(palette)) await set(room, name, value);
      await room.press('Start a new run');
      await room.page.waitForURL(({ searchParams }) => Object.entries(palette).every(
        ([name, value]) => String(value) === (searchParams.get(name) ?? String(value)))
        && Object.keys(palette).some((name) => searchParams.has(name)
          && searchParams.get(name) !== String(tiny[name])));
      await room.phase('running');
      await room.trainTo(3);
      const step = await room.number('train.step');
      const loss = await room.number('train.loss');
      assert.ok(loss > 0 && loss < 10, `loss ${loss}`);
      await room.page.locator('[data-save="saved"]').getByText(`at step ${step.toLocaleString('en')} `)
        .waitFor();
      const metadata = await savedMetadata(room);
      const all = { ...tiny, ...palette };
      const link = new URL(room.page.url()).searchParams;
      for (const [name, value] of Object.entries(palette)) {
        const [key, expected] = stored[name]?.(value, all)
          ?? [`${ofTraining.has(name) ? 'train' : 'model'}.${name}`, value];
        const kept = metadata[`heed.${key}`];
        if (typeof expected === 'number') assert.equal(Number(kept), expected, name);
        else assert.equal(kept, String(expected), name);
        if (link.has(name)) assert.equal(link.get(name), String(value), `${name} in the link`);
      }
      // Opened elsewhere, the link gives the same run.
      await room.press('Reset');
      await room.waitForNumber('train.step', (value) => value === 0);
      await room.press('One step');
      const first = await room.waitForNumber('train.loss', () => true);
      const elsewhere = await RoomPage.open(site, Object.fromEntries(link));
      await elsewhere.phase('running');
      await elsewhere.pause();
      await elsewhere.press('Reset');
      await elsewhere.waitForNumber('train.step', (value) => value === 0);
      await elsewhere.press('One step');
      assert.equal(await elsewhere.waitForNumber('train.loss', () => true), first);
      await elsewhere.close();
      await room.close();
    });
  }

  test('what cannot be combined is said before it starts', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await openAll(room);
    await set(room, 'headsPerKey', 3);
    await room.problemAt('headsPerKey').getByText('cannot be parted').waitFor();
    await set(room, 'headsPerKey', 1);
    await set(room, 'uniformAttention', true);
    await set(room, 'position', 'alibi');
    await room.page.getByText(/uniformAttention has no queries, keys and scores for alibi/).waitFor();
    assert.ok(await room.button('Start a new run').isDisabled());
    await set(room, 'position', 'learned');
    await room.page.getByText(/uniformAttention has no/).waitFor({ state: 'detached' });
    await room.press('Start a new run');
    await room.phase('running');
    await room.close();
  });
});
