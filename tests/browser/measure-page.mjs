// SPDX-License-Identifier: MIT
// Measures the built page in Chromium and prints one JSON object:
//   node tests/browser/measure-page.mjs [--seconds 60] [--query "?text=sonnets&..."]
// Not part of the tests: its figures depend on what else the machine does.

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { observe, quantile } from './support/frames.mjs';
import { RoomPage } from './support/room.mjs';
import { serveSite } from './support/server.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    query: { type: 'string', default: '?room=train' },
  },
});
const seconds = Number(options.seconds);

const site = await serveSite({ cached: true });
const browser = await launchChromium({ whole: true });
const address = site.address + options.query;

/** Milliseconds from navigation to the first finished step. */
async function firstStep(page) {
  await page.waitForFunction(
    () => performance.getEntriesByName('heed:first-step').length > 0, undefined, { polling: 20 });
  return page.evaluate(() => performance.getEntriesByName('heed:first-step')[0].startTime);
}

async function measure() {
  // Cold: a fresh profile. Warm: the same profile with its files cached, a fresh run (storage
  // emptied) and a saved run that goes on.
  const context = await browser.newContext();
  const opening = async () => {
    const page = await context.newPage();
    await page.goto(address);
    const ms = await firstStep(page);
    await page.waitForSelector('[data-save="saved"]', { timeout: 60_000 });
    return { page, ms };
  };
  const cold = await opening();
  await cold.page.close();
  const resumed = await opening();
  // A bare page of the same origin: with the site open, a save could come after the deletion.
  await resumed.page.goto(new URL('icon.svg', site.address).href);
  await resumed.page.evaluate(() => new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('heed');
    request.onsuccess = resolve;
    request.onerror = reject;
  }));
  await resumed.page.close();

  const room = new RoomPage(await context.newPage());
  const { page } = room;
  await page.addInitScript(observe);
  await page.goto(address);
  const warmMs = await firstStep(page);
  const start = await page.evaluate(() => performance.now());
  await page.waitForTimeout(seconds * 1000);
  const loss = await room.number('train.loss');
  const validation = await room.number('train.validation');
  const step = await room.number('train.step');
  const tokensPerSecond = await room.number('train.tokensPerSecond');
  const { frames, tasks } = await page.evaluate(
    () => ({ frames: window.frames_, tasks: window.tasks_ }));
  const during = tasks.filter(({ at }) => at > start);
  const sorted = [...frames].sort((a, b) => a - b);

  const pauses = [];
  for (let i = 0; i < 5; ++i) {
    pauses.push(await page.evaluate(() => new Promise((resolve) => {
      const controls = document.querySelector('#controls');
      const pressed = performance.now();
      new MutationObserver((_, observer) => {
        if (controls.dataset.phase !== 'paused') return;
        observer.disconnect();
        resolve(performance.now() - pressed);
      }).observe(controls, { attributes: true });
      controls.querySelector('.play').click();
    })));
    await room.press('Train');
    await room.phase('running');
    await page.waitForTimeout(700);
  }
  return {
    address: options.query,
    seconds,
    openingToFirstStepMs: {
      cold: Math.round(cold.ms), warm: Math.round(warmMs), warmSavedRun: Math.round(resumed.ms),
    },
    longTasksWhileTraining: {
      count: during.length,
      longestMs: Math.max(0, ...during.map(({ ms }) => ms)),
    },
    frameIntervalMs: {
      median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99),
      longest: sorted.at(-1),
    },
    afterwards: { step, loss, validation, tokensPerSecond },
    pauseMs: { longest: Math.max(...pauses), all: pauses },
  };
}

try {
  console.log(JSON.stringify(await measure(), null, 2));
} finally {
  await browser.close();
  await site.close();
}
