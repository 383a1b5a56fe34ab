// SPDX-License-Identifier: MIT
// The figures in the gallery: numbers, labels, colours, keys, and ways out.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  colourFaults, headerFaults, looseDigits, numberFaults, shownNumbers,
} from '../support/figure-checks.mjs';
import { drawn, openGallery, startGallery } from '../support/gallery.mjs';
import { fields, oddGlyphs, plain, sourceOf } from '../support/gallery-numbers.mjs';
import { skipReason } from '../support/room.mjs';

describe('figures', { skip: skipReason(), timeout: 900_000 }, () => {
  let gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery?.close());

  const openTables = (page) => page.evaluate(() => {
    for (const button of document.querySelectorAll('.figure-tools > button')) button.click();
  });
  const exported = (page, name) => page.evaluate((figure) =>
    JSON.parse(window.gallery.shown[figure].figure.export().json()), name);
  const column = (table, name) => table.columns.findIndex((label) => label.name === name);
  const values = (table, name) => table.cells.map((row) => row[column(table, name)]?.value);
  const sum = (list) => list.reduce((total, value) => total + value, 0);
  const near = (actual, expected, tolerance, what) =>
    assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);

  test('every number is the data\'s, rounded as it says', async () => {
    const { page, close } = await openGallery(gallery);
    const numbers = await shownNumbers(page);
    assert.ok(numbers.length > 1000, `${numbers.length} numbers shown`);
    assert.deepEqual(numberFaults(numbers, await sourceOf(page)), []);
    assert.deepEqual(await looseDigits(page), []);
    // The same in the table view of every figure.
    await openTables(page);
    const tabled = await shownNumbers(page);
    assert.ok(tabled.length > 1000, `${tabled.length} numbers in tables`);
    assert.deepEqual(numberFaults(tabled.filter(({ text }) => text !== '?'), await sourceOf(page)), []);
    assert.deepEqual(await looseDigits(page), []);
    const empty = await page.evaluate(() => [...document.querySelectorAll('section')]
      .filter((section) => section.querySelector('table [data-addr]') === null)
      .map(({ id }) => id));
    assert.deepEqual(empty, []);
    await close();
  });

  test('headers name the row and column of the address, also when swapped', async () => {
    const only = '?only=matrix-weights,matrix-push,push-matrix,outer-stack,importances';
    for (const [tokens, glyphs] of [['plain', plain], ['odd', oddGlyphs]]) {
      const { page, close } = await openGallery(gallery, `${only}&tokens=${tokens}`);
      assert.deepEqual(await headerFaults(page, glyphs), []);
      for (const name of ['matrix-weights', 'push-matrix']) {
        const first = page.locator(`#${name} .grid-cell`).nth(1).locator('[data-addr]').first();
        assert.match(await first.getAttribute('data-addr'), /\.0\.1$/);
        await page.locator(`#${name}`).getByRole('button', { name: 'Swap rows and columns' }).click();
        assert.match(await first.getAttribute('data-addr'), /\.1\.0$/);
        await page.locator(`#${name}`).getByText('Columns look, rows are looked at').waitFor();
        assert.deepEqual(await headerFaults(page, glyphs, `#${name}`), []);
      }
      await close();
    }
  });

  test('equal, blank, hostile and foreign tokens stay apart, as text', async () => {
    const { page, close } = await openGallery(gallery, '?tokens=odd&only=matrix-weights,mixture,budget');
    const heads = page.locator('#matrix-weights [role="columnheader"] > bdi');
    assert.deepEqual(await heads.allTextContents(), oddGlyphs);
    assert.equal(await page.locator('.figure b, .figure img, .figure script').count(), 0);
    const csv = await page.evaluate(() => window.gallery.shown['matrix-weights'].figure.export().csv());
    const head = csv.split('\r\n')[0];
    assert.equal(head, ['A', ...oddGlyphs.map((glyph, index) => `${index} ${glyph}`)].join(','));
    await close();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`fills map back to values, ${colorScheme}`, async () => {
      const { page, close } = await openGallery(
        gallery, '?only=matrix-weights,matrix-push,matrix-values', { colorScheme });
      assert.deepEqual(await colourFaults(page, '#matrix-weights', { signed: false }), []);
      assert.deepEqual(await colourFaults(page, '#matrix-push', { signed: true }), []);
      assert.deepEqual(await colourFaults(page, '#matrix-values', { signed: true }), []);
      await close();
    });
  }

  test('what is broken on purpose is found out', async () => {
    const { page, close } = await openGallery(gallery, '?only=matrix-weights,matrix-push');
    const source = await sourceOf(page);
    await page.evaluate(() => {
      const find = (address) => document.querySelector(`#matrix-push [data-addr="${address}"]`);
      find('L0.H0.push.5.2').textContent = '+0.123';
      const signed = find('L0.H0.push.6.6');
      signed.textContent = signed.textContent.replace('+', '\u2212');
      find('L0.H0.push.7.5').dataset.value = '0.5';
      document.querySelector('#matrix-push [role="rowheader"][data-row="4"] > bdi').textContent = 'A';
      const fill = document.querySelectorAll('#matrix-weights .grid-cell')[9];
      fill.style.backgroundColor = 'rgb(200, 200, 200)';
      document.querySelector('#matrix-push .legend').append('0.5');
    });
    const numbers = numberFaults(await shownNumbers(page, '#matrix-push'), source);
    assert.equal(numbers.length, 3, numbers.join('\n'));
    assert.equal((await headerFaults(page, plain, '#matrix-push')).length, 9);
    assert.ok((await colourFaults(page, '#matrix-weights', { signed: false })).length === 1);
    assert.ok((await colourFaults(page, '#matrix-push', { signed: true })).length > 0);
    assert.deepEqual(await looseDigits(page), ["matrix-push: '0.5'"]);
    await close();
  });

  test('identities hold between the numbers shown', async () => {
    const { page, close } = await openGallery(gallery);
    const [weights] = (await exported(page, 'matrix-weights')).tables;
    weights.cells.forEach((row, i) => {
      near(sum(row.map(({ value }) => value)), 1, 1e-12, `sum of row ${i} of A`);
      row.forEach(({ value }, j) => j > i && assert.equal(value, 0));
    });
    const [push] = (await exported(page, 'matrix-push')).tables;
    push.cells.forEach((row, i) => near(sum(row.map(({ value }) => value)), 0, 1e-12, `push row ${i}`));

    const gains = (await exported(page, 'gain-dots')).tables;
    const mean = gains[1].cells[0][0].value;
    gains[0].cells.slice(0, 7).forEach(([gain, weight, pushed], j) =>
      near(pushed.value, weight.value * (gain.value - mean), 1e-12, `push of ${j}`));

    const mixture = (await exported(page, 'mixture')).tables[1];
    mixture.cells.forEach((row, c) => near(
      sum(row.slice(0, -1).map(({ value }) => value)), row.at(-1).value, 1e-12, `c channel ${c}`));
    const query = (await exported(page, 'query-push')).tables[1];
    query.cells.forEach((row, c) => near(
      sum(row.slice(1, -1).map(({ value }) => value)), -row.at(-1).value, 1e-12, `dq channel ${c}`));
    const readers = (await exported(page, 'readers')).tables[0];
    readers.cells.forEach((row, c) => near(
      sum(row.slice(0, -1).map(({ value }) => value)), -row.at(-1).value, 1e-12, `dv channel ${c}`));

    const bars = (await exported(page, 'score-bars')).tables[0];
    const products = values(bars, 'q × k');
    near(sum(products.slice(0, 6)), products[6], 1e-12, 'q . k');
    near(products[6] / Math.sqrt(6), products[7], 1e-12, 'score');
    const [, plane] = (await exported(page, 'plane')).tables;
    const at = (name) => values(plane, name)[0];
    near(at('|q|') * at('|k|') * at('cos'), at('q · k'), 1e-12, '|q||k|cos');

    const waterfall = values((await exported(page, 'waterfall')).tables[0], 'total');
    near(sum(waterfall.slice(0, 3)), waterfall[3], 1e-12, 'waterfall');
    const ledger = (await exported(page, 'ledger')).tables[0];
    const [predicted, measured] = [values(ledger, 'predicted'), values(ledger, 'measured')];
    near(sum(predicted.slice(0, 3)), predicted[3], 1e-12, 'ledger');
    near(predicted[3] + measured[4], measured[3], 1e-12, 'remainder');
    near(measured[6] - measured[5], measured[3], 1e-12, 'loss change');
    const [, shares, pairs] = (await exported(page, 'outer-stack')).tables;
    near(sum(values(shares, 'share of the gradient')), 1, 1e-9, 'shares');
    near(sum(pairs.cells.flat().map(({ value }) => value)), 1, 1e-9, 'shares of pairs');
    const dots = values(shares, 'share of the gradient');
    pairs.cells.forEach((row, i) => near(sum(row.map(({ value }) => value)), dots[i], 1e-9, `pairs of ${i}`));

    const curve = (await exported(page, 'nudge-curve')).tables[0];
    const losses = values(curve, 'true loss');
    const slope = (step) => (losses[16 + step] - losses[16 - step]) / (2 * step * 0.25);
    const dS = -push.cells[6][2].value;
    // Richardson's step over distances 0.25 and 0.5 leaves an error of the fourth order.
    near((4 * slope(1) - slope(2)) / 3, dS, 1e-3 * Math.abs(dS), 'slope at 0');
    await close();
  });

  test('the chosen token\'s part of a gradient is an outer product', async () => {
    const { page, close } = await openGallery(gallery, '?only=outer-stack');
    const cells = () => page.locator('#outer-stack .grid').first().locator('.grid-cell [data-addr]')
      .evaluateAll((all) => all.map(({ dataset }) => [dataset.addr, Number(dataset.value)]));
    const whole = await cells();
    assert.equal(whole[7][0], 'L0.H0.dW_Q.1.1');
    const total = whole.map(() => 0);
    for (let t = 0; t < plain.length; ++t) {
      await page.locator('#outer-stack .row').nth(t).click();
      const part = await cells();
      assert.equal(part[7][0], `L0.H0.W_Q.token.${t}.1.1`);
      const [x, d] = await page.evaluate((at) => {
        const { left, right } = window.gallery.shown['outer-stack'].data;
        return [left.values[at * left.columns + 1], right.values[at * right.columns + 1]];
      }, t);
      near(part[7][1], x * d, 0, `part of token ${t}`);
      part.forEach(([, value], at) => (total[at] += value));
    }
    whole.forEach(([address, value], at) => near(total[at], value, 1e-12, address));
    await close();
  });

  test('keys walk a matrix as one stop; Enter pins, Escape releases', async () => {
    const { page, close } = await openGallery(gallery, '?only=matrix-push');
    const { keyboard } = page;
    const focused = () => page.evaluate(() =>
      document.activeElement.querySelector('[data-addr]')?.dataset.addr);
    const chosen = () => page.evaluate(() => {
      const { current, pinned } = window.gallery.context.selection;
      return [current.i, current.j, current.address, pinned];
    });
    await keyboard.press('Tab');
    assert.equal(await focused(), 'L0.H0.push.6.2');
    const steps = [['ArrowUp', '5.2'], ['ArrowLeft', '5.1'], ['ArrowDown', '6.1'], ['ArrowRight', '6.2'],
      ['Home', '6.0'], ['ArrowLeft', '6.0'], ['End', '6.8'], ['Control+Home', '0.0'],
      ['ArrowUp', '0.0'], ['Control+End', '8.8'], ['PageUp', '3.8']];
    for (const [key, place] of steps) {
      await keyboard.press(key);
      assert.equal(await focused(), `L0.H0.push.${place}`, key);
    }
    const cell = page.locator('#matrix-push .grid-cell:focus');
    assert.equal(await cell.getAttribute('aria-label'),
      "row 3 'A' cannot see column 8 'E', which comes later: 0");
    await keyboard.press('Enter');
    assert.deepEqual(await chosen(), [3, 8, 'L0.H0.push.3.8', true]);
    assert.equal(await cell.getAttribute('aria-selected'), 'true');
    await page.locator('#matrix-push .grid-cell').first().hover();
    assert.deepEqual((await chosen()).slice(0, 2), [3, 8], 'a pin holds against pointing');
    await keyboard.press('Escape');
    assert.deepEqual((await chosen())[3], false);
    await keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.closest('[role="grid"]')), null);
    await close();
  });

  test('pointing previews, leaving goes back, a click pins', async () => {
    const { page, close } = await openGallery(gallery, '?only=matrix-weights,matrix-push');
    const at = () => page.evaluate(() => {
      const { current, pinned } = window.gallery.context.selection;
      return [current.i, current.j, pinned];
    });
    const cell = page.locator('#matrix-weights .grid-cell[data-row="4"][data-column="1"]');
    await cell.hover();
    assert.deepEqual(await at(), [4, 1, false]);
    // Every other figure follows.
    assert.equal(await page.locator('#matrix-push .grid-cell.current [data-addr]')
      .getAttribute('data-addr'), 'L0.H0.push.4.1');
    await page.mouse.move(2, 2);
    assert.deepEqual(await at(), [6, 2, false]);
    await cell.click();
    assert.deepEqual(await at(), [4, 1, true]);
    await cell.click();
    assert.deepEqual(await at(), [4, 1, false]);
    await close();
  });

  test('new data is drawn in place: focus stays, the scale holds', async () => {
    const { page, close } = await openGallery(gallery, '?only=matrix-push');
    await page.keyboard.press('Tab');
    const legend = page.locator('#matrix-push .legend');
    const scale = await legend.textContent();
    const before = await page.evaluate(() => {
      const { figure, data } = window.gallery.shown['matrix-push'];
      const half = Array.from(data.matrix.values, (value) => value / 2);
      window.focused_ = document.activeElement;
      const fill = document.activeElement.style.backgroundColor;
      figure.update({ ...data, matrix: { ...data.matrix, values: half } });
      return fill;
    });
    await drawn(page);
    const fills = await page.evaluate(() => [
      document.activeElement.style.backgroundColor, document.activeElement === window.focused_]);
    assert.notEqual(fills[0], before);
    assert.equal(fills[1], true);
    assert.equal(await legend.textContent(), scale);
    await page.getByRole('button', { name: 'Fixed scale' }).click();
    assert.notEqual(await legend.textContent(), scale);
    await page.evaluate(() => window.gallery.shown['matrix-push'].figure.destroy());
    assert.equal(await page.locator('.figure').count(), 0);
    await close();
  });

  test('the tip of the query moves by keys and pointer, and goes back', async () => {
    const { page, close } = await openGallery(gallery, '?only=plane');
    const tip = page.getByRole('slider');
    const value = async (name) =>
      Number(await page.locator(`[data-addr="L0.H0.${name}"]`).first().getAttribute('data-value'));
    const [length, score, angle] = [await value('|Q|.6'), await value('S.6.2'), await value('angle.6.2')];
    await tip.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    near(await value('|Q|.6') / length, 1.21, 1e-12, 'length');
    near(await value('S.6.2') / score, 1.21, 1e-12, 'score');
    near(await value('angle.6.2'), angle, 1e-9, 'angle');
    const last = () => page.evaluate(() => {
      const [vector] = window.gallery.events.override.at(-1);
      return vector === undefined ? undefined : Array.from(vector);
    });
    const query = await page.evaluate(() => Array.from(window.gallery.shown.plane.data.query.values));
    (await last()).forEach((component, c) => near(component, 1.21 * query[c], 1e-12, `q ${c}`));
    await page.keyboard.press('ArrowLeft');
    near(await value('angle.6.2'), angle + 5, 1e-9, 'turned');
    await page.keyboard.press('Escape');
    assert.equal(await last(), undefined);
    near(await value('S.6.2'), score, 1e-12, 'back');
    const box = await tip.boundingBox();
    await page.mouse.move(box.x + 14, box.y + 14);
    await page.mouse.down();
    await page.mouse.move(box.x - 40, box.y + 60, { steps: 3 });
    await page.mouse.up();
    assert.ok(await value('|Q|.6') < length);
    await page.getByRole('button', { name: 'Put it back' }).click();
    near(await value('S.6.2'), score, 1e-12, 'back again');
    await close();
  });

  test('nudges, cuts, curves, timeline and heads answer to the reader', async () => {
    const { page, close } = await openGallery(
      gallery, '?only=nudge-curve,budget,readers,curves,timeline,head-grid');
    const events = (name) => page.evaluate((of) => window.gallery.events[of] ?? [], name);
    await page.getByRole('slider', { name: /added to the score/ }).focus();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await events('move'), [[0.25]]);
    await page.getByRole('slider', { name: /Push the score of/ }).focus();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await events('nudge'), [[2, 0.25]]);
    await page.getByRole('button', { name: 'Cut reader 3 A' }).click();
    await drawn(page);
    assert.equal(await page.locator('#readers .row[data-off]').count(), 1);
    await page.locator('#curves').getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual((await events('step')).flat(), [0, 1]);
    assert.match(await page.locator('#curves').getByRole('slider').getAttribute('aria-valuetext'),
      /^step 1: all \d\.\d+, W_V alone \d/);
    await page.locator('#timeline').getByRole('button', { name: 'Go to step 10' }).click();
    await drawn(page);
    assert.equal(await page.locator('#timeline input').inputValue(), '10');
    await page.locator('#timeline').getByRole('button', { name: 'Unpin step 10' }).click();
    await drawn(page);
    assert.equal(await page.locator('#timeline').getByRole('button', { name: 'Go to step 10' }).count(), 0);
    await page.locator('#head-grid [data-head="L0.H1"]').click();
    assert.equal(await page.evaluate(() => window.gallery.context.selection.current.head), 1);
    await close();
  });

  test('saved files hold labels, addresses and numbers', async () => {
    const { page, close } = await openGallery(gallery);
    const files = await page.evaluate(async () => Promise.all(
      Object.entries(window.gallery.shown).map(async ([name, { figure }]) => {
        const made = figure.export();
        const bytes = new Uint8Array(await (await made.png(1)).arrayBuffer());
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const svg = made.svg();
        const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
        return {
          name, json: JSON.parse(made.json()), csv: made.csv(),
          png: { magic: [...bytes.slice(0, 4)], width: image.width, height: image.height },
          svg: {
            root: parsed.documentElement.nodeName, title: parsed.querySelector('title')?.textContent,
            numbers: parsed.querySelectorAll('text[data-addr]').length,
            foreign: parsed.querySelectorAll('foreignObject, style, script').length,
            width: Number(parsed.documentElement.getAttribute('width')),
          },
        };
      })));
    for (const { name, json, csv, png, svg } of files) {
      assert.deepEqual(png.magic, [0x89, 0x50, 0x4e, 0x47], name);
      assert.equal(png.width, svg.width, name);
      assert.ok(png.height > 40, name);
      assert.equal(svg.root, 'svg', name);
      assert.equal(svg.title, json.title, name);
      assert.equal(svg.foreign, 0, name);
      if (name !== 'head-grid' && name !== 'timeline') {
        assert.ok(name === 'matrix-large' || svg.numbers > 0, `${name}: ${svg.numbers} numbers`);
      }
      const first = json.tables[0];
      const lines = csv.split('\r\n').map(fields);
      assert.equal(lines[0].length, first.columns.length + 1, name);
      first.cells[0].forEach((cell, at) => {
        const text = lines[1][at + 1];
        assert.equal(text, cell === null ? '' : String(cell.value), name);
        if (cell !== null) assert.match(cell.address, /\w/, name);
      });
    }
    const matrix = files.find(({ name }) => name === 'matrix-weights').json.tables[0];
    assert.deepEqual(matrix.rows[1], { index: 1, token: 'A', expected: 'F' });
    assert.deepEqual(matrix.columns[3], { index: 3, token: 'A' });
    assert.equal(matrix.cells[5][2].address, 'L0.H0.A.5.2');

    const saved = page.waitForEvent('download');
    await page.locator('#matrix-weights summary').click();
    await page.locator('#matrix-weights [data-save="csv"]').click();
    assert.equal((await saved).suggestedFilename(), 'matrix-L0.H0.A.csv');
    await close();
  });
});
