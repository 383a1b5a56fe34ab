// SPDX-License-Identifier: MIT
// The page for everyone: keyboard alone, screen readers, small screens, less motion, hostile text.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colourRules, violations } from '../support/axe.mjs';
import { openAllDetails, tooWide } from '../support/layout.mjs';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';

describe('access', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  for (const [colorScheme, only] of [['light', undefined], ['dark', colourRules]]) {
    test(`axe finds nothing, ${colorScheme}`, async () => {
      const room = await RoomPage.open(site, tiny, { colorScheme });
      await room.trainTo(5);
      await room.page.getByText(/written at step/).waitFor();
      await openAllDetails(room.page);
      await room.field('width').fill('33');
      await room.problemAt('width').waitFor();
      assert.deepEqual(await violations(room.page, { only }), []);
      await room.field('text').selectOption('own');
      await room.press('Use this text');
      await room.page.locator('[data-problem="text"]').waitFor();
      assert.deepEqual(await violations(room.page, { only }), []);
      await room.close();
    });
  }

  test('keyboard alone: train, pause, step, reset, walk the map', async () => {
    const room = await RoomPage.open(site);
    const { keyboard } = room.page;
    await room.phase('running');
    await keyboard.press('Space');
    await room.phase('paused');
    const step = await room.number('train.step');
    await keyboard.press('.');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    await keyboard.press('r');
    await room.waitForNumber('train.step', (value) => value === 0);
    await keyboard.press('Space');
    await room.waitForNumber('train.step', (value) => value >= 10);
    await keyboard.press('Space');
    await room.phase('paused');

    // Tab reaches the map as one stop, and arrows walk it.
    const focusedAddress = () => room.page.evaluate(() => document.activeElement?.dataset.addr);
    let presses = 0;
    while (!/^L0\.H0\.A/.test((await focusedAddress()) ?? '') && presses++ < 60) {
      await keyboard.press('Tab');
    }
    assert.equal(await focusedAddress(), 'L0.H0.A.0.0');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    assert.equal(await focusedAddress(), 'L0.H0.A.2.1');
    const reading = room.page.locator('[data-reading="L0.H0.A.2.1"]');
    const cell = room.page.locator('[data-addr="L0.H0.A.2.1"]');
    assert.equal(await reading.getAttribute('data-value'), await cell.getAttribute('data-value'));
    const label = await cell.getAttribute('aria-label');
    assert.match(label, /^row 2 '.' looks at column 1 '.': 0\.\d\d$/);
    await keyboard.press('Enter');
    await room.page.getByText('(pinned)').waitFor();
    await keyboard.press('Escape');
    await room.page.getByText('(pinned)').waitFor({ state: 'detached' });
    await keyboard.press('Control+End');
    assert.match(await focusedAddress(), /^L0\.H0\.A\.(\d+)\.\1$/);
    await keyboard.press('ArrowDown');
    assert.match(await focusedAddress(), /^L0\.H0\.A\.(\d+)\.\1$/, 'the edge holds');
    await keyboard.press('Tab');
    const inGrid = () => document.activeElement?.closest('[role="grid"]') !== null;
    assert.equal(await room.page.evaluate(inGrid), false);
    await room.close();
  });

  test('pointing at a cell reads it, a click pins it', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(20);
    const grid = room.page.getByRole('grid');
    await grid.scrollIntoViewIfNeeded();
    const canvas = grid.locator('canvas');
    const { width } = await canvas.boundingBox();
    const cell = width / (await canvas.evaluate((element) => element.width));
    const at = (i, j) => ({ position: { x: (j + 0.5) * cell, y: (i + 0.5) * cell }, force: true });
    await canvas.hover(at(6, 3));
    const reading = room.page.locator('[data-reading]');
    assert.equal(await reading.getAttribute('data-reading'), 'L0.H0.A.6.3');
    await canvas.click(at(4, 2));
    await canvas.hover(at(7, 1));
    assert.equal(await reading.getAttribute('data-reading'), 'L0.H0.A.4.2');
    await canvas.click(at(4, 2));
    await canvas.hover(at(7, 1));
    assert.equal(await reading.getAttribute('data-reading'), 'L0.H0.A.7.1');
    const shown = await room.page.locator('[data-addr="L0.H0.A.7.1"]').getAttribute('data-value');
    assert.equal(await reading.getAttribute('data-value'), shown);
    await room.close();
  });

  test('single keys do nothing while typing, and can be turned off', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.page.getByLabel('Begin with').press('End');
    await room.page.keyboard.type('r. ');
    assert.match(await room.page.getByLabel('Begin with').inputValue(), /r\. $/);
    await room.phase('running');
    const toggle = room.page.getByLabel(/Keyboard shortcuts/);
    await toggle.uncheck();
    await toggle.evaluate((element) => element.blur());
    await room.page.keyboard.press('r');
    await room.page.keyboard.press('.');
    await room.page.waitForTimeout(300);
    await room.phase('running');
    await room.close();
  });

  test('the loss curve can be read with keys', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(20);
    const chart = room.page.getByRole('slider', { name: 'Loss' });
    await chart.focus();
    await room.page.keyboard.press('Home');
    assert.match(await chart.getAttribute('aria-valuetext'), /^step 1: training \d\.\d{3}/);
    await room.page.keyboard.press('ArrowRight');
    assert.match(await chart.getAttribute('aria-valuetext'), /^step 2: training/);
    await room.close();
  });

  test('320 px wide: nothing scrolls sideways, nothing is cut', async () => {
    const viewport = { width: 320, height: 640 };
    const room = await RoomPage.open(site, { ...tiny, heads: 4 }, { viewport, hasTouch: true });
    await room.trainTo(5);
    await room.page.getByLabel('Probe text').fill('From fairest creatures we desire');
    await room.probeOf(32);
    await room.field('width').fill('33');
    await room.problemAt('width').waitFor();
    await room.page.locator('[data-save="saved"]').waitFor();
    await openAllDetails(room.page);
    assert.deepEqual(await tooWide(room.page), []);
    await room.close();
  });

  test('less motion: no animations, and the page changes once a second', async () => {
    const room = await RoomPage.open(site, tiny, { reducedMotion: 'reduce' });
    await room.phase('running');
    await room.page.waitForTimeout(1500);
    const changes = await room.page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      const output = document.querySelector('output[data-addr="train.step"]');
      new MutationObserver(() => (count += 1)).observe(output, {
        attributes: true, attributeFilter: ['data-value'],
      });
      setTimeout(() => resolve(count), 3000);
    }));
    assert.ok(changes >= 1 && changes <= 4, `${changes} changes in three seconds`);
    assert.equal(await room.page.evaluate(() => document.getAnimations().length), 0);
    await room.close();
  });

  test('the page redraws at most ten times a second', async () => {
    const room = await RoomPage.open(site);
    await room.waitForNumber('train.step', (step) => step > 50);
    const changes = await room.page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      const output = document.querySelector('output[data-addr="train.step"]');
      new MutationObserver(() => (count += 1)).observe(output, {
        attributes: true, attributeFilter: ['data-value'],
      });
      setTimeout(() => resolve(count), 3000);
    }));
    assert.ok(changes >= 6 && changes <= 31, `${changes} changes in three seconds`);
    await room.close();
  });

  test('hostile text is shown as text', async () => {
    const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> ';
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.field('text').selectOption('own');
    await room.field('file').setInputFiles({
      name: '<img src=x onerror=hacked()>.txt', mimeType: 'text/plain',
      buffer: Buffer.from(hostile.repeat(60)),
    });
    await room.press('Start a new run');
    await room.page.getByRole('heading', { name: /continue <img/ }).waitFor();
    await room.page.getByText(/written at step/).waitFor();
    await room.page.getByLabel('Probe text').fill('<img>');
    await room.probeOf(5);
    const state = await room.page.evaluate(() => ({
      images: document.images.length, hacked: window.hacked, scripts: document.scripts.length,
    }));
    assert.deepEqual(state, { images: 0, hacked: undefined, scripts: 1 });
    await room.close();
  });

  test('light and dark by choice, kept over a reload', async () => {
    const room = await RoomPage.open(site, tiny, { colorScheme: 'light' });
    const background = () => room.page.evaluate(() =>
      getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await background(), 'rgb(255, 255, 255)');
    await room.page.getByLabel('Colours').selectOption('dark');
    assert.equal(await background(), 'rgb(15, 15, 15)');
    await room.page.reload();
    await room.phase('running', 'paused');
    assert.equal(await background(), 'rgb(15, 15, 15)');
    await room.close();
  });
});
