// SPDX-License-Identifier: MIT
// The figures for everyone: screen readers, small screens, other colours, other scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colourRules, violations } from '../support/axe.mjs';
import { headerFaults } from '../support/figure-checks.mjs';
import { openGallery, startGallery } from '../support/gallery.mjs';
import { oddGlyphs } from '../support/gallery-numbers.mjs';
import { skipReason } from '../support/room.mjs';

describe('figures: access', { skip: skipReason(), timeout: 900_000 }, () => {
  let gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery?.close());

  const openTables = (page) => page.evaluate(() => {
    for (const button of document.querySelectorAll('.figure-tools > button')) button.click();
  });

  const looks = {
    light: [{ colorScheme: 'light' }],
    dark: [{ colorScheme: 'dark' }, colourRules],
    'forced colours': [{ forcedColors: 'active' }, colourRules],
    '320 px': [{ viewport: { width: 320, height: 640 } }],
  };
  for (const [name, [options, only]] of Object.entries(looks)) {
    test(`axe finds nothing, nothing is cut, ${name}`, async () => {
      const { page, close } = await openGallery(gallery, '?tokens=odd', options);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      // The gallery is a list of figures and no page of its own.
      const found = () => violations(page, { only, except: ['page-has-heading-one'] });
      assert.deepEqual(await found(), []);
      const small = await page.evaluate(() => [...document.querySelectorAll(
        '.figure button, .figure summary, .figure input, .figure [role="slider"], .figure [role="option"], .grid-cell')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
        .map(({ element, box }) => `${element.className} ${box.width} x ${box.height}`));
      assert.deepEqual(small, []);
      const sideways = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.equal(sideways[0], sideways[1]);
      await openTables(page);
      assert.deepEqual(await found(), []);
      await close();
    });
  }

  test('in a page from right to left, matrices and numbers stay left to right', async () => {
    const { page, close } = await openGallery(gallery, '?dir=rtl&tokens=odd', { reducedMotion: 'reduce' });
    const faults = await page.evaluate(() => {
      const found = [];
      for (const element of document.querySelectorAll('.grid, .stage, .rows-holder, [data-addr], [data-axis]')) {
        if (getComputedStyle(element).direction !== 'ltr') found.push(element.outerHTML.slice(0, 120));
      }
      const title = document.querySelector('.figure-title');
      if (getComputedStyle(title).direction !== 'rtl') found.push('the title does not follow the page');
      if (document.documentElement.scrollWidth !== innerWidth) found.push('the page scrolls sideways');
      if (document.getAnimations().length > 0) found.push('something moves');
      return found;
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(await headerFaults(page, oddGlyphs), []);
    await close();
  });

  test('longer words fit and no word is missing from the catalogue', async () => {
    const { page, close } = await openGallery(
      gallery, '?lang=pseudo', { viewport: { width: 320, height: 640 } });
    const faults = await page.evaluate(() => {
      const found = [];
      if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
      for (const element of document.querySelectorAll('.figure button, .figure summary, .figure p')) {
        if (!element.checkVisibility()) continue;
        if (element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${element.textContent}`);
        // Words of the catalogue have brackets here; names of tokens, groups and formulas are data.
        const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map(({ data }) => data).join('');
        if (/\p{L}{4,}/u.test(own) && !own.includes('[')) found.push(`no catalogue: ${own}`);
      }
      return found;
    });
    assert.deepEqual(faults, []);
    await close();
  });
});
