// SPDX-License-Identifier: MIT
// Texts of many kinds: scripts, encodings, tables, tokenizers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { BpeTokenizer } from '../../../web/lib/dist/node.js';
import { violations } from '../support/axe.mjs';
import { tooWide } from '../support/layout.mjs';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';

const builtIn = (id) =>
  readFile(new URL(`../../../web/site/generated/texts/${id}.txt`, import.meta.url), 'utf8');

/** Bytes of `text` in an encoding that only decoders know, by trying all its characters' bytes. */
function encoded(text, encoding) {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map();
  for (let first = 0; first < 0x100; ++first) {
    bytesOf.set(decoder.decode(Uint8Array.of(first)), [first]);
  }
  if (!/^(windows|iso|koi8)/.test(encoding)) {
    for (let first = 0x81; first < 0xff; ++first) {
      for (let second = 0x40; second < 0xff; ++second) {
        const pair = decoder.decode(Uint8Array.of(first, second));
        if (Array.from(pair).length === 1 && !bytesOf.has(pair)) bytesOf.set(pair, [first, second]);
      }
    }
  }
  return Buffer.from(Array.from(text).flatMap((character) => bytesOf.get(character) ?? [0x3f]));
}

describe('texts', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  async function give(room, name, buffer) {
    await room.field('file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(buffer) });
  }

  async function openOwn() {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.field('text').selectOption('own');
    return room;
  }

  /** How the text that was read begins. */
  async function excerpt(room) {
    const details = room.page.locator('.choice details', { hasText: 'How it begins' });
    await details.waitFor();
    return details.locator('.excerpt').evaluate((element) => element.textContent);
  }

  async function restedAndSaved(room) {
    await room.trainTo(2);
    const step = (await room.number('train.step')).toLocaleString('en');
    await room.page.locator('[data-save="saved"]').getByText(`at step ${step} `).waitFor();
  }

  const state = (room, text) => room.page.locator('.choice .state').getByText(text).first().waitFor();

  for (const id of ['rights-cyrillic', 'rights-arabic', 'rights-devanagari', 'rights-han']) {
    test(`${id} is offered, trains, and its probe and sample are of its script`, async () => {
      const room = await RoomPage.open(site, { ...tiny, text: id });
      await room.trainTo(3);
      const characters = new Set(await builtIn(id));
      const probe = await room.page.getByLabel('Probe text').inputValue();
      await room.probeOf(Array.from(probe).length);
      assert.ok(Array.from(probe).every((character) => characters.has(character)));
      await room.page.getByText(`${characters.size} different`.replace(/\B(?=(\d{3})+\b)/g, ','))
        .first().waitFor();
      await room.close();
    });
  }

  describe('byte pairs', () => {
    test('chosen in the form, learnt, trained with, shown cut, saved and taken up again', async () => {
      const room = await RoomPage.open(site);
      await room.phase('running');
      assert.equal(await room.field('vocabulary').count(), 0);
      await room.field('tokenizer').selectOption('bpe');
      await room.field('vocabulary').fill('400');
      await state(room, '400 different');
      const text = await builtIn('sonnets');
      const tokenizer = await BpeTokenizer.train(text, { vocab: 400 });
      const count = tokenizer.encode(text).length;
      await state(room, `${count.toLocaleString('en')} tokens`);

      await room.page.locator('summary', { hasText: 'How text is cut' }).click();
      const pieces = room.page.getByRole('textbox', { name: 'Any text' });
      await pieces.fill('Shall I compare thee to \u4f60\u597d?');
      const ids = [...tokenizer.encode('Shall I compare thee to \u4f60\u597d?')];
      const list = room.page.getByRole('list', { name: 'How text is cut into tokens' });
      await room.page.getByText(`27 characters, ${ids.length} tokens`).waitFor();
      assert.deepEqual((await list.locator('.id').allInnerTexts()).map(Number), ids);
      assert.deepEqual(
        await list.locator('bdi').allInnerTexts(),
        ids.map((id) => tokenizer.token(id).replaceAll(' ', '␣')),
      );
      assert.deepEqual(await violations(room.page), []);

      await room.press('Start a new run');
      await room.page.waitForURL((url) => url.searchParams.get('tokenizer') === 'bpe'
        && url.searchParams.get('vocabulary') === '400');
      await room.trainTo(5);
      const step = await room.number('train.step');
      await room.page.locator('[data-save="saved"]').getByText(`at step ${step} `).waitFor();
      const address = room.page.url();
      await room.page.reload();
      await room.phase('paused');
      assert.equal(await room.number('train.step'), step);
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step + 1);
      await room.close();

      // The link alone gives the same run elsewhere: the same losses.
      const losses = [];
      for (let i = 0; i < 2; ++i) {
        const other = new RoomPage(await (await site.browser.newContext()).newPage());
        await other.page.goto(address);
        await other.trainTo(3);
        await other.press('Reset');
        await other.waitForNumber('train.step', (value) => value === 0);
        await other.press('One step');
        await other.waitForNumber('train.step', (value) => value === 1);
        losses.push(await other.number('train.loss'));
        await other.close();
      }
      assert.equal(losses[0], losses[1]);
    });

    test('a large vocabulary shows how far it is, and another choice ends it', async () => {
      const room = await RoomPage.open(site, { ...tiny, text: 'moby-dick' });
      await room.phase('running');
      await room.pause();
      await room.page.evaluate(() => {
        window.seen = [];
        new MutationObserver(() => {
          const bar = document.querySelector('.choice progress');
          if (bar !== null) window.seen.push([bar.value, bar.max]);
        }).observe(document.querySelector('.choice'), {
          attributes: true, childList: true, subtree: true,
        });
      });
      await room.field('tokenizer').selectOption('bpe');
      await state(room, '512 different');
      await room.field('vocabulary').fill('32768');
      await room.page.waitForFunction(() =>
        window.seen.some(([value, max]) => max === 32768 - 256 && value > 100));
      await room.field('tokenizer').selectOption('char');
      await state(room, 'different');
      assert.ok(!(await room.page.locator('.choice .state').innerText()).includes('32,768'));
      await room.close();
    });

    test('a vocabulary that is none is said to be', async () => {
      const room = await RoomPage.open(site);
      await room.phase('running');
      await room.field('tokenizer').selectOption('bpe');
      await state(room, '512 different');
      for (const wrong of ['255', '', '1e9', 'many', '300.5']) {
        await room.field('vocabulary').fill(wrong);
        await room.problemAt('vocabulary').waitFor();
        assert.ok(await room.button('Start a new run').isDisabled());
      }
      // Where it cannot be seen it does not count.
      await room.field('tokenizer').selectOption('byte');
      await state(room, '256 different');
      assert.ok(await room.button('Start a new run').isEnabled());
      await room.field('tokenizer').selectOption('bpe');
      await room.problemAt('vocabulary').waitFor();
      await room.field('vocabulary').fill('300');
      await state(room, '300 different');
      await room.close();
    });
  });

  describe('tables', () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({
      id: `n${i}`, title: `Title ${i}`, body: `Line one of ${i}, with a comma\nand "another" line.`,
    }));
    const bodies = rows.map(({ body }) => body).join('\n');
    const quoted = (value) => `"${value.replaceAll('"', '""')}"`;
    const files = {
      'all.csv': `id,title,body\r\n${rows
        .map(({ id, title, body }) => [id, title, body].map(quoted).join(',')).join('\r\n')}`,
      'all.tsv': `id\ttitle\tbody\n${rows
        .map(({ id, title, body }) => [id, title, body].map(quoted).join('\t')).join('\n')}`,
      'all.json': JSON.stringify(rows),
      'all.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    };

    for (const [name, file] of Object.entries(files)) {
      test(`${name}: the longest column is taken, another one when asked`, async () => {
        const room = await openOwn();
        await give(room, name, file);
        await state(room, `${name}: body`);
        assert.equal(await excerpt(room), bodies.slice(0, 400));
        await room.field('column').selectOption('title');
        await state(room, `${name}: title`);
        assert.equal(
          await excerpt(room), rows.map(({ title }) => title).join('\n').slice(0, 400));
        await room.field('column').selectOption('body');
        await state(room, `${name}: body`);
        await room.press('Start a new run');
        await room.page.getByRole('heading', { name: `continue ${name}: body` }).waitFor();
        await restedAndSaved(room);
        await room.page.reload();
        await room.phase('paused');
        await room.page.getByRole('heading', { name: `continue ${name}: body` }).waitFor();
        assert.equal(await excerpt(room), bodies.slice(0, 400));
        await room.close();
      });
    }

    test('a table without names, a table deep inside, one without text, and broken ones', async () => {
      const room = await openOwn();
      await give(room, 'plain.csv', '1,"So much depends"\n2,"upon a red wheel barrow"\n'.repeat(60));
      await state(room, 'plain.csv: 2');
      await give(room, 'deep.json', JSON.stringify({
        data: { items: Array.from({ length: 90 }, (_, i) => ({ page: { text: `word ${i} and more` } })) },
      }));
      await state(room, 'deep.json: data.items.page.text');
      const problem = room.page.locator('[data-problem="text"]');
      await give(room, 'numbers.json', '[[1, 2], [3, 4]]');
      await problem.getByText('There is no text here').waitFor();
      await give(room, 'broken.jsonl', '{"a": "fine"}\n{"a": "cut off\n');
      await problem.getByText('line 2').waitFor();
      await give(room, 'broken.json', '{"a": ');
      await problem.getByText('cannot be read as a table').waitFor();
      await give(room, 'broken.csv', 'a,b\n1,"never closed\n');
      await problem.getByText('cannot be read as a table').waitFor();
      await give(room, 'fine.csv', files['all.csv']);
      await state(room, 'fine.csv: body');
      await room.close();
    });
  });

  describe('encodings', () => {
    const texts = {
      'windows-1251': ['rights-cyrillic', 3000],
      'koi8-r': ['rights-cyrillic', 3000],
      'windows-1256': ['rights-arabic', 2000],
      gb18030: ['rights-han', 1500],
      big5: ['han', 1500],
      shift_jis: ['kana', 1500],
      'euc-jp': ['kana', 1500],
    };

    /** The beginning of a text in that encoding's language. */
    async function sample(id, length) {
      const all = await builtIn(id === 'han' || id === 'kana' ? 'rights-han' : id);
      if (id === 'kana') return all.slice(all.search(/[\u3041-\u3096]/)).slice(0, length);
      // The second of its languages is in the traditional characters.
      return (id === 'han' ? all.slice(all.indexOf('\n\n') + 2) : all).slice(0, length);
    }

    for (const [encoding, [id, length]] of Object.entries(texts)) {
      test(`${encoding} is found out`, async () => {
        const text = await sample(id, length);
        const bytes = encoded(text, encoding);
        const room = await openOwn();
        await give(room, 'old.txt', bytes);
        await room.field('encoding').waitFor();
        assert.equal(await room.field('encoding').inputValue(), encoding);
        const expected = new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
        assert.equal(await excerpt(room), expected.slice(0, 400));
        await room.close();
      });
    }

    test('UTF-16 with and without a mark, either order', async () => {
      const text = `${'Так много зависит от красной тачки. So much depends. '.repeat(20)}\n`;
      const little = Buffer.from(text, 'utf16le');
      const big = Buffer.from(little).swap16();
      const room = await openOwn();
      for (const [bytes, encoding] of [
        [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 'utf-16le'],
        [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), 'utf-16be'],
        [little, 'utf-16le'],
        [big, 'utf-16be'],
      ]) {
        await give(room, `${encoding}.txt`, bytes);
        await state(room, `${encoding}.txt`);
        assert.equal(await room.field('encoding').inputValue(), encoding);
        assert.equal(await excerpt(room), text.slice(0, 400));
      }
      await room.close();
    });

    test('a wrong guess can be put right, and the choice outlives a reload', async () => {
      const text = 'café crème, déjà vu à la française. '.repeat(30);
      const room = await openOwn();
      await give(room, 'cafe.txt', Buffer.from(text, 'latin1'));
      await room.field('encoding').selectOption('koi8-r');
      await state(room, 'cafe.txt');
      assert.ok((await excerpt(room)).startsWith('cafИ '));
      await room.field('encoding').selectOption('windows-1252');
      await state(room, 'cafe.txt');
      assert.equal(await excerpt(room), text.slice(0, 400));
      await room.press('Start a new run');
      await room.page.getByRole('heading', { name: /continue cafe\.txt/ }).waitFor();
      await restedAndSaved(room);
      // What is kept is UTF-8, whatever was chosen for the file.
      await room.field('tokenizer').selectOption('byte');
      await state(room, '256 different');
      assert.equal(await excerpt(room), text.slice(0, 400));
      await room.page.reload();
      await room.phase('paused');
      assert.equal(await excerpt(room), text.slice(0, 400));
      await room.close();
    });

    test('a text that grows past the limit as UTF-8 is refused, cut, and its run goes on', async () => {
      const room = await openOwn();
      // Six megabytes of windows-1251, twelve of UTF-8.
      const line = encoded('Так много зависит от красной тачки, мокрой от дождя. ', 'windows-1251');
      await room.page.evaluate(async (bytes) => {
        const file = new File(new Array(115_000).fill(new Uint8Array(bytes)), 'long.txt');
        const data = new DataTransfer();
        data.items.add(file);
        for (const type of ['dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
      }, [...line]);
      await room.page.getByRole('button', { name: /^Use the first/ }).click();
      await state(room, 'Only the first');
      await room.press('Start a new run');
      await room.page.getByRole('heading', { name: /continue long\.txt/ }).waitFor();
      await restedAndSaved(room);
      await room.page.reload();
      await room.phase('paused');
      await room.page.getByRole('heading', { name: /continue long\.txt/ }).waitFor();
      await room.close();
    });
  });

  test('a file dropped anywhere is taken', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['A text that was dropped here. '.repeat(60)], 'dropped.md'));
      for (const type of ['dragover', 'drop']) {
        document.querySelector('h1').dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    });
    await state(room, 'dropped.md');
    assert.equal(await room.field('text').inputValue(), 'own');
    await room.close();
  });

  test('320 px wide: boxes of tokens stay inside', async () => {
    const viewport = { width: 320, height: 640 };
    const room = await RoomPage.open(site, { ...tiny, tokenizer: 'bpe' }, { viewport, hasTouch: true });
    await room.phase('running');
    await room.page.locator('summary', { hasText: 'How text is cut' }).click();
    await room.page.getByRole('textbox', { name: 'Any text' }).fill('compare thee '.repeat(40));
    await room.page.locator('.choice li').first().waitFor();
    assert.deepEqual(await tooWide(room.page), []);
    await room.close();
  });
});
