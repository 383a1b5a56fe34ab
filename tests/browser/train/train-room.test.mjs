// SPDX-License-Identifier: MIT
// The page trains by itself, and its buttons do what they say.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RoomPage, query, skipReason, startSite, tiny } from '../support/room.mjs';

describe('the train room', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  test('starts training by itself and the numbers go down', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    await room.waitForNumber('train.step', (step) => step >= 150);
    const loss = await room.number('train.loss');
    const validation = await room.waitForNumber('train.validation', () => true);
    assert.ok(validation > 1 && validation < 5, `validation loss ${validation}`);
    for (const name of ['learningRate', 'gradientNorm', 'tokensPerSecond']) {
      const value = await room.number(`train.${name}`);
      assert.ok(value > 0, `${name} is ${value}`);
    }
    await room.page.getByText(/written at step/).waitFor();
    await room.pause();
    await room.press('Reset');
    await room.waitForNumber('train.step', (step) => step === 0);
    await room.press('One step');
    const first = await room.waitForNumber('train.loss', () => true);
    // 71 different characters: guessing evenly costs ln 71 = 4.26.
    assert.ok(Math.abs(first - 4.26) < 0.3, `first loss ${first}`);
    assert.ok(loss < first - 0.8, `loss ${loss} after 150 steps, ${first} at first`);
    await room.close();
  });

  test('pause stops it, train goes on', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(5);
    const step = await room.number('train.step');
    await room.page.waitForTimeout(500);
    assert.equal(await room.number('train.step'), step, 'steps went on after the pause');
    await room.press('Train');
    await room.waitForNumber('train.step', (value) => value > step);
    await room.close();
  });

  test('one step makes one step, and figures then show that step', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(3);
    const step = await room.number('train.step');
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 1);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === step + 2);
    const shown = (step + 2).toLocaleString('en');
    await room.page.getByText(`at step ${shown}`, { exact: true }).waitFor();
    await room.close();
  });

  test('reset repeats the first losses exactly and can be taken back', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(8);
    const step = await room.number('train.step');

    const firstLosses = async () => {
      await room.press('Reset');
      await room.waitForNumber('train.step', (value) => value === 0);
      const losses = [];
      for (let wanted = 1; wanted <= 4; ++wanted) {
        await room.press('One step');
        await room.waitForNumber('train.step', (value) => value === wanted);
        losses.push(await room.number('train.loss'));
      }
      return losses;
    };
    const once = await firstLosses();
    assert.equal(new Set(once).size, 4, `four different losses: ${once}`);
    assert.deepEqual(await firstLosses(), once);

    await room.press('Reset');
    await room.waitForNumber('train.step', (value) => value === 0);
    await room.press('Bring back step 4');
    await room.waitForNumber('train.step', (value) => value === 4);
    assert.ok(step >= 8);
    await room.close();
  });

  test('a run that reaches its last step says so', async () => {
    const room = await RoomPage.open(site, { ...tiny, steps: 12 });
    await room.phase('finished');
    assert.equal(await room.number('train.step'), 12);
    assert.ok(await room.button('Train').isDisabled());
    await room.press('Reset');
    await room.phase('paused');
    await room.close();
  });

  test('the form starts another run, and the address says which', async () => {
    const room = await RoomPage.open(site);
    await room.trainTo(2);
    await room.field('layers').fill('2');
    await room.field('seed').fill('7');
    await room.press('Start a new run');
    await room.phase('running');
    const parameters = new URL(room.page.url()).searchParams;
    assert.equal(parameters.get('layers'), '2');
    assert.equal(parameters.get('seed'), '7');
    assert.equal(parameters.get('text'), 'sonnets');
    const heads = room.page.getByRole('group', { name: 'Layers and heads' }).getByRole('button');
    await heads.nth(3).waitFor();
    assert.equal(await heads.count(), 4);
    await room.close();
  });

  test('goes on while the tab is hidden', async () => {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    // What browsers do to a hidden tab: no animation frames, timers once a second.
    await page.addInitScript(() => {
      const { requestAnimationFrame, setTimeout } = window;
      const waiting = [];
      window.hide = () => {
        window.requestAnimationFrame = (callback) => waiting.push(callback);
        window.setTimeout = (callback, ms, ...rest) =>
          setTimeout(callback, Math.max(1000, ms ?? 0), ...rest);
      };
      window.unhide = () => {
        Object.assign(window, { requestAnimationFrame, setTimeout });
        for (const callback of waiting.splice(0)) requestAnimationFrame(callback);
      };
    });
    const room = new RoomPage(page);
    await page.goto(site.address + query(tiny));
    await room.waitForNumber('train.step', (step) => step >= 10);
    await page.evaluate(() => window.hide());
    await page.waitForTimeout(300);
    const hidden = await room.number('train.step');
    await page.waitForTimeout(3000);
    assert.equal(await room.number('train.step'), hidden, 'the page drew while hidden');
    await page.evaluate(() => window.unhide());
    await room.waitForNumber('train.step', (step) => step > hidden + 50);
    await room.close();
  });

  test('rests while the tab is hidden, where that is wished, and goes on when it is seen', async () => {
    const room = await RoomPage.open(site);
    await room.phase('running');
    const show = (visibility) => room.page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, visibility);
    const wish = room.page.locator('input[name="rest-hidden"]');
    assert.equal(await wish.isChecked(), false);
    await wish.check();
    await show('hidden');
    await room.phase('paused');
    const step = await room.number('train.step');
    await room.page.waitForTimeout(400);
    assert.equal(await room.number('train.step'), step);
    await show('visible');
    await room.phase('running');
    // A run that the reader has paused stays so.
    await room.pause();
    await show('hidden');
    await show('visible');
    await room.page.waitForTimeout(300);
    await room.phase('paused');
    await room.page.reload();
    assert.equal(await wish.isChecked(), true);
    await room.close();
  });

  test('works without isolation headers', async () => {
    const plain = await startSite({ isolated: false });
    try {
      const room = await RoomPage.open(plain);
      await room.phase('running');
      await room.waitForNumber('train.step', (step) => step > 3);
      await room.close();
    } finally {
      await plain.close();
    }
  });
});
