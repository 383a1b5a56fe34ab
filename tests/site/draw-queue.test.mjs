// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { siteModule } from './site-module.mjs';

const { DrawQueue } = await siteModule('figures/core/draw-queue.ts');

const soon = (ms = 5) => new Promise((done) => setTimeout(done, ms));
const spin = (ms) => {
  for (const start = performance.now(); performance.now() - start < ms; );
};

function drawable(log, name, { inSight = true, costs = 0 } = {}) {
  return {
    inSight,
    draw() {
      spin(costs);
      log.push(name);
    },
  };
}

describe('the queue of drawings', () => {
  test('draws in a later task, once however often it was asked', async () => {
    const log = [];
    const queue = new DrawQueue();
    const one = drawable(log, 'one');
    queue.ask(one);
    queue.ask(one);
    assert.deepEqual(log, []);
    await soon();
    assert.deepEqual(log, ['one']);
  });

  test('what is in sight comes first; what is not follows', async () => {
    const log = [];
    const queue = new DrawQueue();
    queue.ask(drawable(log, 'below', { inSight: false }));
    queue.ask(drawable(log, 'seen'));
    await soon(20);
    assert.deepEqual(log, ['seen', 'below']);
  });

  test('out of sight, new data waits its half second and is then drawn', async () => {
    const log = [];
    const queue = new DrawQueue();
    const below = drawable(log, 'below', { inSight: false });
    queue.ask(below);
    await soon();
    queue.ask(below);
    await soon(100);
    assert.deepEqual(log, ['below']);
    await soon(500);
    assert.deepEqual(log, ['below', 'below']);
  });

  test('coming into sight draws at once, and only what was waiting', async () => {
    const log = [];
    const queue = new DrawQueue();
    const below = drawable(log, 'below', { inSight: false });
    queue.ask(below);
    queue.now(below);
    queue.now(below);
    assert.deepEqual(log, ['below']);
    await soon(20);
    assert.deepEqual(log, ['below']);
  });

  test('long drawings are spread over tasks, so that others get their turn', async () => {
    const log = [];
    const queue = new DrawQueue();
    for (const name of ['a', 'b', 'c']) queue.ask(drawable(log, name, { costs: 10 }));
    // Posted after the queue's first task: it has its turn before all three are drawn.
    setTimeout(() => log.push('key'), 1);
    await soon(80);
    assert.deepEqual(log.toSorted(), ['a', 'b', 'c', 'key']);
    assert.ok(log.indexOf('key') < 3, log.join());
  });

  test('what is gone is not drawn', async () => {
    const log = [];
    const queue = new DrawQueue();
    const one = drawable(log, 'one');
    queue.ask(one);
    queue.forget(one);
    await soon();
    assert.deepEqual(log, []);
  });
});
