// SPDX-License-Identifier: MIT
// What the page shows is what the engine computes: the same package in Node gives the same bits.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { RoomPage, skipReason, startSite, tiny } from '../support/room.mjs';
import { straightRun } from '../support/straight.mjs';

describe('numbers on the page', { skip: skipReason(), timeout: 600_000 }, () => {
  let site;
  let straight;

  before(async () => {
    [site, straight] = await Promise.all([startSite(), straightRun()]);
  });
  after(async () => {
    straight?.engine.dispose();
    await site?.close();
  });

  test('losses, norms and every attention weight after five steps', async () => {
    const { trainer, tokenizer } = straight;
    const room = await RoomPage.open(site, tiny);
    await room.trainTo(1);
    await room.press('Reset');
    await room.waitForNumber('train.step', (step) => step === 0);
    let step = 0;
    for await (const metrics of trainer.run({ steps: 5 })) {
      step += 1;
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step);
      assert.equal(await room.number('train.loss'), metrics.loss, `loss of step ${step}`);
      assert.equal(await room.number('train.gradientNorm'), metrics.gradientNorm);
      assert.equal(await room.number('train.learningRate'), metrics.learningRate);
    }
    await room.page.getByText('at step 5', { exact: true }).waitFor();

    const probe = await room.page.getByLabel('Probe text').inputValue();
    const tokens = tokenizer.encode(probe);
    const { weights, time, heads } = await trainer.model.attention(tokens);
    const grid = room.page.getByRole('grid');
    for (let head = 0; head < heads; ++head) {
      await room.press(`L0.H${head}: layer 0, head ${head}`);
      await grid.getByRole('gridcell').first().waitFor();
      await grid.locator('[role="gridcell"][tabindex="0"]').focus();
      await room.page.keyboard.press('Control+Home');
      for (let i = 0; i < time; ++i) {
        const shown = await grid.getByRole('gridcell').evaluateAll((cells) =>
          cells.map(({ dataset, textContent }) =>
            [dataset.addr, Number(dataset.value), textContent.trim()]));
        const expected = Array.from({ length: time }, (_, j) => {
          const weight = weights[(head * time + i) * time + j];
          return [`L0.H${head}.A.${i}.${j}`, weight, weight.toFixed(2)];
        });
        assert.deepEqual(shown, expected, `head ${head}, row ${i}`);
        const sum = shown.reduce((total, [, weight]) => total + weight, 0);
        assert.ok(Math.abs(sum - 1) < 1e-6, `row ${i} sums to ${sum}`);
        await room.page.keyboard.press('ArrowDown');
      }
    }
    await room.close();
  });

  test('the ink of a cell is its weight, and labels are its tokens', async () => {
    const room = await RoomPage.open(site, tiny);
    await room.trainTo(60);
    const read = await room.page.getByRole('grid').evaluate((grid) => {
      const canvas = grid.querySelector('canvas');
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const cells = [...grid.querySelectorAll('[role="gridcell"]')].map((cell) => {
        const [, , , i, j] = cell.dataset.addr.split('.').map(Number);
        return { i, j, weight: Number(cell.dataset.value), label: cell.getAttribute('aria-label') };
      });
      return cells.map((cell) => ({ ...cell, red: pixels[4 * (cell.i * canvas.width + cell.j)] }));
    });
    assert.ok(read.length > 10);
    const probe = await room.page.getByLabel('Probe text').inputValue();
    const spoken = (character) => (character === ' ' ? 'space' : character);
    for (const { i, j, weight, red, label } of read) {
      // Paper is 255 and ink 17 in the light theme.
      assert.ok(Math.abs((255 - red) / (255 - 17) - weight) <= 1 / (255 - 17), `${i},${j}`);
      assert.ok(label.includes(`row ${i} '${spoken(probe[i])}'`), label);
      assert.ok(label.includes(`column ${j} '${spoken(probe[j])}'`), label);
    }
    await room.close();
  });

  test('a long curve is drawn from means of neighbouring steps', async () => {
    const room = await RoomPage.open(site, tiny);
    await room.trainTo(1100);
    const { trainer } = straight;
    await trainer.reset();
    const losses = [];
    for await (const { loss } of trainer.run({ steps: 4 })) losses.push(loss);
    const chart = room.page.getByRole('slider', { name: 'Loss' });
    // The first point at or after a step: validation may add points of its own between.
    const reading = async (step) => {
      await chart.focus();
      await room.page.keyboard.press('Home');
      for (;;) {
        const text = await chart.getAttribute('aria-valuetext');
        const match = /^step ([\d,]+): training (\d+\.\d{3})/.exec(text);
        if (match !== null && Number(match[1]) >= step) return [Number(match[1]), match[2]];
        await room.page.keyboard.press('ArrowRight');
      }
    };
    // More than 1,024 steps: each point is the mean of two.
    assert.deepEqual(await reading(1), [2, ((losses[0] + losses[1]) / 2).toFixed(3)]);
    assert.deepEqual(await reading(3), [4, ((losses[2] + losses[3]) / 2).toFixed(3)]);
    await room.close();
  });

  test('the downloaded run opens in Node with the same weights', async () => {
    const room = await RoomPage.open(site, tiny);
    await room.trainTo(20);
    const step = await room.number('train.step');
    const [download] = await Promise.all([
      room.page.waitForEvent('download'), room.press('Download the run'),
    ]);
    const bytes = new Uint8Array(await readFile(await download.path()));
    const { engine, trainer } = straight;
    await trainer.reset();
    for await (const metrics of trainer.run({ steps: step, every: step })) void metrics;
    const { model } = await engine.loadModel(bytes);
    assert.equal(await model.weightsHash(), await trainer.model.weightsHash());
    model.dispose();
    await room.close();
  });
});
