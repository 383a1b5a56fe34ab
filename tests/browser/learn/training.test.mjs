// SPDX-License-Identifier: MIT
// C0 and the run behind every chapter: what the page trains is what the package trains in Node.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skipReason, startSite } from '../support/room.mjs';
import { openAt, openLearn, settled, shownStep } from './support/learn-page.mjs';
import { Twin } from './support/twin.mjs';

describe('training in the learn room', { skip: skipReason(), timeout: 900_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const loss = (room) => room.number('train.loss');

  async function firstLosses(room, count) {
    const losses = [];
    for (let step = 1; step <= count; ++step) {
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step);
      losses.push(await loss(room));
    }
    return losses;
  }

  test('it trains by itself, learns the task and comes to rest', async () => {
    const room = await openLearn(site);
    await room.phase('running');
    await room.page.getByText('Learned: at rest').first().waitFor({ timeout: 60_000 });
    const step = await room.number('train.step');
    assert.ok(step > 30 && step < 400, `learned after ${step} steps`);
    assert.equal(await room.number('train.accuracy'), 1);
    await room.page.waitForTimeout(500);
    assert.equal(await room.number('train.step'), step, 'it stays at rest');
    await room.press('Train');
    await room.waitForNumber('train.step', (value) => value > step);
    await room.close();
  });

  test('k steps by hand: step, loss and guesses are those of a run in Node', async () => {
    const twin = await (await Twin.open()).to(7);
    const room = await openAt(site, 0);
    const losses = await firstLosses(room, 7);
    assert.deepEqual(losses, twin.metrics.slice(1).map((metrics) => metrics.loss));
    await shownStep(room, 7);
    const trace = await twin.trace(7);
    const shown = await room.page.locator('article [data-addr^="probs."]').evaluateAll((all) =>
      all.map((e) => [e.dataset.addr, Number(e.dataset.value)]));
    assert.ok(shown.length >= 7 * 14);
    for (const [address, value] of shown) assert.equal(value, trace.read(address), address);
    trace.dispose();
    twin.close();
    await room.close();
  });

  test('reset repeats the first 20 losses exactly; another seed does not', async () => {
    const room = await openAt(site, 0);
    const once = await firstLosses(room, 20);
    assert.equal(new Set(once).size, 20);
    await room.press('Reset');
    await room.waitForNumber('train.step', (value) => value === 0);
    assert.deepEqual(await firstLosses(room, 20), once);
    await room.press('New seed');
    await room.phase('running');
    await room.press('Pause');
    await room.phase('paused');
    await room.press('Reset');
    await room.waitForNumber('train.step', (value) => value === 0);
    const others = await firstLosses(room, 3);
    assert.notDeepEqual(others, once.slice(0, 3));
    // The address follows a moment later, so that a run at full speed does not fill the history.
    await room.page.waitForURL(/[?&]seed=12(&|$)/, { timeout: 10_000 });
    await room.close();
  });

  test('forward, backward and update one by one make the same step', async () => {
    const twin = await (await Twin.open()).to(3);
    const room = await openAt(site, 2);
    await room.press('Forward only');
    const forward = room.page.locator('[data-addr="stage.loss"]');
    await forward.waitFor();
    assert.equal(Number(await forward.getAttribute('data-value')), twin.metrics[3].loss);
    assert.equal(await room.number('train.step'), 2);
    await room.press('Backward only');
    const backward = room.page.locator('[data-addr="stage.gradientNorm"]');
    await backward.waitFor();
    assert.equal(Number(await backward.getAttribute('data-value')), twin.metrics[3].gradientNorm);
    await room.press('Update only');
    await room.waitForNumber('train.step', (value) => value === 3);
    await settled(room);
    const trace = await twin.trace(3);
    const cell = room.page.locator('article [data-step="3"] [data-addr="L0.H0.A.6.2"]').last();
    assert.equal(Number(await cell.getAttribute('data-value')), trace.read('L0.H0.A.6.2'));
    trace.dispose();
    twin.close();
    await room.close();
  });

  test('another learning rate goes on from here, and the link repeats it', async () => {
    const room = await openAt(site, 5);
    await room.page.getByText('Task and settings').click();
    const rate = room.page.getByLabel('Learning rate', { exact: true });
    await rate.fill('0.05');
    await rate.press('Enter');
    await room.page.waitForURL(/branches=5/);
    assert.equal(await room.number('train.step'), 5);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === 6);
    await room.press('One step');
    await room.waitForNumber('train.step', (value) => value === 7);
    await room.page.waitForURL(/step=7/);
    const value = await loss(room);
    const again = await room.another();
    await again.waitForNumber('train.step', (step) => step === 7);
    assert.equal(await loss(again), value);
    const straight = await (await Twin.open()).to(7);
    assert.notEqual(straight.metrics[7].loss, value);
    straight.close();
    await room.close();
  });

  test('a figure that asks the model stays while it trains, and says which step it is of', async () => {
    const room = await openLearn(site, { chapter: 'c7' });
    const curve = room.page.locator('article .figure:has([data-figure="nudge-curve"])');
    await curve.waitFor();
    const seen = await curve.evaluate(async (element) => {
      const steps = new Set();
      // Until it has changed often enough: how soon that is, is the machine's affair.
      for (const start = performance.now(); steps.size < 3 && performance.now() - start < 60_000; ) {
        if (!element.isConnected) return [];
        steps.add(element.dataset.step);
        await new Promise(requestAnimationFrame);
      }
      return [...steps];
    });
    assert.ok(seen.length > 2, `the curve was of steps ${seen}`);
    await room.close();
  });

  test('a hidden page rests and goes on when seen again', async () => {
    const room = await openLearn(site);
    await room.waitForNumber('train.step', (step) => step >= 2);
    const show = (state) => room.page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
    await show('hidden');
    await room.phase('paused');
    const step = await room.number('train.step');
    await room.page.waitForTimeout(600);
    assert.equal(await room.number('train.step'), step);
    await show('visible');
    await room.waitForNumber('train.step', (value) => value > step);
    await room.close();
  });

  test('every task opens and trains', async () => {
    const room = await openLearn(site, { step: 1 });
    await shownStep(room, 1);
    await room.page.getByText('Task and settings').click();
    for (const name of ['copy', 'reverse', 'induction', 'sort', 'your own text']) {
      await room.page.getByRole('combobox', { name: 'Task' }).selectOption({ label: name });
      await room.phase('running');
      await room.waitForNumber('train.step', (step) => step >= 1);
      await room.page.locator('article h2').first().waitFor();
      assert.equal(await room.page.locator('[role="alert"]').count(), 0, name);
    }
    await room.close();
  });

  test('Why?: guess, blame, nudge, better guess on the cell that changed most', async () => {
    const twin = await (await Twin.open()).to(41);
    const room = await openAt(site, 40);
    await room.press('Why?');
    const chain = room.page.getByRole('region', { name: /One guess, one blame/ });
    await chain.waitFor();
    const [first, now, next] = [await twin.trace(0), await twin.trace(40), await twin.trace(41)];
    const cells = Array.from({ length: 7 }, (_, j) => `6.${j}`);
    const change = (cell) => Math.abs(now.read(`L0.H0.A.${cell}`) - first.read(`L0.H0.A.${cell}`));
    const cell = cells.reduce((best, one) => (change(one) > change(best) ? one : best));
    const { targets } = await twin.example(0);
    const value = async (address, at = 0) =>
      Number(await chain.locator(`[data-addr="${address}"]`).nth(at).getAttribute('data-value'));
    assert.equal(await value(`probs.6.${targets[6]}`), now.read(`probs.6.${targets[6]}`));
    assert.equal(await value(`L0.H0.push.${cell}`), now.read(`L0.H0.push.${cell}`));
    await chain.getByRole('button', { name: 'Make one step' }).click();
    await chain.getByText('Better guess?').waitFor();
    assert.equal(
      await value(`change:L0.H0.S.${cell}`),
      next.read(`L0.H0.S.${cell}`) - now.read(`L0.H0.S.${cell}`),
    );
    assert.equal(await value(`probs.6.${targets[6]}`, 1), next.read(`probs.6.${targets[6]}`));
    for (const trace of [first, now, next]) trace.dispose();
    twin.close();
    await room.close();
  });
});
