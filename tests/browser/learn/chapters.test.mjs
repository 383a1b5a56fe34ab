// SPDX-License-Identifier: MIT
// What each chapter claims, from the numbers that its figures show (D3), at full precision.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { skipReason, startSite } from '../support/room.mjs';
import { openAt, settled } from './support/learn-page.mjs';
import { Twin } from './support/twin.mjs';

const sum = (list) => list.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);
const T = 7;

describe('chapters', { skip: skipReason(), timeout: 900_000 }, () => {
  let site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  /** Numbers of a chapter by address; `within` narrows it to a part of the page. */
  async function numbers(room, within = 'article') {
    await settled(room);
    return new Map(await room.page.locator(`${within} [data-addr][data-value]`).evaluateAll((all) =>
      all.map((e) => [e.dataset.addr, Number(e.dataset.value)])));
  }
  const near = (actual, expected, tolerance, what) => assert.ok(
    Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
  const section = (room, name) =>
    room.page.locator('article section', { has: room.page.getByRole('heading', { name }) });
  const choose = (room, label, value) =>
    room.page.locator('.pick label', { hasText: label }).first().locator('select')
      .selectOption(String(value));

  /** The file that a figure saves as JSON. */
  async function saved(room, figure) {
    const menu = figure.getByText('Save', { exact: true });
    await menu.click();
    const download = room.page.waitForEvent('download');
    await figure.getByRole('button', { name: /JSON/ }).click();
    return JSON.parse(await readFile(await (await download).path(), 'utf8'));
  }

  test('C1: X is E + P, and without order a swap is only a swap', async () => {
    const room = await openAt(site, 30, { chapter: 'c1', j: 1, i: 5 });
    const shown = await numbers(room);
    for (const i of range(T)) {
      for (const c of range(24)) {
        const parts = shown.get(`E.${i}.${c}`) + shown.get(`P.${i}.${c}`);
        near(shown.get(`L0.X.${i}.${c}`), parts, 1e-6, `X.${i}.${c}`);
      }
    }
    for (const what of ['first', 'second', 'others']) {
      assert.ok(shown.get(`swap.5.1.0.0.${what}`) <= 1e-5, `${what} rows`);
    }
    await room.page.getByLabel('positions').check();
    const ordered = await numbers(room);
    assert.ok(ordered.get('swap.5.1.1.0.first') > 1e-3, 'with positions more than a swap');
    await room.close();
  });

  test('C2: terms add up to the cell; a typed weight is the engine\'s answer', async () => {
    const room = await openAt(site, 30, { chapter: 'c2', i: 6, j: 2, channel: 3 });
    const shown = await numbers(room);
    const terms = range(24).map((m) => shown.get(`product:L0.X.6.${m}*L0.H0.W_Q.${m}.3`));
    near(sum(terms), shown.get('L0.H0.Q.6.3'), 1e-5, 'sum of the terms');
    await room.page.getByLabel(/^Weight of W_Q/).fill('1.5');
    await settled(room);
    const changed = await numbers(room, 'article td[data-what-if]');
    const twin = await (await Twin.open()).to(30);
    const { model } = twin.trainer;
    const weights = await model.read('layers.0.attention.query.weight');
    weights[3] = 1.5;
    await model.write('layers.0.attention.query.weight', weights);
    const trace = await twin.trace(30);
    assert.equal(changed.get('L0.H0.Q.6.3'), trace.read('L0.H0.Q.6.3'));
    assert.equal(changed.get('L0.H0.S.6.2'), trace.read('L0.H0.S.6.2'));
    assert.equal(changed.get('L0.H0.A.6.2'), trace.read('L0.H0.A.6.2'));
    assert.equal(changed.get('trace.loss'), trace.loss);
    trace.dispose();
    twin.close();
    await room.close();
  });

  test('C3: lengths and angle make the score; a longer query multiplies the row', async () => {
    const room = await openAt(site, 30, { chapter: 'c3', i: 6, j: 2 });
    const shown = await numbers(room);
    const product = shown.get('L0.H0.|Q|.6') * shown.get('L0.H0.|K|.2') * shown.get('L0.H0.cos.6.2');
    const terms = sum(range(24).map((c) => shown.get(`L0.H0.qk.6.2.${c}`)));
    near(terms, product, 1e-5, 'sum of products');
    near(shown.get('L0.H0.S.6.2') * Math.sqrt(24), product, 1e-5, 'score times the root of D');
    const handle = room.page.getByRole('slider', { name: 'Tip of the query' });
    await handle.focus();
    await handle.press('ArrowUp');
    await handle.press('ArrowUp');
    await room.page.getByText('with the moved query').waitFor();
    await settled(room);
    const scores = await numbers(room, 'article section:last-of-type');
    const before = new Map(range(T).map((j) => [j, shown.get(`L0.H0.S.6.${j}`)]));
    const after = await numbers(room);
    for (const j of range(T)) {
      const moved = scores.get(`L0.H0.S.6.${j}`) ?? after.get(`L0.H0.S.6.${j}`);
      near(moved, before.get(j) * 1.21, 1e-4, `score ${j}`);
    }
    await room.close();
  });

  test('C4: budget, scale and mask', async () => {
    const room = await openAt(site, 60, { chapter: 'c4', i: 6 });
    const shown = await numbers(room);
    for (const i of range(T)) {
      near(sum(range(T).map((j) => shown.get(`L0.H0.A.${i}.${j}`) ?? 0)), 1, 1e-6, `row ${i}`);
    }
    const masked = await room.page.locator('article .grid-cell[data-masked]').allInnerTexts();
    assert.equal(masked.length, 21);
    assert.deepEqual(new Set(masked.map((text) => text.trim())), new Set(['0']));
    const slider = room.page.locator('article input[type="range"][max="7"]');
    await slider.fill('0');
    const even = await numbers(room);
    for (const i of range(T)) {
      for (const j of range(i + 1)) {
        near(even.get(`L0.H0.A.${i}.${j}`), 1 / (i + 1), 1e-6, `even ${i}.${j}`);
      }
    }
    await slider.fill('7');
    const hard = await numbers(room);
    assert.ok(Math.max(...range(T).map((j) => hard.get(`L0.H0.A.6.${j}`))) > 0.999);
    assert.ok(hard.get('L0.H0.signal.6') < shown.get('L0.H0.signal.6'), 'the signal fades');
    await room.page.getByRole('button', { name: 'Back to the model' }).click();
    await room.page.getByLabel('All of them fall').check();
    await room.page.getByRole('button', { name: 'Show what the model says' }).click();
    const verdict = room.page.locator('[data-verdict]');
    assert.equal(await verdict.getAttribute('data-truth'), 'fall');
    assert.equal(await verdict.getAttribute('data-verdict'), 'right');
    const changes = await numbers(room, '.question');
    near(sum([...changes.values()]), 0, 1e-6, 'what one gains the others lose');
    await room.close();
  });

  test('C5: parts add up to the difference of two logits', async () => {
    const room = await openAt(site, 30, { chapter: 'c5', i: 6, j: 2 });
    const shown = await numbers(room);
    const parts = [...shown].filter(([address]) => address.includes('.logitPart.'));
    const total = parts.find(([address]) => address.endsWith('.difference'))[1];
    const rest = parts.filter(([address]) => !address.endsWith('.difference'));
    near(sum(rest.map(([, value]) => value)), total, 1e-4, 'sum of the parts');
    const distances = [...shown].filter(([address]) => address.startsWith('context.'));
    assert.equal(distances.find(([address]) => address.includes('.X.'))[1], 0);
    assert.ok(distances.find(([address]) => address.includes('.C.'))[1] > 1e-3);
    await room.close();
  });

  test('C6: the error is p minus y and adds up to 0', async () => {
    const room = await openAt(site, 30, { chapter: 'c6', i: 6 });
    const shown = await numbers(room);
    const twin = await (await Twin.open()).to(30);
    const { targets } = await twin.example(0);
    const trace = await twin.trace(30);
    const error = range(14).map((v) => shown.get(`dlogits.6.${v}`));
    near(sum(error), 0, 1e-6, 'sum');
    for (const v of range(14)) {
      const wanted = trace.read(`probs.6.${v}`) - (v === targets[6] ? 1 : 0);
      near(error[v], wanted, 1e-6, `answer ${v}`);
    }
    const other = targets[6] === 0 ? 1 : 0;
    await room.page.getByLabel('call this the right answer').selectOption(String(other));
    const turned = await numbers(room);
    const changed = await twin.trace(30, { targets: targets.map((t, i) => (i === 6 ? other : t)) });
    for (const v of range(14)) {
      assert.equal(
        turned.get(`target:6=${other}/dlogits.6.${v}`), changed.read(`dlogits.6.${v}`));
    }
    changed.dispose();
    trace.dispose();
    twin.close();
    await room.close();
  });

  test('C7: pushes follow from gains, add up to 0, and are the slope', async () => {
    const room = await openAt(site, 30, { chapter: 'c7', i: 6, j: 2 });
    const shown = await numbers(room);
    const mean = shown.get('L0.H0.mean.6');
    for (const j of range(T)) {
      const push = shown.get(`L0.H0.A.6.${j}`) * (shown.get(`L0.H0.gain.6.${j}`) - mean);
      near(shown.get(`L0.H0.push.6.${j}`), push, 1e-6, `push ${j}`);
    }
    near(sum(range(T).map((j) => shown.get(`L0.H0.push.6.${j}`))), 0, 1e-6, 'pushes of the row');
    const file = await saved(room, section(room, 'A slope can be checked by hand').locator('.figure').last());
    const twin = await (await Twin.open()).to(30);
    const trace = await twin.trace(30);
    const cells = file.tables[0].cells.map((cell) => cell.map((number) => number?.value));
    const by = cells.length;
    assert.ok(by >= 41, `${by} points of the curve`);
    const slope = trace.read('L0.H0.dS.6.2');
    const { tokens, targets } = await twin.example(0);
    const losses = await twin.trainer.model.sweep(tokens, targets, {
      layer: 0, head: 0, row: 6, column: 2, by: [-0.2, 0.2],
    });
    // The curve's own points beside 0: third order of 0.2 is all that is left.
    near((losses[1] - losses[0]) / 0.4, slope, 0.02 * Math.abs(slope) + 1e-4, 'slope at 0');
    for (const [truth, name] of [[1, 'Up'], [-1, 'Down']]) {
      await room.page.getByLabel(name, { exact: true }).check();
      await room.page.getByRole('button', { name: 'Show what the model says' }).click();
      const verdict = await room.page.locator('[data-verdict]').getAttribute('data-verdict');
      assert.equal(verdict, Math.sign(-slope) === truth ? 'right' : 'wrong');
      await room.page.getByRole('button', { name: 'Ask again' }).click();
    }
    trace.dispose();
    twin.close();
    await room.close();
  });

  test('C8: a value hears its readers; mixing first changes nothing', async () => {
    const room = await openAt(site, 30, { chapter: 'c8', i: 6, j: 2 });
    const shown = await numbers(room);
    assert.ok(shown.get('difference.L0.H0.dW_V') <= 1e-6);
    assert.ok(shown.get('difference.L0.H0.AXW_V') <= 1e-5);
    const mixtures = () => room.page.locator('article [data-addr^="L0.H0.C."]').allInnerTexts();
    const before = await mixtures();
    await room.page.getByLabel('(A X) W_V').check();
    await settled(room);
    const after = await room.page.locator('article [data-addr^="L0.H0.AXW_V."]').allInnerTexts();
    assert.equal(after.length, T * 24);
    assert.deepEqual(after, before, 'nothing moves');
    await room.page.getByRole('button', { name: /^Cut reader 6/ }).click();
    const cut = await numbers(room);
    assert.equal(cut.get('heard:L0.H0.2.without.6'), 0, 'its only reader with an error was cut');
    await room.close();
  });

  test('C9: shares of tokens, pairs and examples add up to 1', async () => {
    const room = await openAt(site, 30, { chapter: 'c9', i: 6, j: 2 });
    for (const name of ['W_Q', 'W_K', 'W_V']) {
      await room.page.getByLabel(name, { exact: true }).check();
      const shown = await numbers(room);
      near(sum(range(T).map((t) => shown.get(`L0.H0.${name}.share.${t}`))), 1, 1e-5, name);
      near(shown.get(`sum.L0.H0.${name}.pairShare`), 1, 1e-5, `${name} by pairs`);
    }
    await room.page.getByRole('button', { name: /Ask all examples/ }).click();
    await room.page.getByText('Loudest').waitFor();
    const batch = await numbers(room);
    near(sum(range(32).map((n) => batch.get(`batch.L0.H0.W_V.share.${n}`))), 1, 1e-5, 'batch');
    await room.close();
  });

  test('C10: waterfalls add up; a small SGD step does what it predicts; undo undoes', async () => {
    const room = await openAt(site, 30, {
      chapter: 'c10', i: 6, j: 2, optimizer: 'sgd', rate: '0.0001',
    });
    const shown = await numbers(room);
    const parts = ['query', 'key', 'both'].map((id) => shown.get(`next.L0.H0.dS_${id}.6.2`));
    near(sum(parts), shown.get('next.L0.H0.dS_total.6.2'), 1e-12, 'score');
    const mixture = [...shown].filter(([address]) => /\.dC_/.test(address));
    const total = mixture.find(([address]) => address.includes('dC_total'))[1];
    near(sum(mixture.map(([, value]) => value)) - total, total, 1e-12, 'mixture');
    const measured = shown.get('ledger.after') - shown.get('ledger.before');
    const ratio = shown.get('ledger.predicted') / measured;
    assert.ok(ratio > 0.95 && ratio < 1.05, `predicted / measured is ${ratio}`);
    const weights = () => numbers(room, '#controls');
    const before = await weights();
    await room.page.getByRole('button', { name: 'Only W_V' }).click();
    await room.waitForNumber('train.step', (value) => value === 31);
    await room.page.getByRole('button', { name: 'Undo' }).click();
    await room.waitForNumber('train.step', (value) => value === 30);
    await room.page.locator('[data-addr="ledger.before"]').first().waitFor();
    const again = await numbers(room);
    assert.equal(again.get('ledger.before'), shown.get('ledger.before'));
    assert.equal(again.get('next.L0.H0.dS_total.6.2'), shown.get('next.L0.H0.dS_total.6.2'));
    assert.equal((await weights()).get('train.step'), before.get('train.step'));
    await room.close();
  });

  test('C11: ten twins, and what each can learn', async () => {
    const room = await openAt(site, 1, { chapter: 'c11' });
    const started = Date.now();
    await room.page.getByRole('button', { name: 'Train all ten' }).click();
    await room.page.locator('[data-twins]').waitFor({ timeout: 300_000 });
    const seconds = (Date.now() - started) / 1000;
    console.log(`# ten twins in ${seconds} s`);
    const shown = await numbers(room);
    const right = (column, variant) => shown.get(`twins.${column}.${variant}.accuracy`);
    assert.ok(right('frozen', 'full') >= 0.99, `full ${right('frozen', 'full')}`);
    assert.ok(right('frozen', 'identity') <= 0.25, `identity ${right('frozen', 'identity')}`);
    assert.ok(right('frozen', 'frozenScores') <= 0.5, `scores ${right('frozen', 'frozenScores')}`);
    assert.ok(right('learned', 'full') >= 0.99);
    assert.ok(right('learned', 'frozenValue') >= 0.99, `value ${right('learned', 'frozenValue')}`);
    await room.close();
  });

  test('C12: scrubbed weights are the run\'s; an unchanged branch repeats it', async () => {
    const twin = await (await Twin.open()).to(24);
    const room = await openAt(site, 24, { chapter: 'c12', i: 6 });
    for (const step of [10, 20]) {
      const slider = room.page.getByRole('slider', { name: 'Step', exact: true });
      await slider.focus();
      await slider.press('Home');
      for (let at = 0; at < step; ++at) await room.page.keyboard.press('.');
      await room.page.getByRole('button', { name: `Pin step ${step}`, exact: true }).click();
    }
    await room.page.getByText('Difference, later minus earlier').waitFor();
    await settled(room);
    for (const step of [10, 20]) {
      const trace = await twin.trace(step);
      const figure = `article [data-step="${step}"] .grid-cell [data-addr^="L0.H0.A."]`;
      const cells = await room.page.locator(figure).evaluateAll((all) =>
        all.map((e) => [e.dataset.addr, Number(e.dataset.value)]));
      assert.equal(cells.length, T * T);
      for (const [address, value] of cells) assert.equal(value, trace.read(address), address);
      trace.dispose();
    }
    await room.page.getByRole('button', { name: 'Branch at step 20' }).click();
    await room.waitForNumber('train.step', (value) => value === 20);
    for (const step of [21, 22, 23, 24]) {
      await room.press('One step');
      await room.waitForNumber('train.step', (value) => value === step);
      assert.equal(await room.number('train.loss'), twin.metrics[step].loss, `step ${step}`);
    }
    twin.close();
    await room.close();
  });

  test('C13: with all heads out only the way past attention is left', async () => {
    const room = await openAt(site, 30, { chapter: 'c13', i: 6, heads: 2 });
    const losses = await room.page.locator('article td[data-what-if]').evaluateAll((all) =>
      all.map((e) => [e.dataset.whatIf, Number(e.querySelector('[data-addr]').dataset.value)]));
    const twin = await (await Twin.open({ model: { heads: 2, headWidth: 12 } })).to(30);
    assert.equal(losses.length, 5);
    for (const [whatIf, value] of losses) {
      const trace = await twin.trace(30, { whatIf: JSON.parse(whatIf) });
      assert.equal(value, trace.loss, whatIf);
      trace.dispose();
    }
    twin.close();
    await room.close();
  });
});
