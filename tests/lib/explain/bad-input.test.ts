// SPDX-License-Identifier: MIT
// Every call that explains with what it must not get: a typed error that says what to do, and a
// model that goes on.

import { expect, test } from 'vitest';
import type { AttentionInput, Engine, Model, ModelOptions, Trace } from 'heed';

import { describeEngines, failure, tinyModel } from '../support.js';

const ids = [1, 5, 12, 0];
const targets = [5, 12, -1, 3];

async function withTrace(
  engine: Engine,
  use: (trace: Trace, model: Model) => Promise<void>,
  options: Partial<ModelOptions> = {},
  gradients = true,
): Promise<void> {
  using model = await engine.createModel({ ...tinyModel, ...options });
  using trace = await model.trace(ids, targets, { gradients });
  await use(trace, model);
  // It goes on.
  using again = await model.trace(ids, targets);
  expect(again.loss).toBe(trace.loss);
}

describeEngines('trace with the wrong things', (engine) => {
  test('tokens and targets', async () => {
    await withTrace(engine(), async (_, model) => {
      const sweep = { layer: 0, head: 0, row: 1, column: 0, by: [1] };
      const calls = [
        (a: never, b: never) => model.trace(a, b),
        (a: never, b: never) => model.sweep(a, b, sweep),
        (a: never, b: never) => model.cutEdges(a, b, { layer: 0 }),
      ];
      for (const call of calls) {
        for (const wrong of [undefined, null, 5, 'text', {}]) {
          await failure(() => call(wrong as never, targets as never), 'invalid-argument', 'tokens');
          await failure(() => call(ids as never, wrong as never), 'invalid-argument', 'targets');
        }
        await failure(
          () => call([1, 2] as never, [1] as never),
          'invalid-argument',
          '1 targets for 2',
        );
        await failure(() => call([13] as never, [1] as never), 'bad-data', '13');
        await failure(() => call([1] as never, [13] as never), 'bad-data', '13');
        await failure(() => call([1] as never, [-2] as never), 'bad-data', '-2');
        await failure(() => call([0.5] as never, [1] as never), 'invalid-argument', /tokens\[0\]/);
        await failure(() => call([] as never, [] as never), 'bad-data', '0 tokens');
        const long = new Array(9).fill(0) as never;
        await failure(() => call(long, long), 'bad-data', '9 tokens', 'context');
      }
    });
  });

  test('options', async () => {
    await withTrace(engine(), async (_, model) => {
      for (const wrong of [null, 5, 'text', { gradients: 1 }, { whatIf: 5 }, { what: [] }]) {
        await failure(() => model.trace(ids, targets, wrong as never), 'invalid-argument');
      }
    });
  });

  const at = { layer: 0, head: 0 };
  const changes: [string, object | null | number, RegExp][] = [
    ['nothing', null, /whatIf/],
    ['a number', 5, /whatIf/],
    ['no kind', { ...at, row: 0, channel: 0, to: 1 }, /whatIf/],
    ['an unknown kind', { set: 'x', ...at, row: 0, channel: 0, to: 1 }, /set/i],
    ['an unknown cut', { cut: 'row', ...at, row: 0 }, /cut/i],
    [
      'a layer beyond the last',
      { set: 'q', layer: 2, head: 0, row: 0, channel: 0, to: 1 },
      /layer/,
    ],
    ['a negative layer', { set: 'scale', layer: -1, head: 0, to: 1 }, /layer/i],
    ['a head beyond the last', { set: 'scale', layer: 0, head: 2, to: 1 }, /head/i],
    ['half a head', { set: 'scale', layer: 0, head: 0.5, to: 1 }, /head/i],
    ['no head', { set: 'scale', layer: 0, to: 1 }, /head/i],
    ['a row beyond the last', { set: 'q', ...at, row: 4, channel: 0, to: 1 }, /row/i],
    ['a channel beyond the last', { set: 'k', ...at, row: 0, channel: 8, to: 1 }, /channel/i],
    ['a column beyond the last', { set: 'score', ...at, row: 0, column: 4, to: 1 }, /column/i],
    ['NaN as a channel', { set: 'v', ...at, row: 0, channel: 0, to: Number.NaN }, /to/i],
    ['an infinite score', { set: 'score', ...at, row: 0, column: 0, to: Infinity }, /to/i],
    ['text', { set: 'scale', ...at, to: '1' }, /to/i],
    ['NaN more', { add: 'score', ...at, row: 0, column: 0, by: Number.NaN }, /by/i],
    ['an unknown mask', { set: 'mask', ...at, to: 'window' }, /to|mask/i],
    ['an edge without renormalise', { cut: 'edge', ...at, row: 1, column: 0 }, /renormalise/i],
    ['an unknown replacement', { cut: 'head', ...at, to: 'one' }, /to|head/i],
    ['no such tensor', { set: 'weight', tensor: 'x', row: 0, column: 0, to: 1 }, /tensor/i],
    [
      'a weight row beyond the last',
      { set: 'weight', tensor: 'embed.weight', row: 13, column: 0, to: 1 },
      /row/,
    ],
    [
      'a weight column beyond the last',
      { set: 'weight', tensor: 'embed.weight', row: 0, column: 16, to: 1 },
      /column/,
    ],
    ['an unknown key', { set: 'scale', ...at, to: 1, by: 2 }, /by/i],
  ];
  test.each(changes)('what if: %s', async (_, change, word) => {
    await withTrace(engine(), async (_, model) => {
      const whatIf = [{ set: 'scale', ...at, to: 1 }, change] as never;
      await failure(() => model.trace(ids, targets, { whatIf }), 'invalid-argument', word);
    });
  });

  test('addresses', async () => {
    await withTrace(engine(), async (trace) => {
      const unknown = [
        '',
        'x',
        'L0',
        'L2.R',
        'L0.H2.S',
        'l0.R',
        'L0.H0.dS.0',
        'd:x',
        ' E',
        'L00.R',
      ];
      for (const wrong of [undefined, null, 5, {}, ...unknown]) {
        await failure(() => trace.matrix(wrong as never), 'invalid-argument');
      }
      const cells = [
        'E',
        'E.0',
        'E.4.0',
        'E.0.16',
        'E.-1.0',
        'E.0.0.0',
        'E.a.0',
        'E.0.',
        'E.0.1e0',
      ];
      const derived = [
        'L0.H0.entropy',
        'L0.H0.entropy.4',
        'L0.H0.cos.0',
        'L0.H0.AX.0.16',
        'L0.cos.0.0',
      ];
      for (const wrong of [undefined, null, 5, ...cells, ...derived]) {
        await failure(() => trace.read(wrong as never), 'invalid-argument');
      }
    });
  });

  test('contributions and parts of logits', async () => {
    await withTrace(engine(), async (trace) => {
      for (const wrong of ['W_O', 'Q', '', undefined, 5]) {
        await failure(() => trace.contributions(wrong as never, 0, 0), 'invalid-argument');
      }
      for (const wrong of [-1, 2, 0.5, Number.NaN, undefined, '0']) {
        await failure(
          () => trace.contributions('W_Q', wrong as never, 0),
          'invalid-argument',
          /layer/i,
        );
        await failure(
          () => trace.contributions('W_Q', 0, wrong as never),
          'invalid-argument',
          /head/i,
        );
        await failure(
          () => trace.logitParts(wrong as never, 0, 0, 1),
          'invalid-argument',
          /layer/i,
        );
      }
      for (const wrong of [-1, 13, 0.5, Number.NaN, undefined]) {
        await failure(() => trace.logitParts(0, wrong as never, 0, 1), 'invalid-argument', /row/i);
        await failure(
          () => trace.logitParts(0, 0, wrong as never, 1),
          'invalid-argument',
          /target/i,
        );
        await failure(() => trace.logitParts(0, 0, 0, wrong as never), 'invalid-argument', /rival/i);
      }
    });
  });

  test('without gradients, and after the norm', async () => {
    const bare = async (trace: Trace) => {
      await failure(() => trace.matrix('L0.H0.dS'), 'invalid-argument', 'dS');
      await failure(() => trace.read('L0.H0.push.0.0'), 'invalid-argument', 'push');
      await failure(() => trace.contributions('W_V', 0, 0), 'bad-state', 'gradients');
    };
    await withTrace(engine(), bare, {}, false);
    const post = async (trace: Trace) => {
      await failure(() => trace.logitParts(0, 0, 1, 2), 'invalid-argument', 'post');
    };
    await withTrace(engine(), post, { normPosition: 'post' });
  });

  test('sweeps and cut edges', async () => {
    await withTrace(engine(), async (_, model) => {
      const place = { layer: 0, head: 0, row: 1, column: 0, by: [0, 1] };
      for (const wrong of [
        { layer: 2 },
        { head: -1 },
        { row: 4 },
        { column: 0.5 },
        { by: 5 },
        { by: [Number.NaN] },
        { by: ['1'] },
        { steps: 3 },
      ]) {
        const options = { ...place, ...wrong } as never;
        const [word] = Object.keys(wrong);
        await failure(
          () => model.sweep(ids, targets, options),
          'invalid-argument',
          new RegExp(word!, 'i'),
        );
      }
      await failure(() => model.sweep(ids, targets, undefined as never), 'invalid-argument');
      expect((await model.sweep(ids, targets, { ...place, by: [] })).length).toBe(0);
      for (const wrong of [
        {},
        { layer: 2 },
        { layer: 0, renormalise: 1 },
        { layer: 0, head: 2 },
        { layer: 0, row: ids.length },
        { layer: 0, row: 0.5 },
        { layer: 0, column: 0 },
        null,
      ]) {
        await failure(() => model.cutEdges(ids, targets, wrong as never), 'invalid-argument');
      }
    });
  });
});

describeEngines('attend with the wrong things', (engine) => {
  const matrix = (rows: number, columns: number) => ({
    rows,
    columns,
    values: Array.from({ length: rows * columns }, (_, i) => Math.sin(i)),
  });
  const input: AttentionInput = {
    x: matrix(3, 4),
    wQ: matrix(4, 2),
    wK: matrix(4, 2),
    wV: matrix(4, 5),
  };
  const faults: [string, object, RegExp][] = [
    ['no x', { x: undefined }, /x/i],
    ['x that is no matrix', { x: [1, 2, 3] }, /x/i],
    ['an x without rows', { x: matrix(0, 4) }, /x/i],
    ['too few values', { x: { rows: 3, columns: 4, values: [1] } }, /x/i],
    ['NaN', { x: { rows: 3, columns: 4, values: new Array(12).fill(Number.NaN) } }, /x/i],
    ['a wQ of another height', { wQ: matrix(3, 2) }, /wQ/],
    ['a wK of another width', { wK: matrix(4, 3) }, /wK/],
    ['a wV of another height', { wV: matrix(5, 5) }, /wV/],
    ['half a row', { wQ: { rows: 4.5, columns: 2, values: [1] } }, /wQ/],
    ['an unknown mask', { mask: 'window' }, /mask/i],
    ['a mask of another size', { mask: [1, 0, 1] }, /mask/i],
    ['a mask with a 2', { mask: [1, 0, 0, 1, 2, 0, 1, 1, 1] }, /mask/i],
    ['a row that may look nowhere', { mask: [1, 0, 0, 0, 0, 0, 1, 1, 1] }, /mask/i],
    ['NaN as scale', { scale: Number.NaN }, /scale/i],
    ['an unknown option', { heads: 2 }, /heads/i],
  ];
  test.each(faults)('%s', async (_, fault, word) => {
    const wrong = { ...input, ...fault } as never;
    await failure(() => engine().attend(wrong), 'invalid-argument', word);
    await failure(
      () => engine().attendBackward(wrong, new Float32Array(15)),
      'invalid-argument',
      word,
    );
    expect((await engine().attend(input)).out.length).toBe(15);
  });

  test('nothing, and a gradient of the wrong size', async () => {
    await failure(() => engine().attend(undefined as never), 'invalid-argument');
    for (const wrong of [
      undefined,
      null,
      5,
      'text',
      new Float32Array(14),
      new Array(15).fill('1'),
    ]) {
      await failure(
        () => engine().attendBackward(input, wrong as never),
        'invalid-argument',
        'dOut',
      );
    }
  });
});
