// SPDX-License-Identifier: MIT
// How a run is doing, as the page says it. The diagnoses themselves are tested at real runs in
// tests/site/doctor.test.mjs.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colourRules, violations } from '../support/axe.mjs';
import { openAllDetails, tooWide } from '../support/layout.mjs';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';

describe('doctor', { skip: skipReason(), timeout: 300_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const finding = (room, kind) => room.page.locator(`[data-finding="${kind}"]`);

  test('a run that is well is said to be', async () => {
    const room = await RoomPage.open(site);
    await room.page.getByText('Nothing is wrong:').waitFor({ timeout: 60_000 });
    assert.equal(await room.page.locator('[data-finding]').count(), 0);
    await room.pause();
    await openAllDetails(room.page);
    assert.deepEqual(await violations(room.page), []);
    await room.close();
  });

  test('a rate too low: named, and mended from the panel without losing a step', async () => {
    const room = await RoomPage.open(site, { ...tiny, learningRate: 1e-6 });
    await finding(room, 'rateLow').getByText('The learning rate is too low.').waitFor({ timeout: 60_000 });
    const step = await room.number('train.step');
    await finding(room, 'rateLow')
      .getByRole('button', { name: 'Put into the form: Learning rate, 0.00001' }).click();
    assert.equal(await room.field('learningRate').inputValue(), '0.00001');
    assert.equal(await room.page.evaluate(() => document.activeElement.name), 'learningRate');
    await room.field('learningRate').fill('0.004');
    await room.press('Go on with these');
    await finding(room, 'rateLow').waitFor({ state: 'detached' });
    await room.page.getByText('Nothing is wrong:').waitFor({ timeout: 60_000 });
    assert.ok((await room.number('train.step')) > step);
    await room.close();
  });

  test('fading gradients: named by layer, and the folded field is opened', async () => {
    const room = await RoomPage.open(site, { ...tiny, layers: 12, normPosition: 'post' }, {
      viewport: { width: 320, height: 640 }, colorScheme: 'dark',
    });
    await finding(room, 'vanishing').getByText(/gradient of L0.* of that of L\d+/).waitFor({ timeout: 120_000 });
    await room.pause();
    await openAllDetails(room.page);
    assert.deepEqual(await tooWide(room.page), []);
    assert.deepEqual(await violations(room.page, { only: colourRules }), []);
    const open = room.page.locator('form details[open] > summary');
    while ((await open.count()) > 0) await open.first().click();
    await finding(room, 'vanishing').getByRole('button').click();
    await room.field('normPosition').waitFor();
    assert.equal(await room.field('normPosition').inputValue(), 'pre');
    await room.close();
  });
});
