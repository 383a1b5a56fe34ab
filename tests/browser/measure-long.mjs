// SPDX-License-Identifier: MIT
// The learn room over minutes of training at full speed in Chromium: memory of the page and of the
// engine, delay of input, and whether a hidden page rests. Prints one JSON object.
//   node tests/browser/measure-long.mjs [--minutes 5]

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { RoomPage } from './support/room.mjs';
import { serveSite } from './support/server.mjs';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } });
const minutes = Number(options.minutes);

/** Milliseconds from a key press until it is handled, and until the next painted frame. */
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
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { keys: sorted.length, median: at(0.5), p95: at(0.95), longest: sorted.at(-1) };
}

const site = await serveSite();
const browser = await launchChromium();
try {
  const room = new RoomPage(await browser.newPage());
  const { page } = room;
  await page.addInitScript(observeInput);
  await page.goto(`${site.address}?room=learn&task=text&chapter=c7`);
  const speed = page.getByRole('combobox', { name: 'Speed' });
  await speed.selectOption(
    await speed.evaluate((list) => list.options[list.options.length - 1].value));
  await room.phase('running');
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { step: await room.number('train.step'), megabytes: usedSize / 2 ** 20, nodes };
  };
  const samples = [];
  const grid = page.locator('article [role="gridcell"][tabindex="0"]').first();
  for (let half = 0; half <= 2 * minutes; ++half) {
    // It rests by itself after some thousands of steps; playing on counts them anew.
    if (await page.getByRole('button', { name: 'Train', exact: true }).count() > 0) {
      await room.press('Train');
    }
    await grid.focus();
    for (let key = 0; key < 10; ++key) {
      await page.keyboard.press(key % 2 === 0 ? 'ArrowUp' : 'ArrowDown');
      await page.waitForTimeout(120);
    }
    samples.push(await heap());
    if (half < 2 * minutes) await page.waitForTimeout(28_000);
  }
  const [handled, painted] = await page.evaluate(() => [window.handled_, window.painted_]);
  console.log(JSON.stringify({
    minutes, samples, inputDelayMs: spread(handled), nextPaintMs: spread(painted),
  }, null, 2));
} finally {
  await browser.close();
  await site.close();
}
