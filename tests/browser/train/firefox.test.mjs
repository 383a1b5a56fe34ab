// SPDX-License-Identifier: MIT
// The train room in Firefox: a run's link gives the losses that it gives in Chromium, every digit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findChromium, findFirefox, launchFirefox } from '../../../scripts/lib/browser.mjs';
import { query, startSite, tiny } from '../support/room.mjs';

const steps = 100;
/** A text, a task and byte pairs, the first with a change on its way. */
const links = {
  'a text, changed at step 40': { ...tiny, dropout: 0.1, then: '40 batch 6 learningRate 0.001' },
  'a task': { text: 'task-reverse' },
  'byte pairs': { ...tiny, text: 'rights-han', tokenizer: 'bpe', vocabulary: 600 },
};

/** In the page: rests, goes back to step 0, and makes one step after the other. */
async function lossesStepByStep(count) {
  const shown = (address) =>
    document.querySelector(`output[data-addr="${address}"]`)?.dataset.value;
  const until = async (what, test) => {
    for (const start = performance.now(); !test(); ) {
      if (performance.now() - start > 60_000) throw new Error(`${what} did not come`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const button = (name) =>
    [...document.querySelectorAll('#controls button')].find((one) => one.textContent.trim() === name);
  const phase = () => document.querySelector('#controls')?.dataset.phase;
  await until('a run', () => phase() === 'running');
  await until('a step', () => Number(shown('train.step')) > 0);
  button('Pause').click();
  await until('rest', () => phase() === 'paused');
  button('Reset').click();
  await until('step 0', () => shown('train.step') === '0' && phase() === 'paused');
  const losses = [];
  for (let step = 1; step <= count; ++step) {
    await until('the button', () => button('One step')?.disabled === false);
    button('One step').click();
    await until(`step ${step}`, () => shown('train.step') === String(step));
    losses.push(shown('train.loss'));
  }
  return losses;
}

const reason = () => {
  if (findChromium() !== undefined && findFirefox() !== undefined) return false;
  if (process.env.CI) throw new Error('CI needs Chromium and Firefox. See scripts/setup.');
  return 'needs Chromium and Firefox (run scripts/setup)';
};
const skip = reason();

let site;
let firefox;
before(async () => {
  if (skip === false) [site, firefox] = await Promise.all([startSite(), launchFirefox()]);
});
after(async () => {
  await firefox?.close();
  await site?.close();
});

for (const [name, settings] of Object.entries(links)) {
  test(`the link of ${name}: ${steps} losses equal in every digit`, { skip, timeout: 300_000 }, async () => {
    const found = [];
    for (const browser of [site.browser, firefox]) {
      const page = await browser.newPage();
      page.setDefaultTimeout?.(120_000);
      await page.goto(site.address + query(settings));
      found.push(await page.evaluate(lossesStepByStep, steps));
      await page.close();
    }
    assert.equal(found[0].length, steps);
    assert.equal(new Set(found[0]).size, steps, 'losses that differ from step to step');
    assert.deepEqual(found[1], found[0]);
  });
}
