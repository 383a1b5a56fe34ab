// SPDX-License-Identifier: MIT
// Measures the learn room in Chromium while it trains at full speed, and prints one JSON object: steps
// a second with chapter 7's figures open and with none, frame intervals and long tasks.
//   node tests/browser/measure-learn.mjs [--seconds 60] [--task text]
// Not part of the tests: its figures depend on what else the machine does.

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { observe, quantile } from './support/frames.mjs';
import { RoomPage } from './support/room.mjs';
import { serveSite } from './support/server.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    task: { type: 'string', default: 'text' },
  },
});
const seconds = Number(options.seconds);

/** Steps a second while the page trains at full speed with this chapter open. */
async function rate(room, chapter, length) {
  await room.page.getByRole('combobox', { name: 'Chapters' }).selectOption(chapter);
  // The room rests by itself after some thousands of steps; playing on counts them anew.
  if (await room.page.getByRole('button', { name: 'Pause', exact: true }).count() > 0) {
    await room.press('Pause');
  }
  await room.press('Train');
  await room.page.waitForTimeout(1500);
  await room.page.evaluate(() => {
    window.frames_.length = 0;
    window.tasks_.length = 0;
  });
  const [from, start] = [await room.number('train.step'), performance.now()];
  await room.page.waitForTimeout(length * 1000);
  const [to, end] = [await room.number('train.step'), performance.now()];
  const { frames, tasks } = await room.page.evaluate(
    () => ({ frames: window.frames_, tasks: window.tasks_ }));
  const sorted = frames.sort((a, b) => a - b);
  return {
    stepsPerSecond: (to - from) / ((end - start) / 1000),
    frameIntervalMs: { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), longest: sorted.at(-1) },
    longTasks: { count: tasks.length, longestMs: Math.max(0, ...tasks.map(({ ms }) => ms)) },
  };
}

const site = await serveSite();
const browser = await launchChromium({ whole: true });
try {
  const room = new RoomPage(await browser.newPage());
  await room.page.addInitScript(observe);
  await room.page.goto(`${site.address}?room=learn&task=${options.task}&chapter=c11`);
  const speed = room.page.getByRole('combobox', { name: 'Speed' });
  const fastest = await speed.evaluate((list) => list.options[list.options.length - 1].value);
  await speed.selectOption(fastest);
  await room.phase('running');
  // In turns, so that what else the machine does falls on both.
  const figures = [];
  const bare = [];
  for (let turn = 0; turn < 3; ++turn) {
    bare.push(await rate(room, 'c11', seconds / 6));
    figures.push(await rate(room, 'c7', seconds / 3));
  }
  const mean = (list) => list.reduce((sum, { stepsPerSecond }) => sum + stepsPerSecond, 0) / list.length;
  console.log(JSON.stringify({
    task: options.task, seconds, speed: fastest,
    ratio: mean(figures) / mean(bare), withChapter7: figures, withoutFigures: bare,
  }, null, 2));
} finally {
  await browser.close();
  await site.close();
}
