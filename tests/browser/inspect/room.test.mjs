// SPDX-License-Identifier: MIT
// The inspect room on a run that was trained a moment before: what it shows is held against the
// package in Node, on the same weights.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import {
  createEngine, headScores, repeatedTokens, tokenizerFromJSON,
} from '../../../web/lib/dist/node.js';
import { colourRules, violations } from '../support/axe.mjs';
import { tooWide } from '../support/layout.mjs';
import { RoomPage, query, skipReason, startSite } from '../support/room.mjs';

const settings = {
  text: 'sonnets', layers: 2, heads: 2, width: 32, ffn: 64, context: 24, batch: 4, steps: 100000,
};
const prompt = 'thy love, my lo';
const otherPrompt = 'thy hate, my lo';

describe('inspect room', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;
  let file;

  // One run for all tests: trained, saved a few times, and written to a file for Node.
  before(async () => {
    site = await startSite();
    const room = await RoomPage.open(site, settings);
    await room.trainTo(150);
    const step = await room.number('train.step');
    await room.page.locator('[data-save="saved"]').getByText(`at step ${step.toLocaleString('en')} `).waitFor();
    const run = await room.page.evaluate(() => sessionStorage.getItem('heed-run'));
    const details = room.page.locator(`[data-run="${run}"] details`);
    await details.locator('summary').click();
    const [download] = await Promise.all([
      room.page.waitForEvent('download'),
      details.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    file = await readFile(await download.path());
    await room.close();
  });
  after(() => site?.close());

  /** The room in a profile of its own, with the run taken in. */
  async function open(parameters = {}, contextOptions = {}) {
    const context = await site.browser.newContext(contextOptions);
    const room = new RoomPage(await context.newPage());
    await room.page.goto(site.address + query({ room: 'inspect', ...parameters }));
    await room.page.locator('[data-empty]').waitFor();
    await room.page.locator('input[name="run-file"]').setInputFiles({
      name: 'run.safetensors', mimeType: 'application/octet-stream', buffer: file,
    });
    await room.page.locator('[data-panel="patch"]').waitFor();
    return room;
  }

  async function write(room, text = prompt) {
    await room.page.locator('[name="prompt"]').fill(text);
    await room.page.waitForURL((url) => url.searchParams.get('prompt') === text);
  }

  /** The value in full behind an address, once it is there and is `expected`. */
  async function shows(room, address, expected, within = '') {
    const cell = room.page.locator(`${within} [data-addr="${address}"]`).first();
    await cell.waitFor({ state: 'attached' }).catch(() => assert.fail(`${address} is not on the page`));
    const deadline = Date.now() + 20_000;
    let value;
    do {
      value = Number(await cell.getAttribute('data-value').catch(() => undefined));
      if (value === expected) return;
      await room.page.waitForTimeout(50);
    } while (Date.now() < deadline);
    assert.fail(`${address} shows ${value}, in Node it is ${expected}`);
  }

  async function inNode(use) {
    const engine = await createEngine();
    try {
      const { model, metadata } = await engine.loadModel(file);
      const found = Object.values(metadata).find((text) => text.includes('"kind":"char"'));
      const tokenizer = tokenizerFromJSON(
        JSON.parse(found).kind === 'char' ? JSON.parse(found) : JSON.parse(found).tokenizer);
      await use({ engine, model, tokenizer });
    } finally {
      engine.dispose();
    }
  }

  const targetsOf = (ids) => Int32Array.from(ids, (_, i) => ids[i + 1] ?? -1);

  test('weights, pushes, losses, lens, cuts are those of the package', async () => {
    const room = await open();
    await write(room);
    await inNode(async ({ model, tokenizer }) => {
      const ids = tokenizer.encode(prompt);
      const last = ids.length - 1;
      const trace = await model.trace(ids, targetsOf(ids));
      await room.page.locator('[data-panel="lens"] th button').nth(last).click();
      await shows(room, 'loss', trace.loss, '[data-panel="loss"]');
      await shows(room, 'loss.3.0', trace.read('loss.3.0'), '[data-panel="loss"]');
      await shows(room, `L0.H0.A.${last}.2`, trace.read(`L0.H0.A.${last}.2`), '[data-panel="heads"]');
      await room.page.locator('[data-panel="heads"] [data-head="L1.H1"]').click();
      await shows(room, `L1.H1.A.${last}.5`, trace.read(`L1.H1.A.${last}.5`), '[data-panel="heads"]');
      await room.page.locator('select[name="heads-kind"]').selectOption('push');
      await shows(room, `L1.H1.push.4.2`, trace.read('L1.H1.push.4.2'), '[data-panel="heads"]');
      await room.page.locator('select[name="heads-kind"]').selectOption('scores');
      await shows(room, `L1.H1.S.4.2`, trace.read('L1.H1.S.4.2'), '[data-panel="heads"]');

      const lens = await trace.lens({ top: 5 });
      const { places } = lens;
      assert.deepEqual(places, ['L0.R', 'L0.M', 'L1.R', 'L1.M', 'last']);
      for (const [p, place] of places.entries()) {
        const at = (p * trace.time + last) * 5;
        await shows(room, `lens.${place}.${last}`, lens.probabilities[at]);
        await shows(room, `lens.${place}.${last}.4`, lens.probabilities[at + 4]);
      }

      const { loss, losses } = await trace.cutHeads();
      await shows(room, 'cutHeads.1.0', losses[2] - loss);
      await room.page.locator('select[name="cut-to"]').selectOption('mean');
      const mean = await trace.cutHeads({ to: 'mean' });
      await shows(room, 'cutHeads.0.1', mean.losses[1] - mean.loss);
      const edges = await trace.cutEdges({ layer: 1 });
      // Row 4, which has a target and more than one column.
      await room.page.locator('[data-panel="lens"] th button').nth(4).click();
      const edge = (1 * trace.time + 4) * trace.time + 2;
      await shows(room, 'L1.H1.cut.4.2', edges.losses[edge] - edges.loss);
      await room.page.locator('input[name="cut-renormalise"]').check();
      const shared = await trace.cutEdges({ layer: 1, renormalise: true });
      await shows(room, 'L1.H1.cut.4.2', shared.losses[edge] - shared.loss);
    });
    await room.close();
  });

  test('what is written, drawn from and spoken for is the package\'s', async () => {
    const room = await open();
    await write(room);
    const panel = room.page.locator('[data-panel="generate"]');
    await inNode(async ({ model, tokenizer }) => {
      const ids = tokenizer.encode(prompt);
      const shownTokens = () => panel.locator('[data-token]').evaluateAll((all) =>
        all.map((element) => Number(element.dataset.token)));
      const generated = async (options) => {
        const tokens = [];
        for await (const token of model.generate({ prompt: ids, ...options })) tokens.push(token);
        return tokens;
      };
      await panel.getByRole('button', { name: '20 more' }).click();
      await panel.locator('[data-written="20"]').waitFor();
      assert.deepEqual(await shownTokens(), await generated({ tokens: 20 }));

      await panel.getByRole('button', { name: 'Begin again' }).click();
      await panel.locator('input[name="generate-temperature"]').fill('0.5');
      await panel.locator('input[name="generate-topK"]').fill('3');
      await panel.locator('input[name="generate-seed"]').fill('7');
      const sampling = { temperature: 0.5, topK: 3, seed: 7 };
      const next = await model.next(ids, sampling);
      await shows(room, 'next.0.probability', next.probabilities[0]);
      await shows(room, 'next.2.raw', next.raw[2]);
      assert.equal(await panel.locator('tbody tr').count(), 3);
      for (let n = 1; n <= 5; ++n) {
        await panel.getByRole('button', { name: 'Next token', exact: true }).click();
        await panel.locator(`[data-written="${n}"]`).waitFor();
      }
      const expected = await generated({ tokens: 5, ...sampling });
      assert.deepEqual(await shownTokens(), expected);
      await panel.getByRole('button', { name: 'Take one back' }).click();
      await panel.locator('[data-written="4"]').waitFor();
      assert.deepEqual(await shownTokens(), expected.slice(0, 4));

      // The second token: what it was drawn from, and which edges spoke for it.
      await panel.locator('[data-token]').nth(1).click();
      const text = Int32Array.from([...ids, expected[0]]);
      const second = await model.next(text, { ...sampling, index: 1 });
      await panel.locator('table[data-of="1"]').waitFor();
      await shows(room, 'next.1.probability', second.probabilities[1]);
      const trace = await model.trace(text, new Int32Array(text.length).fill(-1), { gradients: false });
      const row = text.length - 1;
      const logits = trace.matrix('logits');
      const of = logits.values.subarray(row * logits.columns, (row + 1) * logits.columns);
      const [, token] = expected;
      const rival = of.reduce(
        (best, logit, id) => (id !== token && (best < 0 || logit > of[best]) ? id : best), -1);
      const parts = await trace.logitParts(1, row, token, rival);
      let strongest = 0;
      parts.edges.forEach((value, index) => {
        if (Math.abs(value) > Math.abs(parts.edges[strongest])) strongest = index;
      });
      const [head, column] = [Math.floor(strongest / trace.time), strongest % trace.time];
      await shows(room, `L1.H${head}.part.${row}.${column}`, parts.edges[strongest]);
    });
    await room.close();
  });

  test('scores and patches are the package\'s', async () => {
    const room = await open({ other: otherPrompt });
    await write(room);
    await room.page.locator('[name="other-prompt"]').fill(otherPrompt);
    await inNode(async ({ model, tokenizer }) => {
      const ids = tokenizer.encode(prompt);
      const other = tokenizer.encode(otherPrompt);
      const scores = headScores(await model.attention(ids));
      await room.page.locator('select[name="score-kind"]').selectOption('previous');
      await shows(room, 'scores.previous.1.0', scores.previous[2]);
      const { vocab } = model.config;
      const twice = await model.attention(repeatedTokens({ vocab, period: 12, repeats: 2, seed: 1 }));
      await room.page.locator('select[name="score-kind"]').selectOption('induction');
      await shows(room, 'scores.induction.0.1', headScores(twice, { period: 12 }).induction[1]);

      const trace = await model.trace(ids, targetsOf(ids));
      const from = await model.trace(other, targetsOf(other));
      const row = ids.length - 1;
      const guess = (one, not) => {
        const { columns, values } = one.matrix('logits');
        const logits = values.subarray(row * columns, (row + 1) * columns);
        return logits.reduce(
          (best, logit, id) => (id !== not && (best < 0 || logit > logits[best]) ? id : best), -1);
      };
      const target = guess(from);
      const own = guess(trace);
      const rival = own === target ? guess(trace, target) : own;
      for (const what of ['stream', 'head']) {
        await room.page.locator('select[name="patch-what"]').selectOption(what);
        const patches = await trace.patch(from, { what, row, target, rival });
        await shows(room, 'patch.own', patches.own);
        await shows(room, 'patch.from', patches.from);
        const columns = what === 'head' ? trace.heads : trace.time;
        const column = what === 'head' ? 1 : 5;
        const share = (patches.differences[columns + column] - patches.own) / (patches.from - patches.own);
        await shows(room, `patch.${what}.1.${column}`, share);
      }
    });
    await room.page.locator('[name="other-prompt"]').fill('thy hate');
    await room.page.getByText('It has 8 tokens, the first prompt 15').waitFor();
    await room.close();
  });

  test('from the train room to its run, and through its states', async () => {
    const room = await RoomPage.open(site, settings);
    await room.trainTo(120);
    const step = await room.number('train.step');
    await room.page.locator('[data-save="saved"]').getByText(`at step ${step.toLocaleString('en')} `).waitFor();
    const id = await room.page.evaluate(() => sessionStorage.getItem('heed-run'));
    await room.page.getByRole('link', { name: 'Inspect', exact: true }).first().click();
    await room.page.locator('[data-panel="patch"]').waitFor();
    await room.page.waitForURL((url) => url.searchParams.get('run') === id
      && url.searchParams.get('step') === String(step));
    const scrub = room.page.locator('input[name="step"]');
    const count = Number(await scrub.getAttribute('max')) + 1;
    assert.ok(count >= 2, `${count} states`);
    const lossNow = await room.number('loss');
    await room.page.locator('h1').click();
    await room.page.keyboard.press(',');
    await room.page.waitForURL((url) => Number(url.searchParams.get('step')) < step);
    await room.waitForNumber('loss', (loss) => loss !== lossNow);
    await room.page.keyboard.press('.');
    await room.waitForNumber('loss', (loss) => loss === lossNow);
    await scrub.focus();
    await room.page.keyboard.press('Home');
    await room.page.waitForURL((url) => Number(url.searchParams.get('step')) < step);
    // A link leads to the same place.
    const address = room.page.url();
    const loss = await room.waitForNumber('loss', (value) => value !== lossNow);
    const again = await room.another(address);
    assert.equal(await again.waitForNumber('loss', (value) => value === loss), loss);
    await room.close();
  });

  test('a prompt it cannot read, an empty one, one token, too long a one: said, and nothing breaks', async () => {
    const room = await open();
    await write(room);
    await room.page.getByText('15 tokens, mean loss').waitFor();
    const loss = await room.number('loss');
    const field = room.page.locator('[name="prompt"]');
    await field.fill('\u4f60');
    await room.page.locator('.problem').first().waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.fill('');
    await room.page.locator('.problem').first().waitFor();
    await field.fill('t');
    await room.page.getByText('A prompt of one token has no guess').first().waitFor();
    await field.fill('t'.repeat(500));
    await room.page.getByText('24 tokens, mean loss').waitFor();
    await write(room);
    await room.waitForNumber('loss', (value) => value === loss);
    await room.page.locator('input[name="run-file"]').setInputFiles({
      name: 'bad.safetensors', mimeType: 'application/octet-stream', buffer: Buffer.from('not a run'),
    });
    await room.page.locator('[data-problem="inspect"]').waitFor();
    await room.waitForNumber('loss', (value) => value === loss);
    await room.close();
  });

  test('without a word of where to look, it begins at a row that can be judged', async () => {
    const room = await open();
    await write(room);
    await room.page.getByRole('heading', { name: /^Edges of L0\.H0 from row \d+$/ }).waitFor();
    const bars = room.page.locator('[data-panel="cut"] [data-addr^="L0.H0.cut."]');
    await bars.first().waitFor({ state: 'attached' });
    const values = await bars.evaluateAll((all) => all.map((one) => Number(one.dataset.value)));
    assert.ok(values.some((value) => value !== 0), String(values));
    const states = room.page.locator('input[name="step"]');
    assert.equal(await states.count(), 1);
    await room.close();
  });

  /** A run with these settings, of some steps, looked into. */
  async function trainedAndOpened(other, steps = 20) {
    const room = await RoomPage.open(site, other);
    await room.trainTo(steps);
    const step = await room.number('train.step');
    await room.page.locator('[data-save="saved"]').getByText(`at step ${step.toLocaleString('en')} `).waitFor();
    await room.page.getByRole('link', { name: 'Inspect', exact: true }).first().click();
    await room.page.locator('[data-panel="patch"]').waitFor();
    return room;
  }

  /** Every panel has answered, none has failed. */
  async function answered(room) {
    await room.page.waitForFunction(() =>
      document.querySelectorAll('[data-panel]').length === 7
      && document.querySelector('[data-panel][aria-busy="true"]') === null);
    assert.deepEqual(await room.page.locator('[data-panel] .problem').allInnerTexts(), []);
  }

  test('from a run on byte pairs to one on characters: every panel follows', async () => {
    const room = await trainedAndOpened({ ...settings, tokenizer: 'bpe', vocabulary: 300, heads: 4, layers: 3 });
    const panel = room.page.locator('[data-panel="generate"]');
    await panel.getByRole('button', { name: '20 more' }).click();
    await panel.locator('[data-written="20"]').waitFor();
    await answered(room);
    await room.page.locator('input[name="run-file"]').setInputFiles({
      name: 'run.safetensors', mimeType: 'application/octet-stream', buffer: file,
    });
    await room.page.locator('[data-panel="heads"] [data-head="L2.H3"]').waitFor({ state: 'detached' });
    await panel.locator('[data-written="0"]').waitFor();
    await write(room);
    await answered(room);
    await inNode(async ({ model, tokenizer }) => {
      const ids = tokenizer.encode(prompt);
      const { loss, losses } = await model.cutHeads(ids, targetsOf(ids));
      await shows(room, 'cutHeads.1.1', losses[3] - loss);
      await shows(room, 'next.0.probability', (await model.next(ids)).probabilities[0]);
    });
    await room.close();
  });

  for (const [name, other] of Object.entries({
    'a vocabulary of four, from a task': { text: 'task-dyck', layers: 1 },
    'no layers': { ...settings, layers: 0 },
    'no feed-forward layers, no norms, a window': { ...settings, ffn: 0, norm: 'none', window: 3 },
    'norms behind, shared keys': { ...settings, normPosition: 'post', heads: 4, headsPerKey: 2 },
    'uniform attention': { ...settings, uniformAttention: true, position: 'learned' },
    'a context of two': { ...settings, context: 2 },
  })) {
    test(`${name}: every panel answers`, async () => {
      const room = await trainedAndOpened(other);
      await answered(room);
      await room.close();
    });
  }

  test('two long prompts: the figure of patches is painted', async () => {
    const room = await trainedAndOpened({ ...settings, context: 64 });
    // They differ at the end: a model that has hardly learned remembers no further back.
    const long = 'Shall I compare thee to a summer day, and thou art';
    await write(room, long);
    await room.page.locator('[name="other-prompt"]').fill(long.replace(/t$/, 'e'));
    await room.page.locator('[data-panel="patch"] [data-addr^="patch.stream.0."]').first()
      .waitFor({ state: 'attached' });
    await answered(room);
    await room.close();
  });

  test('a link to a run that is not here says so', async () => {
    const context = await site.browser.newContext();
    const room = new RoomPage(await context.newPage());
    await room.page.goto(site.address + query(settings));
    await room.trainTo(5);
    await room.page.locator('[data-save="saved"]').waitFor();
    await room.page.goto(site.address + query({ room: 'inspect', run: 'elsewhere' }));
    await room.page.locator('[data-panel="patch"]').waitFor();
    await room.page.getByText('The run of this link is not in this browser').waitFor();
    await room.close();
  });

  test('every control has a tip with its source', async () => {
    const room = await open();
    await write(room);
    await room.page.locator('[name="other-prompt"]').fill(otherPrompt);
    await answered(room);
    const bare = await room.page.evaluate(() =>
      [...document.querySelectorAll('main :is(input, select, textarea):not([data-tip])')]
        .filter((control) => control.closest('footer') === null).map((control) => control.name));
    assert.deepEqual(bare, []);
    const tipped = await room.page.locator('main [data-tip]').evaluateAll((all) =>
      [...new Set(all.map((one) => one.dataset.tip))]);
    assert.ok(tipped.length >= 14, tipped.join(' '));
    for (const key of tipped) {
      await room.page.locator(`main [data-about="${key}"]`).first().click();
      const part = room.page.locator(`[data-shown="tip"] [data-tip-of="${key}"]`);
      await part.getByText(/Source:/).waitFor();
      assert.match(await part.innerText(), /^[A-Z].{30,}\.\s+Source:\s+(.* (19|20)\d\d, \S|Heed, \S)/s, key);
      await room.page.keyboard.press('Escape');
    }
    await room.close();
  });

  for (const [colorScheme, only] of [['light', undefined], ['dark', colourRules]]) {
    test(`axe finds nothing, ${colorScheme}`, async () => {
      const room = await open({ other: otherPrompt }, { colorScheme });
      await write(room);
      await room.page.locator('[name="other-prompt"]').fill(otherPrompt);
      await room.page.locator('[data-addr="patch.own"]').waitFor();
      await room.page.locator('[data-panel="generate"]').getByRole('button', { name: 'Next token', exact: true }).click();
      await room.page.locator('[data-written="1"]').waitFor();
      assert.deepEqual(await violations(room.page, { only }), []);
      await room.close();
    });
  }

  test('320 px wide: nothing scrolls sideways', async () => {
    const room = await open({}, { viewport: { width: 320, height: 640 }, hasTouch: true });
    await write(room);
    await room.page.locator('[name="other-prompt"]').fill(otherPrompt);
    await room.page.locator('[data-addr="patch.own"]').waitFor();
    assert.deepEqual(await tooWide(room.page), []);
    await room.close();
  });
});
