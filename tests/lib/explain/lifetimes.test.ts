// SPDX-License-Identifier: MIT
// Traces are disposed like everything else, and are the same from a worker.

import { expect, test } from 'vitest';
import { type Engine, type Trace, createEngine } from 'heed';

import { exampleFor, scatterWeights } from '../oracle/configurations.js';
import { describeEngines, failure, tinyModel } from '../support.js';
import { everyModel } from './traced.js';

const ids = [1, 5, 12, 0];
const targets = [5, 12, -1, 3];

const traceCalls: [string, (trace: Trace) => unknown][] = [
  ['names', (trace) => trace.names()],
  ['matrix', (trace) => trace.matrix('E')],
  ['read', (trace) => trace.read('E.0.0')],
  ['contributions', (trace) => trace.contributions('W_Q', 0, 0)],
  ['logitParts', (trace) => trace.logitParts(0, 0, 1, 2)],
  ['lens', (trace) => trace.lens()],
  ['cutHeads', (trace) => trace.cutHeads()],
  ['patch', (trace) => trace.patch(trace, { what: 'stream', row: 0, target: 1, rival: 2 })],
];

describeEngines('a disposed trace', (engine) => {
  test('every call says so, a second dispose does nothing', async () => {
    using model = await engine().createModel(tinyModel);
    const trace = await model.trace(ids, targets);
    const kept = trace.matrix('L1.H0.dS');
    const copy = kept.values.slice();
    expect(trace.disposed).toBe(false);
    trace.dispose();
    trace.dispose();
    trace[Symbol.dispose]();
    expect(trace.disposed).toBe(true);
    for (const [, call] of traceCalls) {
      await failure(() => call(trace), 'disposed', 'trace');
    }
    // What was handed out is the caller's, and what the trace is of can still be asked.
    expect(kept.values).toEqual(copy);
    expect([...trace.tokens]).toEqual(ids);
  });

  test('a model takes its traces along', async () => {
    const model = await engine().createModel(tinyModel);
    const trace = await model.trace(ids, targets);
    model.dispose();
    expect(trace.disposed).toBe(true);
    for (const [, call] of traceCalls) {
      await failure(() => call(trace), 'disposed');
    }
    await failure(() => model.trace(ids, targets), 'disposed', 'model');
    const sweep = { layer: 0, head: 0, row: 1, column: 0, by: [1] };
    await failure(() => model.sweep(ids, targets, sweep), 'disposed', 'model');
    await failure(() => model.cutEdges(ids, targets, { layer: 0 }), 'disposed', 'model');
    await failure(() => model.cutHeads(ids, targets), 'disposed', 'model');
  });

  test('matrices are copies', async () => {
    using model = await engine().createModel(tinyModel);
    using trace = await model.trace(ids, targets);
    const before = trace.matrix('L0.H0.A');
    const copy = before.values.slice();
    before.values.fill(7);
    expect(trace.matrix('L0.H0.A').values).toEqual(copy);
    trace.tokens.fill(0);
    expect(trace.matrix('E').values).not.toEqual(trace.matrix('E').values.map(() => 0));
  });

  test('a hundred traces leave no bytes behind, refused ones neither', async () => {
    using model = await engine().createModel(tinyModel);
    const once = async () => {
      using trace = await model.trace(ids, targets);
      await trace.contributions('W_V', 1, 1);
      await trace.logitParts(1, 3, 2, 1);
      await model.sweep(ids, targets, { layer: 0, head: 0, row: 1, column: 0, by: [-1, 1] });
      await model.cutEdges(ids, targets, { layer: 1, renormalise: true });
      await model.cutHeads(ids, targets, { to: 'mean' });
      await trace.lens();
      await trace.patch(trace, { what: 'head', row: 3, target: 1, rival: 2 });
      await model.next(ids, { index: 2 });
      const whatIf = [{ set: 'scale', layer: 5, head: 0, to: 1 }] as const;
      await failure(() => model.trace(ids, targets, { whatIf }), 'invalid-argument');
    };
    await once();
    const before = await engine().memory();
    for (let i = 0; i < 100; ++i) {
      await once();
    }
    const after = await engine().memory();
    expect(after.bytesInUse).toBe(before.bytesInUse);
    expect(after.heapBytes).toBe(before.heapBytes);
    expect(after.liveHandles).toBe(1);
  });

  test('a disposed engine', async () => {
    const other = await createEngine({ where: engine().info.where });
    const model = await other.createModel(tinyModel);
    const trace = await model.trace(ids, targets);
    other.dispose();
    expect(trace.disposed).toBe(true);
    await failure(() => trace.names(), 'disposed');
    const one = { rows: 1, columns: 1, values: [1] };
    await failure(() => other.attend({ x: one, wQ: one, wK: one }), 'disposed', 'engine');
  });
});

/** All that an engine says of a model, without what depends on the engine. */
async function everything(engine: Engine, options: (typeof everyModel)[number][1]) {
  using model = await engine.createModel(options);
  await scatterWeights(model, 71);
  const { tokens, targets: wanted } = exampleFor(model.config, 71);
  const { layers, normPosition, uniformAttention, value } = model.config;
  const last = layers - 1;
  const whatIf =
    layers > 0
      ? [{ cut: 'edge', layer: 0, head: 0, row: 5, column: 2, renormalise: true } as const]
      : [];
  using trace = await model.trace(tokens, wanted);
  using other = await model.trace(tokens, wanted, { whatIf });
  const all = (made: Trace) => made.names().map((name) => made.matrix(name));
  const place = { layer: last, head: 0, row: 6, column: 1 };
  return {
    loss: [trace.loss, other.loss],
    matrices: [all(trace), all(other)],
    contributions: [
      ...(layers > 0 && !uniformAttention ? [await trace.contributions('W_Q', last, 0)] : []),
      ...(layers > 0 && value !== 'identity' ? [await trace.contributions('W_V', 0, 0)] : []),
    ],
    parts: layers > 0 && normPosition === 'pre' ? await trace.logitParts(last, 6, 1, 2) : undefined,
    sweep:
      layers > 0 && !uniformAttention
        ? await model.sweep(tokens, wanted, { ...place, by: [-1, 0, 2.5] })
        : undefined,
    heads: await trace.cutHeads({ to: 'mean' }),
    lens: await trace.lens(),
    patches:
      layers > 0
        ? await trace.patch(other, { what: 'head', row: 6, target: 1, rival: 2 })
        : undefined,
    next: await model.next(tokens, { topP: 0.9, index: 3 }),
    edges: layers > 0 ? await model.cutEdges(tokens, wanted, { layer: last }) : undefined,
  };
}

test('a worker says the same as this thread, to the bit', async () => {
  const thread = await createEngine({ where: 'thread' });
  const worker = await createEngine({ where: 'worker' });
  for (const [name, options] of everyModel) {
    expect(await everything(worker, options), name).toEqual(await everything(thread, options));
  }
  thread.dispose();
  worker.dispose();
});
