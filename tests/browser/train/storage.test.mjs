// SPDX-License-Identifier: MIT
// Runs outlive the page: reload, closing, damage, full storage, two tabs.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RoomPage, query, skipReason, startSite, tiny } from '../support/room.mjs';
import { straightStep } from '../support/straight.mjs';

describe('saved runs', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const failedSave = (room) => room.page.locator('[data-save="failed"]');
  const saved = (room) => room.page.locator('[data-save="saved"]');

  /** Pauses and waits until that very step is in storage. */
  async function pauseSaved(room, atLeast) {
    await room.trainTo(atLeast);
    const step = await room.number('train.step');
    await saved(room).getByText(`at step ${step.toLocaleString('en')} `).waitFor();
    return step;
  }

  test('a reload keeps a paused run, and it continues as if nothing had been', async () => {
    const room = await RoomPage.open(site);
    const step = await pauseSaved(room, 10);
    await room.page.reload();
    await room.phase('paused');
    assert.equal(await room.number('train.step'), step);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    const straight = await straightStep(step + 1);
    assert.equal(await room.number('train.loss'), straight.loss, 'the straight run has this loss');
    assert.equal(await room.number('train.gradientNorm'), straight.gradientNorm);
    await room.close();
  });

  test('a reload while training goes on training', async () => {
    const room = await RoomPage.open(site);
    await saved(room).waitFor();
    const text = await saved(room).textContent();
    const step = Number(/step ([\d,]+)/.exec(text)[1].replace(',', ''));
    await room.page.reload();
    await room.phase('running');
    const again = await room.waitForNumber('train.step', (value) => value > 0);
    assert.ok(again >= step, `saved at ${step}, went on at ${again}`);
    await room.close();
  });

  test('a visit to the bare address finds the run, a link to other settings not', async () => {
    const room = await RoomPage.open(site);
    const step = await pauseSaved(room, 6);
    const context = room.page.context();
    // An empty page keeps the context while the tab with the run is closed.
    const keeper = await context.newPage();
    await room.page.close();
    const visit = new RoomPage(await context.newPage());
    await visit.page.goto(site.address + query({}));
    await visit.phase('paused');
    assert.equal(await visit.number('train.step'), step);
    await visit.page.goto(site.address + query({ ...tiny, seed: 99 }));
    await visit.phase('running');
    assert.equal(await visit.field('seed').inputValue(), '99');
    await keeper.close();
    await visit.close();
  });

  test('two tabs do not write the same run', async () => {
    const room = await RoomPage.open(site);
    await saved(room).waitFor();
    const other = await room.another();
    await other.phase('running');
    await saved(other).waitFor();
    const ids = await Promise.all([room, other].map(({ page }) =>
      page.evaluate(() => sessionStorage.getItem('heed-run'))));
    assert.notEqual(ids[0], ids[1]);
    const step = await pauseSaved(room, 3);
    await room.page.reload();
    await room.phase('paused');
    assert.equal(await room.number('train.step'), step);
    await room.close();
  });

  test('a text of one\'s own is kept with its run', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.field('text').selectOption('own');
    await room.field('file').setInputFiles({
      name: 'mine.txt', mimeType: 'text/plain',
      buffer: Buffer.from('So much depends upon a red wheel barrow glazed with rain. '.repeat(60)),
    });
    await room.press('Start a new run');
    await room.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    const step = await pauseSaved(room, 5);
    await room.page.reload();
    await room.phase('paused');
    await room.page.getByRole('heading', { name: /continue mine\.txt/ }).waitFor();
    assert.equal(await room.number('train.step'), step);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    // Elsewhere the link cannot bring the text along, and says so.
    const elsewhere = await RoomPage.open(site, Object.fromEntries(
      new URL(room.page.url()).searchParams));
    await elsewhere.phase('running');
    assert.match(await elsewhere.notice().textContent(), /text of someone's own/);
    await elsewhere.close();
    await room.close();
  });

  test('of two saves the damaged one is passed over', async () => {
    const room = await RoomPage.open(site);
    const first = await pauseSaved(room, 4);
    await room.press('One step');
    const newest = first + 1;
    await saved(room).getByText(`at step ${newest.toLocaleString('en')} `).waitFor();
    await room.page.evaluate(async () => {
      const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open('heed');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const store = database.transaction('saves', 'readwrite').objectStore('saves');
      const saves = await new Promise((resolve) => {
        const request = store.getAll();
        request.onsuccess = () => resolve(request.result);
      });
      const newest = saves.sort((a, b) => b.record.savedAt - a.record.savedAt)[0];
      newest.record.checkpoint[1000] ^= 1;
      await new Promise((resolve) => {
        store.put(newest).onsuccess = resolve;
      });
      database.close();
    });
    await room.page.reload();
    await room.phase('paused');
    assert.match(await room.notice().textContent(), /newest save of this run was damaged/);
    assert.equal(await room.number('train.step'), first);
    await room.close();
  });

  test('deleted storage gives a clean start', async () => {
    const room = await RoomPage.open(site);
    await pauseSaved(room, 4);
    await room.page.evaluate(() => new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('heed');
      request.onsuccess = resolve;
      request.onerror = reject;
    }));
    await room.page.reload();
    await room.phase('running');
    await room.close();
  });

  test('one connection serves all that ask at the same time', async () => {
    // Whatever is opened beside it is never closed, and blocks a deletion for good. The wait lets
    // further requests come in before the first one has its connection.
    const room = await withStorage(
      'const plain = IDBFactory.prototype.open; const opens = new BroadcastChannel("opens");'
      + ' IDBFactory.prototype.open = function (...given) {'
      + ' opens.postMessage(given[0]); const request = plain.apply(this, given);'
      + ' for (const start = Date.now(); Date.now() - start < 1500;); return request; };',
      () => {
        window.opens = [];
        new BroadcastChannel('opens').onmessage = ({ data }) => window.opens.push(data);
      });
    await pauseSaved(room, 4);
    await room.page.locator('[data-run]').first().waitFor();
    assert.deepEqual(await room.page.evaluate(() => window.opens), ['heed']);
    await room.close();
  });

  /** Workers get no init scripts, so their script is served with a line in front. */
  async function withStorage(line, inPage = () => {}) {
    const context = await site.browser.newContext();
    await context.addInitScript(inPage);
    await context.route('**/assets/worker-*.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${line}\n${await response.text()}` });
    });
    const room = new RoomPage(await context.newPage());
    await room.page.goto(site.address + query(tiny));
    return room;
  }

  test('storage that cannot be opened is told and training goes on', async () => {
    const room = await withStorage(
      'if (typeof IDBFactory !== "undefined") IDBFactory.prototype.open = () => {'
      + ' throw new DOMException("denied", "SecurityError"); };');
    await failedSave(room).getByText('does not let the page store').waitFor();
    const step = await room.number('train.step');
    await room.waitForNumber('train.step', (value) => value > step);
    await room.close();
  });

  test('full storage is told and training goes on', async () => {
    const room = await withStorage(
      'if (typeof IDBObjectStore !== "undefined") IDBObjectStore.prototype.put = () => {'
      + ' throw new DOMException("full", "QuotaExceededError"); };');
    await failedSave(room).getByText(/storage is full \(.* needed/).waitFor();
    const step = await room.number('train.step');
    await room.waitForNumber('train.step', (value) => value > step);
    await room.close();
  });
});
