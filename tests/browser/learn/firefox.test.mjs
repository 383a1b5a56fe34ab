// SPDX-License-Identifier: MIT
// D1, D2, D3 and D7 in Firefox: numbers, labels, identities and keys do not depend on the engine that
// draws the page.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { headerFaults, looseDigits } from '../support/figure-checks.mjs';
import { chapterIds, rulesOf } from './support/chapters.mjs';
import { FirefoxRoom, skipReason, startFirefox } from './support/firefox-room.mjs';
import { settled } from './support/learn-page.mjs';
import { sweep } from './support/sweep.mjs';
import { Truth } from './support/truth.mjs';
import { Twin, labels } from './support/twin.mjs';

const T = 7;
const range = (count) => Array.from({ length: count }, (_, index) => index);
const sum = (list) => list.reduce((total, value) => total + value, 0);

describe('the learn room in Firefox', { skip: skipReason(), timeout: 900_000 }, () => {
  let site;

  before(async () => {
    site = await startFirefox();
  });
  after(() => site?.close());

  for (const step of [0, 50]) {
    test(`D1: every number of every chapter at step ${step} is the one of a run in Node`, async () => {
      const twin = await (await Twin.open()).to(step);
      const room = await FirefoxRoom.openAt(site, step);
      for (const id of chapterIds) {
        await room.chapter(id);
        await settled(room);
        const truth = new Truth(twin, rulesOf(id));
        const { faults, count } = await sweep(room, truth);
        truth.close();
        assert.deepEqual(faults, [], id);
        assert.ok(count >= ({ c11: 2, c12: 2 }[id] ?? 12), `${id}: only ${count} numbers`);
        assert.deepEqual(await looseDigits(room.page, 'article .figure'), [], id);
      }
      twin.close();
      await room.close();
    });
  }

  test('D2: headers name the tokens of their cells', async () => {
    const room = await FirefoxRoom.openAt(site, 1, { chapter: 'c7' });
    await settled(room);
    const twin = await Twin.open();
    const { tokens } = await twin.example(0);
    twin.close();
    const texts = Array.from(tokens, (id) => labels[id]);
    assert.deepEqual(await headerFaults(room.page, texts, 'article'), []);
    await room.page.evaluate(() => {
      document.querySelector('article [role="rowheader"] > bdi').textContent = 'Z';
    });
    assert.notDeepEqual(await headerFaults(room.page, texts, 'article'), []);
    await room.close();
  });

  test('D3: the numbers shown obey the identities', async () => {
    const room = await FirefoxRoom.openAt(site, 50, { chapter: 'c7', i: 6, j: 2 });
    await settled(room);
    const shown = new Map(await room.page.evaluate(() =>
      [...document.querySelectorAll('article [data-addr]')].map((element) =>
        [element.dataset.addr, Number(element.dataset.value)])));
    const near = (found, expected, what) =>
      assert.ok(Math.abs(found - expected) <= 1e-6, `${what}: ${found}, expected ${expected}`);
    const mean = shown.get('L0.H0.mean.6');
    for (const j of range(T)) {
      // I2
      near(shown.get(`L0.H0.push.6.${j}`),
        shown.get(`L0.H0.A.6.${j}`) * (shown.get(`L0.H0.gain.6.${j}`) - mean), `push ${j}`);
    }
    for (const i of range(T)) {
      near(sum(range(i + 1).map((j) => shown.get(`L0.H0.A.${i}.${j}`))), 1, `weights of row ${i}`);
      // I3
      near(sum(range(T).map((j) => shown.get(`L0.H0.push.${i}.${j}`))), 0, `pushes of row ${i}`);
    }
    await room.close();
  });

  test('D7: keys alone reach and walk a figure of every chapter with a grid', async () => {
    const room = await FirefoxRoom.openAt(site, 1);
    const { page } = room;
    const focus = () => page.evaluate(() => {
      const cell = document.activeElement?.closest('[role="gridcell"]');
      return cell === null || cell === undefined
        ? undefined
        : { name: cell.getAttribute('aria-label') ?? cell.textContent,
            chosen: cell.getAttribute('aria-selected') };
    });
    // A figure that follows the selection is drawn again before its cell shows it.
    const becomes = async (wanted) => {
      for (let tries = 0; tries < 20; ++tries) {
        if (wanted(await focus())) return true;
        await page.waitForTimeout(100);
      }
      return false;
    };
    let walked = 0;
    for (const id of chapterIds) {
      await room.chapter(id);
      await settled(room);
      const grids = await page.evaluate(() =>
        document.querySelectorAll('article [role="grid"]').length);
      if (grids === 0) continue;
      await page.evaluate(() => document.querySelector('main').scrollIntoView());
      let cell;
      for (let presses = 0; cell === undefined && presses < 80; ++presses) {
        await page.keyboard.press('Tab');
        cell = await focus();
      }
      assert.notEqual(cell, undefined, `${id}: no cell in 80 presses of Tab`);
      await page.keyboard.down('Control');
      await page.keyboard.press('Home');
      await page.keyboard.up('Control');
      const first = await focus();
      await page.keyboard.press('ArrowDown');
      const below = await focus();
      assert.notEqual(below?.name, first.name, `${id}: ArrowDown`);
      await page.keyboard.press('Enter');
      assert.ok(await becomes((now) => now?.chosen === 'true'), `${id}: Enter pins`);
      await page.keyboard.press('Escape');
      assert.ok(await becomes((now) => now?.chosen !== 'true'), `${id}: Escape releases`);
      ++walked;
    }
    assert.ok(walked >= 6, `${walked} chapters have a grid`);
    await room.close();
  });
});
