// SPDX-License-Identifier: MIT
// Ways out of the learn room: code that makes the same number, links to the same state, frames.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { skipReason, startSite } from '../support/room.mjs';
import { openAt, openLearn, settled, shownStep, stepIn } from './support/learn-page.mjs';
import { Twin } from './support/twin.mjs';

const run = promisify(execFile);
const library = new URL('../../../web/lib/dist/node.js', import.meta.url).href;

describe('code, links and frames', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  const permissions = ['clipboard-read', 'clipboard-write'];
  const clipboard = (room) => room.page.evaluate(() => navigator.clipboard.readText());

  /** What a copied program prints, run by Node against the built package. */
  async function output(code) {
    const folder = await mkdtemp(join(tmpdir(), 'heed-code-'));
    try {
      const file = join(folder, 'program.mjs');
      await writeFile(file, `${code.replace("from 'heed'", `from '${library}'`)}\nengine.dispose();\n`);
      return (await run(process.execPath, [file])).stdout.trim();
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('copied code prints the number that is pinned', async () => {
    const room = await openAt(site, 12, {
      chapter: 'c7', i: 6, j: 2, address: 'L0.H0.push.6.2',
    }, { permissions });
    const pinned = room.page.locator('aside [data-digits="full"]');
    assert.equal(await pinned.getAttribute('data-addr'), 'L0.H0.push.6.2');
    await room.page.getByRole('button', { name: 'Copy as code' }).first().click();
    await room.page.getByText('Copied: code').waitFor({ state: 'attached' });
    const printed = Number(await output(await clipboard(room)));
    assert.equal(printed, Number(await pinned.getAttribute('data-value')));
    await room.close();
  });

  test('a copied link opens the same step, place and numbers', async () => {
    const room = await openAt(site, 9, { chapter: 'c5', i: 6, j: 3, depth: 'algebra' }, { permissions });
    await room.page.getByRole('button', { name: 'Copy link' }).first().click();
    await room.page.getByText('Copied: a link').waitFor({ state: 'attached' });
    const other = await room.another(await clipboard(room));
    await shownStep(other, 9);
    await settled(other);
    const numbers = (page) => page.page.locator('article [data-addr]').evaluateAll((all) =>
      all.map((e) => `${e.dataset.addr} ${e.dataset.value}`));
    assert.deepEqual(await numbers(other), await numbers(room));
    assert.ok(await other.page.getByLabel('algebra').isChecked());
    await room.close();
  });

  test('a broken address opens the room all the same', async () => {
    const room = await openLearn(site, {
      chapter: 'c99', task: 'nonsense', seed: '-1', rate: 'x', step: '3', i: '999', j: '999',
      layer: '99', head: '99', channel: '999', branches: '1~2,~,9~9~9', address: 'L9.H9.A.9.9',
    });
    await shownStep(room, 3);
    assert.equal(await room.page.locator('[role="alert"]').count(), 0);
    await room.close();
  });

  test('inside a frame: chosen controls only, and the height is told', async () => {
    const room = await openLearn(site);
    // A page of another origin: the site's own policy lets it hold no frames.
    const host = await room.page.context().newPage();
    await host.setContent('<!doctype html><title>An article</title>');
    const source = `${site.address}?room=learn&embed&controls=play,step&chapter=c7&step=5`;
    await host.evaluate((src) => {
      window.told = 0;
      addEventListener('message', ({ data }) => {
        if (data?.heed === 'height') window.told = data.height;
      });
      const frame = document.createElement('iframe');
      frame.src = src;
      frame.width = '700';
      document.body.append(frame);
    }, source);
    await host.waitForFunction(() => window.told > 1000, undefined, { timeout: 60_000 });
    const frame = host.frames().find((one) => one.url().includes('embed'));
    await frame.locator('article[data-chapter="c7"] h2').first().waitFor();
    assert.deepEqual(await frame.locator('#controls button').allInnerTexts(), ['Train', 'One step']);
    assert.equal(await frame.locator('header').count(), 0);
    assert.equal(await frame.getByRole('combobox', { name: 'Chapters' }).count(), 0);
    await room.close();
  });

  test('two rooms in one page keep to themselves', async () => {
    const room = await openLearn(site);
    const host = await room.page.context().newPage();
    await host.setContent('<!doctype html><title>An article</title>');
    const source = (chapter, step, seed) =>
      `${site.address}?room=learn&embed&controls=play,step&chapter=${chapter}&step=${step}&seed=${seed}`;
    await host.evaluate((sources) => {
      for (const src of sources) {
        const frame = document.createElement('iframe');
        frame.src = src;
        frame.width = '700';
        document.body.append(frame);
      }
    }, [source('c7', 5, 11), source('c4', 3, 12)]);
    const find = async (chapter) => {
      for (;;) {
        const frame = host.frames().find((one) => one.url().includes(`chapter=${chapter}`));
        if (frame !== undefined) return frame;
        await host.waitForTimeout(50);
      }
    };
    const [first, second] = [await find('c7'), await find('c4')];
    await stepIn(first, 5);
    await stepIn(second, 3);
    const weights = (frame) => frame.locator('article [data-addr^="L0.H0.A.6."]').first()
      .getAttribute('data-value');
    const before = await weights(second);
    await first.getByRole('button', { name: 'One step' }).click();
    await stepIn(first, 6);
    assert.equal(await weights(second), before);
    assert.equal(await second.locator('article[data-step="3"]').count() > 0, true);
    for (const [frame, step, seed] of [[first, 6, 11], [second, 3, 12]]) {
      const twin = await (await Twin.open({ train: { seed } })).to(step);
      const trace = await twin.trace(step);
      const shown = await frame.locator('article [data-addr="L0.H0.A.6.2"]').first()
        .getAttribute('data-value');
      assert.equal(Number(shown), trace.read('L0.H0.A.6.2'), `seed ${seed}`);
      trace.dispose();
      twin.close();
    }
    await room.close();
  });
});
