// SPDX-License-Identifier: MIT
// Tasks in the train room: chosen in the form, trained with their preset, and what the page says of
// them held against a run of the package in Node.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createEngine, describeTask, taskPresets } from '../../../web/lib/dist/node.js';
import { colourRules, violations } from '../support/axe.mjs';
import { tooWide } from '../support/layout.mjs';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';

describe('tasks', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  /** A trainer in Node that has made as many steps of a task's preset. */
  async function straight(task, steps) {
    const engine = await createEngine();
    const { data, model, train } = taskPresets[task];
    const { vocab, context, labels } = describeTask(data);
    const trainer = await engine.createTrainer({ model: { ...model, vocab, context }, train, data });
    let metrics;
    for await (const one of trainer.run({ steps })) metrics = one;
    return { engine, trainer, labels, loss: metrics.loss };
  }

  test('every task is offered, says what attention must learn, and trains with its preset', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    const offered = await room.field('text').locator('option').evaluateAll((all) =>
      all.map((option) => option.value).filter((value) => value.startsWith('task-')));
    assert.deepEqual(offered, Object.keys(taskPresets).map((task) => `task-${task}`));
    const leads = new Set();
    for (const id of offered) {
      await room.field('text').selectOption(id);
      const { model, train, data } = taskPresets[id.slice('task-'.length)];
      assert.equal(await room.field('layers').inputValue(), String(model.layers));
      assert.equal(await room.field('batch').inputValue(), String(train.batch));
      assert.equal(await room.field('context').inputValue(), String(describeTask(data).context));
      await room.press('Start a new run');
      await room.page.waitForURL((url) => url.searchParams.get('text') === id);
      await room.phase('running');
      await room.waitForNumber('train.step', (step) => step >= 3);
      await room.page.locator('[data-example="7"]').waitFor();
      leads.add(await room.page.locator('.opening .lead').textContent());
    }
    assert.equal(leads.size, offered.length);
    // Back to a text: its own usual settings.
    await room.field('text').selectOption('sonnets');
    await room.page.getByText(/tokens, \d+ different/).first().waitFor();
    assert.equal(await room.field('context').inputValue(), '64');
    assert.equal(await room.field('position').inputValue(), 'rope');
    await room.close();
  });

  test('losses, solved examples and answers are those of a run in Node', async () => {
    const room = await RoomPage.open(site, { text: 'task-pointAndShift' });
    await room.phase('running');
    await room.pause();
    await room.press('Reset');
    await room.waitForNumber('train.step', (step) => step === 0);
    for (let step = 1; step <= 5; ++step) {
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step);
    }
    const node = await straight('pointAndShift', 5);
    assert.equal(await room.number('train.loss'), node.loss);
    const { exact, loss } = await node.trainer.evaluate({ maxWindows: 1024 });
    assert.equal(await room.waitForNumber('train.validation', (value) => value === loss), loss);
    assert.equal(await room.number('train.exact'), exact);
    await room.page.locator('section', { has: room.page.locator('[data-example]') })
      .getByText('written at step 5').waitFor();
    for (let n = 0; n < 8; ++n) {
      const { tokens, targets } = await node.trainer.example(n);
      const logits = await node.trainer.model.forward(tokens);
      const vocab = node.labels.length;
      const row = logits.slice((tokens.length - 1) * vocab);
      const said = row.indexOf(Math.max(...row));
      const cells = await room.page.locator(`[data-example="${n}"] td`).allInnerTexts();
      const words = Array.from(tokens, (id) => node.labels[id]).join(' ');
      assert.deepEqual(cells.map((text) => text.trim()), [
        words, node.labels[targets.at(-1)], node.labels[said],
        said === targets.at(-1) ? 'right' : 'wrong',
      ]);
      if (n === 0) assert.equal(await room.page.getByLabel('Probe text').inputValue(), words);
    }
    node.engine.dispose();
    await room.close();
  });

  test('point and shift is solved', async () => {
    const room = await RoomPage.open(site, { text: 'task-pointAndShift' });
    await room.waitForNumber('train.exact', (share) => share >= 0.99);
    await room.pause();
    // The answers of the step at which it rests come a moment after the rest.
    await room.page.waitForFunction(() =>
      document.querySelectorAll('[data-example][data-right="true"]').length === 8);
    await room.close();
  });

  test('a run on a task outlives a reload, and goes on', async () => {
    const room = await RoomPage.open(site, { text: 'task-sort', layers: 1 });
    await room.trainTo(10);
    const step = await room.number('train.step');
    await room.page.locator('[data-save="saved"]').getByText(`at step ${step.toLocaleString('en')} `)
      .waitFor();
    await room.page.reload();
    await room.phase('paused');
    assert.equal(await room.number('train.step'), step);
    assert.equal(await room.field('text').inputValue(), 'task-sort');
    await room.page.getByRole('heading', { name: /learning a task: sort 10 letters/ }).waitFor();
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    await room.close();
  });

  test('a context that is too short, and tokens that there are not, are said to be', async () => {
    const room = await RoomPage.open(site, { text: 'task-copy' });
    await room.phase('running');
    await room.field('context').fill('31');
    await room.problemAt('context').getByText('has 32 tokens').waitFor();
    assert.ok(await room.button('Start a new run').isDisabled());
    await room.page.getByLabel('Probe text').fill('A B hello');
    await room.page.getByText(/no token 'hello'/).waitFor();
    await room.page.getByLabel('Probe text').fill('A B | A');
    await room.probeOf(4);
    await room.close();
  });

  for (const [colorScheme, only] of [['light', undefined], ['dark', colourRules]]) {
    test(`axe finds nothing in a run on a task, ${colorScheme}`, async () => {
      const room = await RoomPage.open(site, { text: 'task-dyck', layers: 1 }, { colorScheme });
      await room.trainTo(5);
      await room.page.locator('[data-example="7"]').waitFor();
      assert.deepEqual(await violations(room.page, { only }), []);
      await room.close();
    });
  }

  test('320 px wide: a run on a task scrolls in its table, not in the page', async () => {
    const viewport = { width: 320, height: 640 };
    const room = await RoomPage.open(site, { text: 'task-copy' }, { viewport, hasTouch: true });
    await room.trainTo(5);
    await room.page.locator('[data-example="7"]').waitFor();
    assert.deepEqual(await tooWide(room.page), []);
    await room.close();
  });

  test('a text of one\'s own after a task starts from the usual settings', async () => {
    const room = await RoomPage.open(site, { ...tiny, text: 'task-parity' });
    await room.phase('running');
    await room.field('text').selectOption('own');
    assert.equal(await room.field('context').inputValue(), '64');
    await room.field('file').setInputFiles({
      name: 'mine.txt', mimeType: 'text/plain',
      buffer: Buffer.from('So much depends upon a red wheel barrow glazed with rain. '.repeat(60)),
    });
    await room.press('Start a new run');
    await room.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    await room.close();
  });
});
