// SPDX-License-Identifier: MIT
// Nine runs compared with one that trains: frame intervals and the page's memory over minutes, in
// Chromium. Prints one JSON object; exits with 1 where a limit is not kept.
//   node tests/browser/measure-runs.mjs [--minutes 10]

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { observe, quantile } from './support/frames.mjs';
import { RoomPage, query, tiny } from './support/room.mjs';
import { serveSite } from './support/server.mjs';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(options.minutes);

const site = await serveSite();
const browser = await launchChromium({ whole: true });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const room = new RoomPage(await context.newPage());
  await room.page.addInitScript(observe);
  await room.page.goto(site.address + query({ ...tiny, steps: 10_000_000 }));
  // Each of the nine has a curve of a thousand steps.
  for (let run = 1; run <= 9; ++run) {
    await room.trainTo(1000);
    await room.page.locator('[data-save="saved"]').waitFor();
    await room.field('seed').fill(String(run));
    await room.press('Start a new run');
    await room.page.waitForURL((url) => url.searchParams.get('seed') === String(run));
    await room.phase('running');
  }
  const boxes = room.page.locator('[data-run] input[type="checkbox"]');
  for (const box of await boxes.all()) await box.check();
  const compared = await room.page.locator('[data-run] input:checked').count();
  const protocol = await context.newCDPSession(room.page);
  const weigh = async () => {
    await protocol.send('HeapProfiler.collectGarbage');
    const { usedSize } = await protocol.send('Runtime.getHeapUsage');
    const { nodes } = await protocol.send('Memory.getDOMCounters');
    return { step: await room.number('train.step'), megabytes: usedSize / 2 ** 20, nodes };
  };
  await room.page.waitForTimeout(20_000);
  // Room for all frames from the start: a list that grows by 60 a second would be weighed as the page's.
  await room.page.evaluate((most) => {
    const intervals = new Float64Array(most);
    let count = 0;
    window.frames_ = {
      push: (interval) => (intervals[count++ % most] = interval),
      all: () => Array.from(intervals.subarray(0, Math.min(count, most))),
    };
  }, Math.ceil(minutes * 60 * 70));
  const samples = [await weigh()];
  for (let half = 0; half < 2 * minutes; ++half) {
    await room.page.waitForTimeout(30_000);
    samples.push(await weigh());
  }
  const frames = (await room.page.evaluate(() => window.frames_.all())).toSorted((a, b) => a - b);
  const p95 = quantile(frames, 0.95);
  const grown = samples.at(-1).megabytes - samples[0].megabytes;
  const limits = { p95Below20Ms: p95 <= 20, memoryFlat: grown < 1 };
  console.log(JSON.stringify({
    minutes, compared, frameMs: { p95, longest: frames.at(-1) }, megabytesGrown: grown, samples, limits,
  }));
  if (Object.values(limits).includes(false)) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
}
