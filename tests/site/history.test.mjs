// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { siteModule } from './site-module.mjs';

const { History } = await siteModule('learn/run/history.ts');

const filled = (steps, most) => {
  const history = new History(most);
  for (let step = 1; step <= steps; ++step) history.add(step, { loss: step / 7, norm: -step });
  return history;
};

describe('numbers of a run by step', () => {
  test('a short run keeps every step', () => {
    const { steps, columns } = filled(100, 100);
    assert.deepEqual(steps, Array.from({ length: 100 }, (_, at) => at + 1));
    assert.equal(columns.loss.length, 100);
  });

  test('a long run keeps few, in order, first and last among them, each with its own numbers', () => {
    for (const count of [101, 150, 151, 999, 100_000]) {
      const { steps, columns } = filled(count, 100);
      assert.ok(steps.length <= 100 && steps.length >= 50, `${steps.length} of ${count}`);
      assert.equal(steps[0], 1);
      assert.equal(steps.at(-1), count);
      steps.forEach((step, at) => {
        assert.ok(at === 0 || step > steps[at - 1]);
        assert.equal(columns.loss[at], step / 7);
        assert.equal(columns.norm[at], -step);
      });
    }
  });

  test('what came after a step is forgotten', () => {
    const history = filled(1000, 100);
    history.cutAfter(500);
    assert.ok(history.steps.at(-1) <= 500);
    assert.equal(history.columns.loss.length, history.steps.length);
    history.add(501, { loss: 0, norm: 0 });
    assert.equal(history.steps.at(-1), 501);
    history.cutAfter(0);
    assert.deepEqual(history.copy(), { steps: [], columns: { loss: [], norm: [] } });
  });

  test('a copy is not changed by later steps', () => {
    const history = filled(10, 100);
    const copy = history.copy();
    history.add(11, { loss: 1, norm: 1 });
    assert.equal(copy.steps.length, 10);
    assert.equal(copy.columns.loss.length, 10);
  });
});
