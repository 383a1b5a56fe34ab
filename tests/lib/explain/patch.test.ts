// SPDX-License-Identifier: MIT
// Heads cut in turn, and one prompt's activations in the pass of another, against the oracle.

import { describe, expect, test } from 'vitest';
import { type Model, type PatchOptions, type Trace, createEngine } from 'heed';

import { forward } from '../oracle/forward.js';
import type { OracleModel } from '../oracle/model.js';
import type { Example } from '../oracle/pass.js';
import { describeEngines, failure, tinyModel } from '../support.js';
import { everyModel, headsOf, subject, useEngine } from './traced.js';

const engine = useEngine();
const kinds = ['stream', 'attention', 'feedForward', 'head'] as const;
const question = { row: 5, target: 3, rival: 7 };

/** The same prompt with another token at `position`. */
function changed({ tokens, targets }: Example, position: number): Example {
  const other = Int32Array.from(tokens);
  other[position] = (other[position]! + 1) % 11;
  return { tokens: other, targets };
}

const addressOf = (what: PatchOptions['what'], layer: number, place: number): string =>
  what === 'head'
    ? `L${layer}.H${place}.C`
    : `L${layer}.${{ stream: 'R', attention: 'Y', feedForward: 'Z' }[what]}`;

function expectedDifference(
  oracle: OracleModel,
  [example, other]: readonly [Example, Example],
  patch?: { what: PatchOptions['what']; layer: number; place: number },
): number {
  const { row, target, rival } = question;
  const from = forward(oracle, other).pass;
  const options =
    patch === undefined
      ? {}
      : {
          patch: {
            address: addressOf(patch.what, patch.layer, patch.place),
            row: patch.what === 'head' ? undefined : patch.place,
            from,
          },
        };
  const { logits } = forward(oracle, example, options);
  return logits.at(row, target) - logits.at(row, rival);
}

const tracesOf = (model: Model, pair: readonly [Example, Example]): Promise<Trace[]> =>
  Promise.all(pair.map(({ tokens, targets }) => model.trace(tokens, targets, { gradients: false })));

describe.each(everyModel)('%s', (_, options) => {
  test.each(['zero', 'mean'] as const)('every head in turn, its output: %s', async (to) => {
    using made = await subject(engine(), options, { seed: 63 });
    const { model, oracle, example } = made;
    const { loss, losses } = await model.cutHeads(example.tokens, example.targets, { to });
    expect(Math.abs(loss - forward(oracle, example).loss)).toBeLessThan(1e-5);
    const heads = headsOf(oracle);
    expect(losses.length).toBe(heads.length);
    heads.forEach(([layer, head], n) => {
      const whatIf = [{ cut: 'head', layer, head, to }] as const;
      const expected = forward(oracle, example, { whatIf }).loss;
      expect(Math.abs(losses[n]! - expected), `L${layer}.H${head}`).toBeLessThan(1e-5);
    });
    using trace = await model.trace(example.tokens, example.targets);
    expect(await trace.cutHeads({ to })).toEqual({ loss, losses });
    if (to === 'zero') {
      expect(await trace.cutHeads()).toEqual({ loss, losses });
    }
  });

  test.each(kinds)('one activation at a time: %s', async (what) => {
    using made = await subject(engine(), options, { seed: 64 });
    const { model, oracle, example } = made;
    const { layers, ffn } = model.config;
    const pair = [example, changed(example, 2)] as const;
    const [trace, from] = (await tracesOf(model, pair)) as [Trace, Trace];
    using _trace = trace;
    using _from = from;
    if (layers === 0 || (ffn === 0 && what === 'feedForward')) {
      const word = layers === 0 ? 'layers' : 'ffn';
      await failure(() => trace.patch(from, { what, ...question }), 'invalid-argument', word);
      return;
    }
    const before = trace.matrix('logits').values;
    const patches = await trace.patch(from, { what, ...question });
    const places = what === 'head' ? trace.heads : trace.time;
    expect(patches.differences.length).toBe(layers * places);
    const swapped = [pair[1], pair[0]] as const;
    expect(Math.abs(patches.own - expectedDifference(oracle, pair))).toBeLessThan(1e-4);
    expect(Math.abs(patches.from - expectedDifference(oracle, swapped))).toBeLessThan(1e-4);
    patches.differences.forEach((difference, n) => {
      const [layer, place] = [Math.floor(n / places), n % places];
      const expected = expectedDifference(oracle, pair, { what, layer, place });
      expect(Math.abs(difference - expected), addressOf(what, layer, place)).toBeLessThan(1e-4);
    });
    if (what === 'stream') {
      // Nothing but this token differs.
      expect(patches.differences[2]).toBe(patches.from);
      expect(patches.differences[3]).toBe(patches.own);
    }
    // With its own activations nothing changes, and the trace is as before.
    const same = await trace.patch(trace, { what, ...question });
    expect(new Set([same.own, same.from, ...same.differences])).toEqual(new Set([patches.own]));
    const lens = await trace.lens({ top: 1 });
    const last = (lens.places.length - 1) * trace.time;
    const { values: probs, columns } = trace.matrix('probs');
    for (let i = 0; i < trace.time; ++i) {
      expect(lens.probabilities[last + i]).toBe(probs[i * columns + lens.ids[last + i]!]);
    }
    expect(trace.matrix('logits').values).toEqual(before);
  });
});

const ids = [1, 5, 12, 0];
const targets = [5, 12, -1, 3];

describeEngines('patches of the wrong things', (engine) => {
  test('are refused', async () => {
    using model = await engine().createModel(tinyModel);
    using trace = await model.trace(ids, targets);
    const options = { what: 'stream', row: 3, target: 1, rival: 2 } as const;
    for (const wrong of [undefined, null, 5, {}, model]) {
      await failure(() => trace.patch(wrong as never, options), 'invalid-argument', 'Trace');
    }
    for (const wrong of [
      { what: 'scores' },
      { what: undefined },
      { row: 4 },
      { row: -1 },
      { row: undefined },
      { target: 13 },
      { target: 0.5 },
      { rival: -1 },
      { rival: undefined },
      { layer: 0 },
    ]) {
      const [word] = Object.keys(wrong);
      const call = () => trace.patch(trace, { ...options, ...wrong } as never);
      await failure(call, 'invalid-argument', new RegExp(word!, 'i'));
    }
    for (const wrong of [null, undefined, 'head']) {
      await failure(() => trace.patch(trace, wrong as never), 'invalid-argument');
    }
    using longer = await model.trace([...ids, 4], [...targets, 1]);
    await failure(() => trace.patch(longer, options), 'invalid-argument', '5 tokens');
    using wider = await engine().createModel({ ...tinyModel, width: 24, headWidth: 8 });
    using other = await wider.trace(ids, targets);
    await failure(() => trace.patch(other, options), 'invalid-argument', 'width');
    for (const wrong of [null, 5, { to: 'one' }, { layer: 0 }]) {
      await failure(() => trace.cutHeads(wrong as never), 'invalid-argument');
      await failure(() => model.cutHeads(ids, targets, wrong as never), 'invalid-argument');
    }

    using foreign = await createEngine({ where: 'thread' });
    const abroad = await foreign.createModel(tinyModel);
    const stranger = await abroad.trace(ids, targets);
    await failure(() => trace.patch(stranger, options), 'invalid-argument', 'another engine');
    const gone = await model.trace(ids, targets);
    gone.dispose();
    await failure(() => trace.patch(gone, options), 'disposed', 'trace');
    await failure(() => gone.patch(trace, options), 'disposed', 'trace');
    await failure(() => gone.lens(), 'disposed', 'trace');
    await failure(() => gone.cutHeads(), 'disposed', 'trace');
  });

  test('a trace that is disposed on the way', async () => {
    using model = await engine().createModel({ ...tinyModel, context: 64, layers: 4 });
    const long = Array.from({ length: 64 }, (_, i) => i % 13);
    using trace = await model.trace(long, long);
    const from = await model.trace(long, long);
    const under = trace.patch(from, { what: 'stream', row: 3, target: 1, rival: 2 });
    from.dispose();
    const outcome = await under.catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ code: 'disposed' });
    }
  });
});
