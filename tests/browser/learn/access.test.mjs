// SPDX-License-Identifier: MIT
// The learn room for everyone (D7, D10): keys alone, axe, small, dark, forced colours, less motion,
// other languages and directions, odd tokens.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colourRules, violations } from '../support/axe.mjs';
import { tooWide } from '../support/layout.mjs';
import { skipReason, startSite } from '../support/room.mjs';
import { chapterIds } from './support/chapters.mjs';
import { chapter, openAt, openLearn, settled, shownStep } from './support/learn-page.mjs';

describe('access to the learn room', { skip: skipReason(), timeout: 1_200_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const openDetails = async (room) => {
    for (const summary of await room.page.locator('#controls summary, aside summary').all()) {
      await summary.click();
    }
  };

  for (const [colorScheme, only] of [['light', undefined], ['dark', colourRules]]) {
    test(`axe finds nothing in any chapter, ${colorScheme}`, async () => {
      const room = await openAt(site, 20, { depth: 'code', j: 2 }, { colorScheme });
      await openDetails(room);
      for (const id of chapterIds) {
        await chapter(room, id);
        assert.deepEqual(await violations(room.page, { only }), [], id);
      }
      await room.close();
    });
  }

  test('keys alone: train, rest, step, back, pin, release, through every chapter', async () => {
    const room = await openLearn(site);
    const { keyboard } = room.page;
    await room.phase('running');
    await room.waitForNumber('train.step', (step) => step >= 3);
    await keyboard.press('Space');
    await room.phase('paused');
    const step = await room.number('train.step');
    await keyboard.press('.');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    await keyboard.press(',');
    await shownStep(room, step);
    await keyboard.press('.');
    await shownStep(room, step + 1);
    await keyboard.press('g');
    assert.ok(await room.page.getByLabel('pushes').isChecked());
    await keyboard.press('g');

    for (const id of chapterIds) {
      const list = room.page.getByRole('combobox', { name: 'Chapters' });
      assert.equal(await list.inputValue(), id);
      await room.page.locator(`article[data-chapter="${id}"] h2`).first().waitFor();
      await settled(room);
      // From the chapter list on, every stop is in sight of the reader and has a name.
      await list.focus();
      let grids = 0;
      for (let stop = 0; stop < 200; ++stop) {
        await keyboard.press('Tab');
        const focused = await room.page.evaluate(() => {
          const element = document.activeElement;
          const inside = element?.closest('article') !== null;
          const cell = element?.getAttribute('role') === 'gridcell';
          const name = element?.getAttribute('aria-label') || element?.innerText
            || element?.labels?.[0]?.innerText || '';
          return { inside, cell, name, tag: element?.tagName };
        });
        if (focused.tag === 'BODY' || focused.tag === 'HTML') break;
        if (focused.inside && !focused.cell) assert.notEqual(focused.name, '', `${id}: ${focused.tag}`);
        if (focused.cell) grids += 1;
        if (focused.tag === 'FOOTER') break;
      }
      if (['c0', 'c1', 'c4', 'c7', 'c8'].includes(id)) assert.ok(grids >= 1, `${id}: no grid reached`);
      if (id !== chapterIds.at(-1)) {
        const next = room.page.getByRole('button', { name: /^Next:/ });
        await next.focus();
        await keyboard.press('Enter');
      }
    }
    await room.close();
  });

  test('a cell is pinned and released with keys, and the inspector follows', async () => {
    const room = await openAt(site, 20, { chapter: 'c4', i: 6, j: 2 });
    const cell = room.page.locator('article [role="gridcell"][tabindex="0"]').first();
    await cell.focus();
    await room.page.keyboard.press('ArrowLeft');
    await room.page.keyboard.press('Enter');
    const inspector = room.page.getByRole('complementary', { name: 'This number' });
    await inspector.getByRole('button', { name: 'Let go' }).waitFor();
    const shown = inspector.locator('[data-digits="full"]');
    const address = await shown.getAttribute('data-addr');
    assert.match(address, /^L0\.H0\.A\.6\.1$/);
    await inspector.getByRole('button', { name: 'L0.H0.S.6.1' }).click();
    assert.equal(await shown.getAttribute('data-addr'), 'L0.H0.S.6.1');
    await room.page.locator('h1').click();
    await room.page.keyboard.press('Escape');
    await inspector.getByRole('button', { name: 'Let go' }).waitFor({ state: 'detached' });
    await room.close();
  });

  test('320 px wide: no chapter scrolls sideways', async () => {
    const viewport = { width: 320, height: 640 };
    const room = await openAt(site, 20, { depth: 'code', j: 2 }, { viewport, hasTouch: true });
    await openDetails(room);
    for (const id of chapterIds) {
      await chapter(room, id);
      assert.deepEqual(await tooWide(room.page), [], id);
    }
    await room.close();
  });

  /** Words that are cut off by their own box. */
  const clipped = (room) => room.page.evaluate(() =>
    [...document.querySelectorAll('main button, main label, main h1, main h2, main h3, main p, main summary, main dt, header *')]
      .filter((e) => e.clientWidth > 0 && getComputedStyle(e).overflowX !== 'visible'
        && !e.closest('.hidden') && e.scrollWidth > e.clientWidth + 1)
      .map((e) => `${e.tagName} '${e.innerText.slice(0, 40)}'`));

  for (const [lang, direction] of [['en-XA', 'ltr'], ['ar-XB', 'rtl'], ['zh-Hans', 'ltr']]) {
    for (const width of [320, 1280]) {
      test(`${lang}, ${width} px: every word from the catalogue, nothing cut off`, async () => {
        const viewport = { width, height: 800 };
        const room = await openAt(site, 20, { lang, depth: 'code' }, { viewport });
        assert.equal(await room.page.evaluate(() => document.documentElement.dir), direction);
        assert.equal(await room.page.evaluate(() => document.documentElement.lang), lang);
        for (const id of chapterIds) {
          await room.page.locator('nav select').selectOption(id);
          await room.page.locator(`article[data-chapter="${id}"] h2`).first().waitFor();
          await settled(room);
          assert.deepEqual(await clipped(room), [], id);
          assert.deepEqual(await tooWide(room.page), [], id);
          const plain = await untranslated(room, lang);
          assert.deepEqual(plain, [], id);
        }
        await room.close();
      });
    }
  }

  /** Texts that were not taken from the catalogue: without the pretended language's accents. */
  const untranslated = (room, lang) => room.page.evaluate((language) => {
    const own = '[data-addr], [data-index], [data-axis], bdi, math, pre, code, option, .mono, .name';
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.data.trim();
      if (node.parentElement.closest(own) || !/[a-z]{4,}/i.test(text)) continue;
      const foreign = language === 'zh-Hans' ? /\p{Script=Han}|WebAssembly|^(Adam|SGD)$/u : /[^\x00-\x7F]/;
      if (!foreign.test(text)) found.push(text.slice(0, 60));
    }
    return found;
  }, lang);

  test('forced colours: borders and marks remain', async () => {
    const room = await openAt(site, 20, { chapter: 'c7' }, { forcedColors: 'active' });
    const cells = await room.page.locator('article .grid-cell').evaluateAll((all) =>
      all.slice(0, 20).map((e) => getComputedStyle(e).borderTopWidth + getComputedStyle(e).outlineWidth));
    assert.ok(cells.length >= 20);
    const texts = await room.page.locator('article [data-addr^="L0.H0.push.6."]').allInnerTexts();
    assert.ok(texts.every((text) => /[+\u2212]|^0/.test(text)), texts.join(' '));
    await room.close();
  });

  test('less motion: nothing is animated', async () => {
    const room = await openLearn(site, { chapter: 'c7' }, { reducedMotion: 'reduce' });
    await room.phase('running');
    for (let look = 0; look < 10; ++look) {
      await room.page.waitForTimeout(150);
      assert.equal(await room.page.evaluate(() => document.getAnimations().length), 0);
    }
    await room.close();
  });

  test('odd tokens stay apart and are text', async () => {
    const text = 'a b\n<b>x</b>👩 '.repeat(80);
    const room = await openAt(site, 1);
    await room.page.evaluate((own) => sessionStorage.setItem('heed-learn-text', own), text);
    await room.page.goto(`${site.address}?room=learn&task=text&step=1`);
    await shownStep(room, 1);
    await chapter(room, 'c4');
    const { length } = await room.page.locator('article [role="grid"]').first()
      .getByRole('columnheader').allInnerTexts();
    assert.equal(length, 25, '24 tokens and the corner');
    const glyphs = await room.page.locator('article [role="grid"] [role="rowheader"] bdi')
      .allInnerTexts();
    assert.ok(glyphs.includes('␣') && glyphs.includes('↵'), glyphs.join(' '));
    assert.ok(glyphs.includes('<'), glyphs.join(' '));
    assert.equal(await room.page.locator('article b').count(), 0);
    await room.close();
  });

  test('the language is the reader\'s choice and stays', async () => {
    const room = await openAt(site, 1);
    await room.page.getByLabel('Language').selectOption('zh-Hans');
    await room.page.getByRole('heading', { name: '它在你眼前学习' }).waitFor();
    await room.page.reload();
    await room.page.getByRole('heading', { name: '它在你眼前学习' }).waitFor();
    await room.page.getByRole('link', { name: '训练', exact: true }).click();
    await room.phase('running', 'paused');
    assert.match(await room.page.locator('h1').innerText(), /正在学习续写/);
    await room.close();
  });
});
