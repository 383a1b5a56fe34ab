// SPDX-License-Identifier: MIT
// Help in the page: a tip for every control, the sheet of keys, and ways back.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { colourRules, violations } from '../support/axe.mjs';
import { openAllDetails, tooWide } from '../support/layout.mjs';
import { RoomPage, query, skipReason, startSite, tiny } from '../support/room.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('tips and help', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;
  /** At rest, for several tests one after the other. */
  let room;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const tip = (room) => room.page.locator('[data-shown="tip"]');
  const about = (room, key) => room.page.locator(`[data-about="${key}"]`).first();
  const focused = (room) => room.page.evaluate(() => document.activeElement?.getAttribute('name'));

  /** A room at rest, so that nothing in it changes by itself. */
  async function resting(settings = tiny, options = {}) {
    const room = await RoomPage.open(site, settings, options);
    await room.trainTo(3);
    await room.page.getByText(/Sources and licences/).waitFor();
    return room;
  }

  /** Every control that there can be, unfolded. */
  async function unfolded(room) {
    await room.field('text').selectOption('own');
    await room.field('file').setInputFiles({
      name: 'words.csv', mimeType: 'text/csv',
      // In windows-1251, so that the choice of encodings is there as well.
      buffer: Buffer.concat([Buffer.from('text\n'), Buffer.from([
        ...Array(400).fill([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0x0a]).flat(),
      ])]),
    });
    await room.field('column').waitFor();
    await room.field('encoding').waitFor();
    await room.field('tokenizer').selectOption('bpe');
    await room.field('vocabulary').fill('260');
    await room.field('column').waitFor();
    await room.page.locator('[data-run]').first().waitFor();
    await openAllDetails(room.page);
    await room.page.locator('[data-tip="exportRun"]').waitFor();
  }

  /** Presses every "?" and returns what its tips say and where they are. */
  const readAll = (room) => room.page.evaluate(async () => {
    const settled = () => new Promise((resolve) => setTimeout(resolve));
    const found = [];
    for (const button of document.querySelectorAll('[data-about]')) {
      button.scrollIntoView({ block: 'center' });
      button.click();
      await settled();
      const boxes = document.querySelectorAll('[data-shown="tip"]');
      const { left, right, top, bottom } = boxes[0].getBoundingClientRect();
      const inside = left >= 0 && right <= document.documentElement.clientWidth
        && top >= 0 && bottom <= document.documentElement.clientHeight;
      const { width, height } = button.getBoundingClientRect();
      for (const part of boxes[0].querySelectorAll('[data-tip-of]')) {
        const [sentence, source] = [...part.children].map((child) => child.textContent.trim());
        found.push({
          key: part.dataset.tipOf, sentence, source, open: boxes.length, inside,
          large: width >= 24 && height >= 24, stop: button.tabIndex,
        });
      }
    }
    return found;
  });

  /** As in a sentence of the language, and not a label. */
  const sentences = { en: /^[A-Z].{30,}\.$/, 'zh-Hans': /^[“\u4e00-\u9fffA-Z].{10,}。$/u };

  test('every control has a tip: a sentence and its source, in each language, at 320 px', async () => {
    const room = await resting(tiny, { viewport: { width: 320, height: 640 } });
    await unfolded(room);
    const bare = await room.page.evaluate(() => {
      // The bare ones undo, mend or retry: they say all of it themselves.
      const controls = document.querySelectorAll('main :is(input, select, textarea, button)'
        + ':not([data-about], [data-tip], [role="group"] *, [role="status"] *, [role="alert"] *)');
      return [...controls].map((control) => control.outerHTML.slice(0, 120));
    });
    assert.deepEqual(bare, []);
    const fields = await room.page.locator('form .field [name]').evaluateAll((all) =>
      all.map((one) => [one.name, one.dataset.tip]));
    assert.ok(fields.length >= 41, `${fields.length} fields`);
    for (const [name, key] of fields) assert.equal(key, name);
    const tipped = await room.page.locator('[data-tip]').evaluateAll((all) =>
      all.map((one) => one.dataset.tip));

    for (const [lang, sentenceOf] of Object.entries(sentences)) {
      await room.page.locator('header select').first().selectOption(lang);
      await about(room, 'heads').click();
      await tip(room).locator('[data-tip-of="heads"]')
        .getByText(lang === 'en' ? /Each head/ : /每个头/).waitFor();
      const found = await readAll(room);
      const told = new Map(found.map((one) => [one.key, one]));
      assert.deepEqual([...new Set(tipped)].filter((key) => !told.has(key)), [], 'without a "?"');
      assert.equal(new Set([...told.values()].map(({ sentence }) => sentence)).size, told.size);
      for (const { key, sentence, source, ...where } of found) {
        assert.match(sentence, sentenceOf, key);
        assert.match(source, /^(Source|来源):\s+(.* (19|20)\d\d, \S|Heed, \S)/, key);
        for (const [, file, under] of source.matchAll(/Heed, (\S+), "([^"]+)"/g)) {
          assert.ok(existsSync(root + file), `${key}: ${file}`);
          assert.ok(readFileSync(root + file, 'utf8').includes(under), `${key}: ${file}: ${under}`);
        }
        assert.deepEqual(where, { open: 1, inside: true, large: true, stop: -1 }, key);
      }
      assert.deepEqual(await tooWide(room.page), []);
    }
    await room.close();
  });

  test('a tip opens by pointing, stays under the pointer, goes with Escape alone', async () => {
    room = await resting();
    const { keyboard, mouse } = room.page;
    assert.equal(await tip(room).count(), 0, 'nothing is built before it is asked for');
    await room.page.locator('[role="gridcell"][tabindex="0"]').focus();
    await keyboard.press('Enter');
    await room.page.getByText('(pinned)').waitFor();
    await about(room, 'probe').hover();
    await tip(room).getByText(/only read this text/).waitFor();
    const box = await tip(room).boundingBox();
    await mouse.move(box.x + 20, box.y + box.height - 4, { steps: 4 });
    await about(room, 'prompt').hover();
    await tip(room).getByText(/continue from here/).waitFor();
    assert.equal(await tip(room).count(), 1);
    await keyboard.press('Escape');
    assert.equal(await tip(room).count(), 0);
    await room.page.getByText('(pinned)').waitFor();
    assert.equal(await room.page.evaluate(() => document.activeElement.role), 'gridcell');
    await keyboard.press('Escape');
    await room.page.getByText('(pinned)').waitFor({ state: 'detached' });
    await mouse.move(2, 2);
    await about(room, 'prompt').hover();
    await tip(room).waitFor();
    await mouse.move(2, 2);
    await tip(room).waitFor({ state: 'detached' });

    await about(room, 'width').click();
    await tip(room).getByText(/vector of this length/).waitFor();
    assert.equal(await about(room, 'width').getAttribute('aria-expanded'), 'true');
    await mouse.move(2, 2);
    await about(room, 'layers').click();
    await tip(room).getByText(/what the one below has written/).waitFor();
    assert.equal(await about(room, 'width').getAttribute('aria-expanded'), null);
    await about(room, 'layers').click();
    assert.equal(await tip(room).count(), 0);
  });

  test('F1 tells about the control with the focus, and leads to the source', async () => {
    const { keyboard } = room.page;
    const field = room.field('width');
    const hint = await field.getAttribute('aria-describedby');
    await field.focus();
    await keyboard.press('F1');
    await tip(room).getByText(/vector of this length/).waitFor();
    assert.equal(await focused(room), 'width');
    const described = await field.evaluate((element) => element.getAttribute('aria-describedby')
      .split(' ').map((id) => document.getElementById(id).textContent).join(' '));
    assert.match(described, /numbers for each token.*vector of this length/s);
    await room.page.locator('[data-spoken="tip"]').getByText(/vector of this length/).waitFor();
    await keyboard.press('F1');
    const link = room.page.locator('[data-shown="tip"] a:focus');
    assert.equal(await link.getAttribute('href'), 'https://arxiv.org/abs/1706.03762');
    assert.equal(await link.getAttribute('rel'), 'noreferrer noopener');
    await keyboard.press('Escape');
    assert.equal(await tip(room).count(), 0);
    assert.equal(await focused(room), 'width');
    assert.equal(await field.getAttribute('aria-describedby'), hint);
    await keyboard.press('F1');
    await keyboard.press('Tab');
    await tip(room).waitFor({ state: 'detached' });
    // Words follow the language while a tip is open.
    await room.button('One step').focus();
    await keyboard.press('F1');
    await tip(room).getByText(/reads a batch/).waitFor();
    await room.page.getByLabel('Language').evaluate((select) => {
      select.value = 'zh-Hans';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await tip(room).getByText(/读一个批量/).waitFor();
    await room.page.locator('header select').first().selectOption('en');
    await room.button('One step').waitFor();
  });

  /** Which of the sheet's keys a target lets pass. */
  const unanswered = (room, target, keys) => room.page.evaluate(([selector, all]) => all.filter((key) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.querySelector(selector).dispatchEvent(event);
    return !event.defaultPrevented;
  }), [target, keys]);

  const sheet = (room) => room.page.getByRole('dialog', { name: 'Keys and help' });

  async function listed(room) {
    await sheet(room).locator('kbd').first().waitFor();
    return Object.fromEntries(await sheet(room).locator('dl').evaluateAll((lists) => lists.map((list) =>
      [list.dataset.keys, [...list.querySelectorAll('kbd')].map((kbd) => kbd.dataset.key)])));
  }

  test('the sheet opens by key and button, lists what is answered, gives the focus back', async () => {
    const { keyboard } = room.page;
    await room.page.evaluate(() => document.activeElement.blur());
    await keyboard.press('?');
    const keys = await listed(room);
    assert.deepEqual(keys.run, [' ', '.', 'r']);
    assert.deepEqual(keys.everywhere, ['?', 'F1', 'Escape']);
    assert.equal(await sheet(room).locator('ol li').count(), 5);
    const step = await room.number('train.step');
    await keyboard.press('.');
    await keyboard.press('r');
    await keyboard.press('Escape');
    await sheet(room).waitFor({ state: 'detached' });
    assert.equal(await room.number('train.step'), step, 'keys went past the sheet');

    await room.button('Keys and help').focus();
    await keyboard.press('Enter');
    await sheet(room).waitFor();
    await sheet(room).getByRole('button', { name: 'Close' }).click();
    await sheet(room).waitFor({ state: 'detached' });
    assert.equal(await room.page.evaluate(() => document.activeElement.textContent), 'Keys and help');

    assert.deepEqual(await unanswered(room, '[role="gridcell"][tabindex="0"]', keys.map), []);
    assert.deepEqual(await unanswered(room, '[role="slider"]', keys.chart), []);

    const prompt = room.page.getByLabel('Begin with');
    await prompt.fill('');
    await prompt.press('?');
    assert.equal(await prompt.inputValue(), '?');
    assert.equal(await sheet(room).count(), 0);
    await room.page.getByLabel('Keyboard shortcuts').uncheck();
    await room.button('Download the run').focus();
    await keyboard.press('?');
    assert.equal(await sheet(room).count(), 0);
    await room.press('Keys and help');
    await sheet(room).getByLabel('Keyboard shortcuts').check();
    await keyboard.press('Escape');
    await sheet(room).waitFor({ state: 'detached' });
    await keyboard.press('?');
    await sheet(room).waitFor();
    await keyboard.press('Escape');
    await sheet(room).waitFor({ state: 'detached' });
    // Last, since they set the run in motion: what comes before is of a room at rest.
    assert.deepEqual(await unanswered(room, 'body', keys.run), []);
    await room.close();
  });

  test('the learn room has the same sheet with its own keys', async () => {
    const context = await site.browser.newContext({ viewport: { width: 320, height: 640 } });
    const room = new RoomPage(await context.newPage());
    await room.page.goto(`${site.address}?room=learn`);
    await room.phase('running', 'paused', 'finished');
    await room.page.keyboard.press('?');
    const keys = await listed(room);
    assert.deepEqual(keys.run, [' ', '.', ',', 'g']);
    assert.deepEqual(await tooWide(room.page), []);
    await room.page.keyboard.press('Escape');
    await sheet(room).waitFor({ state: 'detached' });
    assert.deepEqual(await unanswered(room, 'body', [...keys.run, '?']), []);
    await room.close();
  });

  test('axe finds nothing in a tip and the sheet, light and dark', async () => {
    const room = await resting(tiny, { colorScheme: 'light' });
    const both = async () => {
      assert.deepEqual(await violations(room.page), []);
      await room.page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await violations(room.page, { only: colourRules }), []);
      await room.page.emulateMedia({ colorScheme: 'light' });
    };
    await about(room, 'position').click();
    await tip(room).locator('a').first().waitFor();
    await both();
    await room.press('Keys and help');
    await listed(room);
    await both();
    await room.close();
  });

  test('what was typed can be undone, and that undone', async () => {
    const room = await resting();
    const [undo, redo] = [room.button('Undo these changes'), room.button('Have the changes back')];
    assert.equal(await undo.count(), 0);
    await room.field('width').fill('48');
    await room.field('position').selectOption('alibi');
    await undo.click();
    assert.equal(await room.field('width').inputValue(), '32');
    assert.equal(await room.field('position').inputValue(), 'rope');
    await redo.click();
    assert.equal(await room.field('width').inputValue(), '48');
    assert.equal(await room.field('position').inputValue(), 'alibi');
    // A task takes the place of all settings.
    await room.field('text').selectOption({ label: 'copy 16 letters' });
    assert.notEqual(await room.field('width').inputValue(), '48');
    await redo.click();
    assert.equal(await room.field('width').inputValue(), '48');
    assert.equal(await room.field('text').inputValue(), 'sonnets');
    await room.field('width').press('End');
    await room.page.keyboard.type('0');
    await room.page.keyboard.press('Control+z');
    assert.equal(await room.field('width').inputValue(), '48', 'the browser undoes typing by itself');

    // Deleted runs come back one after the other.
    await room.press('Start a new run');
    await room.trainTo(3);
    await room.field('width').fill('64');
    await room.press('Start a new run');
    await room.trainTo(3);
    const others = room.page.locator('[data-run][data-open="false"]');
    await others.nth(1).waitFor();
    await openAllDetails(room.page);
    for (const left of [1, 0]) {
      await others.first().getByRole('button', { name: 'Delete' }).click();
      await room.page.waitForFunction((count) =>
        document.querySelectorAll('[data-run][data-open="false"]').length === count, left);
    }
    await room.page.locator('button:focus', { hasText: 'Have it back' }).waitFor();
    await room.press('Have it back');
    await others.first().waitFor();
    await room.press('Have it back');
    await others.nth(1).waitFor();
    assert.equal(await room.button('Have it back').count(), 0);
    await room.close();
  });

  test('without a text or a storage the page says what can be done', async () => {
    const context = await site.browser.newContext();
    const room = new RoomPage(await context.newPage(), { expected: /404|Failed to load resource/ });
    const missing = (route) => route.fulfill({ status: 404, body: 'none' });
    await context.route('**/*.txt', missing);
    await context.route('**/assets/worker-*.js', async (route) => {
      const response = await route.fetch();
      const forbid = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('', 'SecurityError'); } });";
      await route.fulfill({ response, body: forbid + await response.text() });
    });
    await room.page.goto(site.address + query(tiny));
    await room.phase('empty');
    await room.page.getByRole('heading', { name: 'Nothing is training yet' }).waitFor();
    await room.page.getByText('Without a run there are no weights to show.').waitFor();
    assert.equal(await room.field('text').inputValue(), 'sonnets');
    assert.equal(await room.field('width').inputValue(), '32');
    await room.page.locator('[data-problem="text"]').getByText(/could not be loaded/).waitFor();
    await context.unroute('**/*.txt', missing);
    await room.page.locator('form').getByRole('button', { name: 'Try again' }).click();
    await room.press('Start a new run');
    await room.page.locator('[data-save="failed"]').waitFor();
    await room.field('width').fill('48');
    await room.page.getByText(/cannot be saved here and would be lost/).waitFor();
    await room.close();
  });
});
