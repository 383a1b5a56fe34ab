// SPDX-License-Identifier: MIT
// The learn room at full speed for a while: keys pressed now and then, their delay and the page's
// memory noted. For the test of D9 and for the measurement over minutes.

import { quantile } from '../../support/frames.mjs';
import { openLearn } from './learn-page.mjs';

/** In the page: milliseconds from a key press until it is handled, and until the next painted frame. */
function observeInput() {
  window.handled_ = [];
  window.painted_ = [];
  addEventListener('keydown', ({ timeStamp }) => {
    window.handled_.push(performance.now() - timeStamp);
    requestAnimationFrame(() => setTimeout(() => window.painted_.push(performance.now() - timeStamp)));
  }, true);
}

function spread(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share) => quantile(sorted, share);
  return { keys: sorted.length, median: at(0.5), p95: at(0.95), longest: sorted.at(-1) };
}

/**
 * Trains a text at full speed with chapter 7's figures open. `rounds` times, `secondsApart`, ten keys
 * walk a figure and the page is weighed after a garbage collection.
 * Resolves with { samples: [{ step, megabytes, nodes }], inputDelayMs, nextPaintMs }.
 */
export async function longRun(site, { rounds, secondsApart }) {
  const room = await openLearn(site, { task: 'text', chapter: 'c7' });
  const { page } = room;
  await page.evaluate(observeInput);
  const speed = page.getByRole('combobox', { name: 'Speed' });
  await speed.selectOption(await speed.locator('option').last().getAttribute('value'));
  await room.phase('running');
  const protocol = await page.context().newCDPSession(page);
  const grid = page.locator('article [role="gridcell"][tabindex="0"]').first();
  await grid.waitFor();
  const samples = [];
  for (let round = 0; round < rounds; ++round) {
    if (round > 0) await page.waitForTimeout(secondsApart * 1000);
    // It rests by itself after some thousands of steps; playing on counts them anew.
    if (await room.button('Train').count() > 0) await room.press('Train');
    await grid.focus();
    for (let key = 0; key < 10; ++key) {
      await page.keyboard.press(key % 2 === 0 ? 'ArrowUp' : 'ArrowDown');
      await page.waitForTimeout(120);
    }
    await protocol.send('HeapProfiler.collectGarbage');
    const { usedSize } = await protocol.send('Runtime.getHeapUsage');
    const { nodes } = await protocol.send('Memory.getDOMCounters');
    samples.push({ step: await room.number('train.step'), megabytes: usedSize / 2 ** 20, nodes });
  }
  const [handled, painted] = await page.evaluate(() => [window.handled_, window.painted_]);
  await room.close();
  return { samples, inputDelayMs: spread(handled), nextPaintMs: spread(painted) };
}
