// SPDX-License-Identifier: MIT
// Kills a tab while it trains and saves, and looks what is there afterwards. For the test and for the
// measurement with many kills.

import assert from 'node:assert/strict';
import { query } from '../../support/room.mjs';

/** A checkpoint of half a megabyte: a kill falls into a write now and then. */
const settings = {
  text: 'sonnets', layers: 1, heads: 2, width: 64, ffn: 128, context: 32, batch: 4, steps: 1000000,
};

/** In the page: tells the step at which the run opens, and every save that is confirmed. */
function tellSteps() {
  let last;
  let opened = false;
  const look = () => {
    const shown = document.querySelector('output[data-addr="train.step"]')?.dataset.value;
    if (shown !== undefined && !opened) console.log(`opened ${shown}`);
    opened ||= shown !== undefined;
    const line = document.querySelector('[data-save="saved"]')?.textContent ?? '';
    const step = /step ([\d,]+)/.exec(line)?.[1];
    if (step !== undefined && step !== last) console.log(`saved ${step.replaceAll(',', '')}`);
    last = step ?? last;
  };
  addEventListener('DOMContentLoaded', () => new MutationObserver(look).observe(
    document.body, { childList: true, subtree: true, characterData: true, attributes: true }));
}

/** A stated sequence of numbers in [0, 1): the same moments in every run. */
function* numbers(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/**
 * `kills` times: opens the run, lets it train for a random while, kills the tab's process, and opens it
 * again. Resolves with { confirmed, opened } of each; throws where a save that was confirmed is not
 * there, or where the page says that something was lost.
 */
export async function killTabs({ address, browser }, { kills, longestMs = 3000, seed = 1 }) {
  const context = await browser.newContext();
  const moments = numbers(seed);
  const found = [];
  let confirmed = 0;
  for (let kill = 0; kill <= kills; ++kill) {
    const page = await context.newPage();
    const told = { opened: [], saved: [] };
    page.on('console', (message) => {
      const [, what, step] = /^(opened|saved) (\d+)$/.exec(message.text()) ?? [];
      if (what !== undefined) told[what].push(Number(step));
    });
    await page.addInitScript(tellSteps);
    await page.goto(address + query(settings));
    await page.waitForSelector('#controls[data-phase="running"], #controls[data-phase="paused"]');
    while (told.opened.length === 0) await page.waitForTimeout(20);
    const [opened] = told.opened;
    if (kill > 0) {
      found.push({ confirmed, opened });
      assert.ok(opened >= confirmed, `saved at step ${confirmed}, opened at ${opened}`);
      assert.equal(await page.locator('[data-notice]').count(), 0, 'something is said to be lost');
    }
    if (kill === kills) break;
    // Every other kill at the time of the first save of a visit, which comes after two seconds.
    const moment = moments.next().value;
    await page.waitForTimeout(kill % 2 === 0 ? 1900 + 400 * moment : longestMs * moment);
    const protocol = await context.newCDPSession(page);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    protocol.send('Page.crash').catch(() => {});
    await crashed;
    confirmed = Math.max(confirmed, ...told.saved);
    await page.close();
  }
  await context.close();
  return found;
}
