// SPDX-License-Identifier: MIT
// D1, D2: in every chapter each number with an address is the package's in Node, bit for bit where
// it is read from the engine; no digit in a figure is without an address; headers name the tokens.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { looseDigits } from '../support/figure-checks.mjs';
import { skipReason, startSite } from '../support/room.mjs';
import { chapterIds, rulesOf } from './support/chapters.mjs';
import { chapter, openAt, settled, shownStep } from './support/learn-page.mjs';
import { sweep } from './support/sweep.mjs';
import { Truth } from './support/truth.mjs';
import { Twin, labels } from './support/twin.mjs';

describe('numbers of the learn room', { skip: skipReason(), timeout: 900_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  async function checked(room, twin, id, least) {
    const truth = new Truth(twin, rulesOf(id));
    const { faults, count } = await sweep(room, truth);
    truth.close();
    assert.deepEqual(faults, [], id);
    assert.ok(count >= least, `${id}: only ${count} numbers`);
    assert.deepEqual(await looseDigits(room.page, 'article .figure'), [], id);
  }

  // Two chapters show most of their numbers only when asked to train or to measure.
  const least = { c11: 2, c12: 2 };

  for (const step of [0, 1, 50]) {
    test(`every chapter at step ${step}`, async () => {
      const twin = await (await Twin.open()).to(step);
      const room = await openAt(site, step);
      for (const id of chapterIds) {
        await chapter(room, id);
        await checked(room, twin, id, least[id] ?? 12);
      }
      await room.close();
    });
  }

  test('after scrubbing back', async () => {
    const twin = await (await Twin.open()).to(50);
    const room = await openAt(site, 50, { chapter: 'c7' });
    for (const step of [49, 48]) {
      await room.page.keyboard.press(',');
      await shownStep(room, step);
      await settled(room);
      await checked(room, twin, 'c7', 100);
    }
    await chapter(room, 'c0');
    await checked(room, twin, 'c0', 40);
    await room.page.keyboard.press('.');
    await shownStep(room, 49);
    await settled(room);
    await checked(room, twin, 'c0', 40);
    await room.close();
  });

  test('headers name the tokens of their cells', async () => {
    const room = await openAt(site, 1, { chapter: 'c7' });
    const twin = await Twin.open();
    const { tokens } = await twin.example(0);
    twin.close();
    const texts = Array.from(tokens, (id) => labels[id]);
    const cells = await room.page.evaluate(() =>
      [...document.querySelectorAll('article .grid-cell [data-addr]')].map((number) => {
        const cell = number.closest('.grid-cell');
        const grid = cell.closest('[role="grid"]');
        const read = (role, at) => {
          const head = grid.querySelector(`[role="${role}"]${at}`);
          return [head.querySelector('[data-index]').textContent,
            head.querySelector('bdi').textContent];
        };
        return {
          address: number.dataset.addr,
          row: read('rowheader', `[data-row="${cell.dataset.row}"]`),
          column: read('columnheader', `[data-column="${cell.dataset.column}"]`),
        };
      }));
    assert.ok(cells.length >= 49, `${cells.length} cells`);
    for (const { address, row, column } of cells) {
      const [i, j] = address.split('.').slice(-2);
      assert.deepEqual(row, [i, texts[Number(i)]], `row of ${address}`);
      assert.deepEqual(column, [j, texts[Number(j)]], `column of ${address}`);
    }
    await room.close();
  });

  test('a wrong number, a wrong sign and a missing address are found out', async () => {
    const twin = await (await Twin.open()).to(1);
    const room = await openAt(site, 1, { chapter: 'c7' });
    const truth = new Truth(twin, rulesOf('c7'));
    const broken = async (breaking) => {
      await room.page.evaluate(breaking);
      const { faults } = await sweep(room, truth);
      return [...faults, ...(await looseDigits(room.page, 'article .figure'))];
    };
    const found = await broken(() => {
      const cell = document.querySelector('article [data-addr="L0.H0.A.6.2"]');
      cell.dataset.value = String(Number(cell.dataset.value) + 1e-6);
    });
    assert.ok(found.some((fault) => fault.includes('L0.H0.A.6.2')), found.join('\n'));
    const sign = await broken(() => {
      const cell = document.querySelector('article [data-addr="L0.H0.push.6.2"]');
      cell.textContent = cell.textContent.replace(/[+\u2212]/, (c) => (c === '+' ? '\u2212' : '+'));
    });
    assert.ok(sign.some((fault) => fault.startsWith('L0.H0.push.6.2')), sign.join('\n'));
    const loose = await broken(() => {
      document.querySelector('article .figure [data-addr="L0.H0.A.5.2"]')
        .removeAttribute('data-addr');
    });
    assert.ok(loose.length > found.length, loose.join('\n'));
    truth.close();
    twin.close();
    await room.close();
  });
});
