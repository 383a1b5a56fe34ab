// SPDX-License-Identifier: MIT
// Runs kept in the browser: named, compared, changed while they train, forked, deleted, carried
// elsewhere.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createEngine } from '../../../web/lib/dist/node.js';
import { colourRules, violations } from '../support/axe.mjs';
import { tooWide } from '../support/layout.mjs';
import { RoomPage, query, skipReason, startSite, tiny } from '../support/room.mjs';

describe('runs', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const items = (room) => room.page.locator('[data-run]');
  const item = (room, id) => room.page.locator(`[data-run="${id}"]`);
  const current = (room) => room.page.evaluate(() => sessionStorage.getItem('heed-run'));

  /** Trains a new run to a step and waits until it is listed as of its rest. */
  async function trained(room, step) {
    await room.trainTo(step);
    const reached = await room.number('train.step');
    const id = await current(room);
    await item(room, id).getByText(`step ${reached.toLocaleString('en')},`).waitFor();
    return { id, step: reached };
  }

  async function more(room, id) {
    const details = item(room, id).locator('details');
    if (!(await details.evaluate((element) => element.open))) await details.locator('summary').click();
    return details;
  }

  /** Opens a run of the list, also while others are still being opened by themselves. */
  async function opened(room, id) {
    while ((await current(room)) !== id) {
      const open = item(room, id).getByRole('button', { name: /^Open / });
      if ((await open.count()) > 0) await open.click({ timeout: 1000 }).catch(() => {});
      await room.page.waitForTimeout(50);
    }
  }

  async function another(room, settings) {
    for (const [name, value] of Object.entries(settings)) await room.field(name).fill(String(value));
    const before = await current(room);
    await room.press('Start a new run');
    await room.page.waitForFunction((id) => sessionStorage.getItem('heed-run') !== id, before);
    await room.phase('running');
  }

  test('listed, named, noted; opened again where they were', async () => {
    const room = await RoomPage.open(site);
    const first = await trained(room, 20);
    await another(room, { width: 16 });
    const second = await trained(room, 10);
    assert.equal(await items(room).count(), 2);
    const details = await more(room, first.id);
    await details.getByLabel('Name', { exact: true }).fill('wide <b>one</b>');
    await details.getByLabel('Notes', { exact: true }).fill('learns\nwell');
    await details.getByLabel('Notes', { exact: true }).blur();
    await item(room, first.id).getByText('wide <b>one</b>', { exact: true }).first().waitFor();

    await item(room, first.id).getByRole('button', { name: 'Open wide <b>one</b>' }).click();
    await room.phase('paused');
    await room.waitForNumber('train.step', (step) => step === first.step);
    assert.equal(await room.field('width').inputValue(), '32');
    assert.equal(await item(room, first.id).getAttribute('data-open'), 'true');
    await room.page.reload();
    await room.phase('paused');
    assert.equal(await room.number('train.step'), first.step);
    const again = await more(room, first.id);
    assert.equal(await again.getByLabel('Name', { exact: true }).inputValue(), 'wide <b>one</b>');
    assert.equal(await again.getByLabel('Notes', { exact: true }).inputValue(), 'learns\nwell');
    // More steps change neither.
    await room.press('One step');
    await item(room, first.id).getByText(`step ${(first.step + 1).toLocaleString('en')},`).waitFor();
    assert.equal(await again.getByLabel('Name', { exact: true }).inputValue(), 'wide <b>one</b>');
    assert.equal(await items(room).count(), 2);
    assert.equal(second.id !== first.id, true);
    await room.close();
  });

  test('a rate and a batch changed while it trains: no reset, in the link, and the link repeats it', async () => {
    // A batch that takes its time, so that few steps have to be repeated one by one.
    const room = await RoomPage.open(site, { ...tiny, batch: 32 });
    await trained(room, 3);
    const step = await room.number('train.step');
    await room.field('learningRate').fill('0.0005');
    await room.field('batch').fill('24');
    await room.press('Go on with these');
    await room.page.waitForURL((url) => url.searchParams.get('then') !== null);
    const link = room.page.url();
    assert.equal(
      new URL(link).searchParams.get('then'), `${step} batch 24 learningRate 0.0005`);
    assert.equal(new URL(link).searchParams.get('batch'), '32');
    await room.phase('running');
    const { step: last } = await trained(room, step + 3);
    const rate = await room.number('train.learningRate');
    assert.ok(rate <= 0.0005);
    // Saved, read and gone on with: still under the new settings.
    await room.page.reload();
    await room.phase('paused');
    assert.equal(await room.field('batch').inputValue(), '24');
    assert.equal(await room.number('train.step'), last);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === last + 1);
    const loss = await room.number('train.loss');
    await room.close();

    // The link in another profile: the same steps, to the same digits.
    const other = new RoomPage(await (await site.browser.newContext()).newPage());
    await other.page.goto(link);
    await other.phase('running');
    await other.pause();
    await other.press('Reset');
    await other.waitForNumber('train.step', (value) => value === 0);
    assert.equal(await other.field('batch').inputValue(), '32');
    for (let at = 1; at <= last + 1; ++at) {
      await other.press('One step');
      await other.waitForNumber('train.step', (value) => value === at);
    }
    assert.equal(await other.number('train.loss'), loss);
    assert.equal(await other.field('batch').inputValue(), '24');
    await other.close();
  });

  test('a link\'s changes come at their steps, and are there after a reload', async () => {
    const changes = { ...tiny, steps: 40, then: '10 batch 7 schedule constant' };
    const room = await RoomPage.open(site, changes);
    await room.phase('finished');
    const loss = await room.number('train.loss');
    assert.equal(await room.field('batch').inputValue(), '7');
    assert.equal(new URL(room.page.url()).searchParams.get('then'), '10 batch 7 schedule constant');
    await room.page.reload();
    await room.phase('finished');
    assert.equal(await room.number('train.loss'), loss);
    await room.close();

    const straight = await RoomPage.open(site, { ...tiny, steps: 40 });
    await straight.phase('finished');
    assert.notEqual(await straight.number('train.loss'), loss);
    await straight.close();
  });

  test('the same number typed otherwise is no change', async () => {
    const room = await RoomPage.open(site);
    await trained(room, 5);
    await room.field('learningRate').fill('4e-3');
    await room.page.getByText('The run in progress is saved and left').waitFor();
    assert.equal(await room.button('Go on with these').count(), 0);
    await room.field('learningRate').fill('0.002');
    await room.button('Go on with these').waitFor();
    await room.close();
  });

  test('what is changed at the step of a planned change takes its place', async () => {
    const room = await RoomPage.open(site, { ...tiny, then: '3 learningRate 0.001' });
    await room.phase('running');
    await room.pause();
    await room.press('Reset');
    await room.waitForNumber('train.step', (step) => step === 0);
    for (let step = 1; step <= 3; ++step) {
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step);
    }
    await room.field('batch').fill('6');
    await room.field('learningRate').fill('0.004');
    await room.press('Go on with these');
    await room.page.waitForURL((url) => url.searchParams.get('then') === '3 batch 6');
    await room.waitForNumber('train.step', (step) => step > 3);
    assert.ok((await room.number('train.learningRate')) > 0.0002);
    assert.equal(await room.field('learningRate').inputValue(), '0.004');
    await room.close();
  });

  test('changes in a link that cannot be are left out, and said to be', async () => {
    for (const then of ['x batch 7', '10 batch', '10 width 7', '10 batch 0', '10 seed 5', '']) {
      const room = await RoomPage.open(site, { ...tiny, then });
      await room.notice().getByText('then').waitFor();
      await room.phase('running');
      await room.close();
    }
  });

  test('forked from an earlier state: it goes on from there, and the first run stays', async () => {
    const room = await RoomPage.open(site);
    const first = await trained(room, 40);
    const details = await more(room, first.id);
    const states = details.getByLabel('Saved states', { exact: true });
    const steps = await states.locator('option').evaluateAll((all) => all.map(({ value }) => Number(value)));
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b));
    assert.ok(steps.length >= 2, `states: ${steps}`);
    await states.selectOption(String(steps[0]));
    await details.getByRole('button', { name: 'Go on from there as a new run' }).click();
    await room.page.waitForFunction((id) => sessionStorage.getItem('heed-run') !== id, first.id);
    await room.phase('running');
    const forked = await trained(room, steps[0] + 5);
    assert.notEqual(forked.id, first.id);
    await (await more(room, forked.id)).getByText(`Went on from step ${steps[0]} of`).waitFor();
    await item(room, first.id).getByText(`step ${first.step.toLocaleString('en')},`).waitFor();
    await room.close();
  });

  test('deleted and had back; deleted for good with the next visit', async () => {
    const room = await RoomPage.open(site);
    const first = await trained(room, 5);
    await another(room, { width: 16 });
    await trained(room, 5);
    const remove = (await more(room, first.id)).getByRole('button', { name: 'Delete' });
    await remove.click();
    await item(room, first.id).waitFor({ state: 'detached' });
    await room.press('Have it back');
    await item(room, first.id).waitFor();
    assert.ok(await (await more(room, await current(room))).getByRole('button', { name: 'Delete' })
      .isDisabled());
    await (await more(room, first.id)).getByRole('button', { name: 'Delete' }).click();
    await item(room, first.id).waitFor({ state: 'detached' });
    await room.page.reload();
    await room.phase('paused');
    await items(room).first().waitFor();
    assert.equal(await items(room).count(), 1);
    const left = await room.page.evaluate(async (id) => {
      const result = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
      const database = await result(indexedDB.open('heed'));
      const keys = [];
      for (const name of database.objectStoreNames) {
        keys.push(...await result(database.transaction(name).objectStore(name).getAllKeys()));
      }
      return keys.filter((key) => String(key).startsWith(id));
    }, first.id);
    assert.deepEqual(left, []);
    await room.close();
  });

  test('as a file: the package resumes it, another browser opens it, damage is told', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.field('text').selectOption('own');
    const own = 'So much depends upon a red wheel barrow glazed with rain water. '.repeat(60);
    await room.field('file').setInputFiles({
      name: 'mine.txt', mimeType: 'text/plain', buffer: Buffer.from(own),
    });
    await room.page.locator('.choice .state').getByText('mine.txt').waitFor();
    await room.press('Start a new run');
    await room.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    const { id, step } = await trained(room, 12);
    const details = await more(room, id);
    await details.getByLabel('Name', { exact: true }).fill('mine');
    await details.getByLabel('Notes', { exact: true }).fill('a note');
    await details.getByLabel('Notes', { exact: true }).blur();
    await item(room, id).getByText('mine', { exact: true }).first().waitFor();
    const [download] = await Promise.all([
      room.page.waitForEvent('download'),
      details.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    const file = await readFile(await download.path());
    const loss = await room.number('train.loss');
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    const next = await room.number('train.loss');
    await room.close();

    const engine = await createEngine();
    const { metadata } = await engine.resumeTrainer(file, undefined).catch(() => ({ metadata: {} }));
    assert.deepEqual(metadata, {}, 'without its text it is not resumed');
    engine.dispose();

    const other = await RoomPage.open(site);
    await other.phase('running');
    const input = other.page.locator('input[name="run-file"]');
    const give = (name, buffer) =>
      input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) });
    const problem = other.page.locator('[data-problem="runs"]');
    await give('cut.safetensors', file.subarray(0, 100));
    await problem.getByText('cut off').waitFor();
    await give('none.safetensors', Buffer.alloc(4));
    await problem.getByText('too short').waitFor();
    await give('junk.safetensors', Buffer.alloc(4000, 7));
    await problem.waitFor();
    await give('run.safetensors', file);
    await other.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    await other.phase('paused');
    assert.equal(await other.number('train.step'), step);
    assert.equal(await other.number('train.loss'), loss);
    const taken = await current(other);
    const its = await more(other, taken);
    assert.equal(await its.getByLabel('Name', { exact: true }).inputValue(), 'mine');
    assert.equal(await its.getByLabel('Notes', { exact: true }).inputValue(), 'a note');
    await other.press('One step');
    await other.waitForNumber('train.step', (value) => value === step + 1);
    assert.equal(await other.number('train.loss'), next);
    await other.close();
  });

  test('runs taken in at the same time, beside a run that saves, are all whole', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.field('text').selectOption('own');
    await room.field('file').setInputFiles({
      name: 'mine.txt', mimeType: 'text/plain',
      buffer: Buffer.from('So much depends upon a red wheel barrow. '.repeat(60)),
    });
    await room.page.locator('.choice .state').getByText('mine.txt').waitFor();
    await room.press('Start a new run');
    await room.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    const { id } = await trained(room, 12);
    const [download] = await Promise.all([
      room.page.waitForEvent('download'),
      (await more(room, id)).getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    const file = await readFile(await download.path());
    await room.close();

    const other = await RoomPage.open(site);
    await other.phase('running');
    const count = 6;
    for (let run = 0; run < count; ++run) {
      await other.page.locator('input[name="run-file"]').setInputFiles({
        name: `${run}.safetensors`, mimeType: 'application/octet-stream', buffer: file,
      });
    }
    // Each is opened in turn as it comes; all are there in the end.
    await other.page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-run]').length === wanted, count + 1);
    const ids = await items(other).evaluateAll((all) => all.map(({ dataset }) => dataset.run));
    for (const one of ids) {
      await opened(other, one);
      assert.equal(await other.page.locator('[data-problem="runs"]').count(), 0);
    }
    await other.close();
  });

  test('compared: letters in the chart and the list, a table of what differs', async () => {
    const room = await RoomPage.open(site);
    const first = await trained(room, 30);
    await another(room, { width: 16, learningRate: 0.001 });
    const second = await trained(room, 30);
    await another(room, { heads: 4 });
    await trained(room, 30);
    for (const { id } of [first, second]) await item(room, id).getByRole('checkbox').check();
    const table = room.page.getByRole('table', { name: 'What they have otherwise than each other' });
    await table.waitFor();
    const rows = await table.locator('tr[data-field]').evaluateAll((all) =>
      Object.fromEntries(all.map((row) =>
        [row.dataset.field, [...row.querySelectorAll('td')].map((cell) => cell.textContent)])));
    assert.deepEqual(rows, {
      heads: ['4', '2', '2'], width: ['16', '32', '16'], learningRate: ['0.001', '0.004', '0.001'],
    });
    assert.equal(await item(room, first.id).locator('.mono').textContent(), 'a');
    assert.equal(await item(room, second.id).locator('.mono').textContent(), 'b');
    await room.page.getByText('Dashed, with a letter at the end').waitFor();
    const chart = room.page.getByRole('slider', { name: 'Loss' });
    await chart.focus();
    await room.page.keyboard.press('Home');
    assert.match(await chart.getAttribute('aria-valuetext'), /step 1: /);
    for (const [colorScheme, only] of [['light', undefined], ['dark', colourRules]]) {
      await room.page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(room.page, { only }), []);
    }
    // A compared run is opened: it is the open one now, and once in the table.
    await item(room, second.id).getByRole('button', { name: /^Open / }).click();
    await room.page.waitForFunction((id) => sessionStorage.getItem('heed-run') === id, second.id);
    await room.phase('paused');
    assert.deepEqual(
      await table.locator('thead .mono').allTextContents(), ['open', 'a']);
    await item(room, first.id).getByRole('checkbox').uncheck();
    await room.close();
  });

  test('a run that is open in another tab is said to be, and can be forked', async () => {
    const room = await RoomPage.open(site);
    const first = await trained(room, 5);
    const other = await room.another(site.address + query({ ...tiny, width: 16 }));
    await other.phase('running');
    await item(other, first.id).getByRole('button', { name: /^Open / }).click();
    await other.page.locator('[data-problem="runs"]').getByText('open in another tab').waitFor();
    assert.ok((await other.number('train.step')) >= 0);
    await (await more(other, first.id)).getByRole('button', { name: 'Go on from there' }).click();
    await other.page.waitForURL((url) => url.searchParams.get('width') === '32');
    await other.phase('running');
    await room.close();
  });

  test('320 px wide: the list and the table stay inside', async () => {
    const room = await RoomPage.open(site, tiny, {
      viewport: { width: 320, height: 640 }, hasTouch: true,
    });
    const first = await trained(room, 5);
    await another(room, { width: 16 });
    await trained(room, 5);
    await item(room, first.id).getByRole('checkbox').check();
    await more(room, first.id);
    await room.page.getByRole('table', { name: 'What they have otherwise' }).waitFor();
    assert.deepEqual(await tooWide(room.page), []);
    await room.close();
  });
});
