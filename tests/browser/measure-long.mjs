// SPDX-License-Identifier: MIT
// D9 at its full length: the learn room over minutes of training at full speed in Chromium, memory of
// the page and delay of input. Prints one JSON object; exits with 1 where a limit is not kept.
//   node tests/browser/measure-long.mjs [--minutes 5]

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { longRun } from './learn/support/long-run.mjs';
import { serveSite } from './support/server.mjs';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } });
const minutes = Number(options.minutes);

const site = await serveSite();
const browser = await launchChromium({ whole: true });
try {
  const measured = await longRun(
    { address: site.address, browser }, { rounds: 2 * minutes + 1, secondsApart: 28 });
  const { samples, inputDelayMs } = measured;
  // The curve keeps its last 2000 steps: until then the page may grow.
  const full = samples.filter(({ step }) => step >= 2000);
  const growth = full.length > 1 ? full.at(-1).megabytes - full[0].megabytes : undefined;
  const limits = {
    inputDelayBelow100Ms: inputDelayMs.p95 < 100,
    memoryFlat: growth === undefined ? 'too short to tell' : growth < 1,
  };
  console.log(JSON.stringify({ minutes, ...measured, megabytesGrown: growth, limits }, null, 2));
  if (Object.values(limits).includes(false)) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
}
