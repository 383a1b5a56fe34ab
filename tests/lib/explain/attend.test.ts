// SPDX-License-Identifier: MIT
// attention(X, W_Q, W_K, W_V, mask) and its backward pass on matrices of one's own.

import { expect, test } from 'vitest';
import type { AttentionGradients, AttentionInput, AttentionOutput } from 'heed';

import { type Part, type Problem, attendTo, slope } from '../oracle/attend.js';
import { Matrix } from '../oracle/matrix.js';
import { Random } from '../oracle/random.js';
import { describeEngines } from '../support.js';
import { expectNear, largest, visiblePart } from './traced.js';

interface Case {
  name: string;
  sizes: { time: number; width: number; channels: number; values?: number };
  mask?: 'causal' | 'none' | 'random';
  scale?: number;
}

const cases: Case[] = [
  { name: 'defaults', sizes: { time: 7, width: 6, channels: 4, values: 5 } },
  { name: 'one token', sizes: { time: 1, width: 3, channels: 2, values: 2 } },
  { name: 'one channel', sizes: { time: 5, width: 4, channels: 1, values: 1 } },
  { name: 'no mask', sizes: { time: 6, width: 9, channels: 3, values: 9 }, mask: 'none' },
  { name: 'causal by name', sizes: { time: 6, width: 5, channels: 8, values: 3 }, mask: 'causal' },
  {
    name: 'a mask of its own',
    sizes: { time: 9, width: 7, channels: 5, values: 4 },
    mask: 'random',
  },
  { name: 'values that are the input', sizes: { time: 6, width: 5, channels: 3 }, mask: 'random' },
  { name: 'a scale of its own', sizes: { time: 6, width: 5, channels: 3, values: 2 }, scale: 1.75 },
  { name: 'a scale of 0', sizes: { time: 5, width: 5, channels: 3, values: 2 }, scale: 0 },
  { name: 'lengths of no power of two', sizes: { time: 37, width: 19, channels: 13, values: 11 } },
];

function made({ sizes, mask, scale }: Case, seed: number) {
  const random = new Random(seed);
  const { time, width, channels, values } = sizes;
  const matrix = (rows: number, columns: number) =>
    // As floats, so that both sides start from the same numbers.
    new Matrix(rows, columns, Float32Array.from(random.normals(rows * columns, 0.7)));
  const [x, wQ, wK] = [matrix(time, width), matrix(width, channels), matrix(width, channels)];
  const wV = values === undefined ? undefined : matrix(width, values);
  const cells = Array.from({ length: time * time }, (_, at) =>
    at % (time + 1) === 0 || random.uniform() < 0.5 ? 1 : 0,
  );
  const sees = (row: number, column: number): boolean =>
    mask === 'none' || (mask === 'random' ? cells[row * time + column] === 1 : column <= row);
  const problem: Problem = { x, wQ, wK, wV, sees, scale: scale ?? 1 / Math.sqrt(channels) };
  const input: AttentionInput = { x, wQ, wK };
  if (wV !== undefined) {
    input.wV = wV;
  }
  if (mask !== undefined) {
    input.mask = mask === 'random' ? cells : mask;
  }
  if (scale !== undefined) {
    input.scale = scale;
  }
  return { problem, input, dOut: matrix(time, values ?? width), random };
}

describeEngines('attention on matrices', (engine) => {
  test.each(cases)('forward: $name', async (example) => {
    const { problem, input } = made(example, 81);
    const found = await engine().attend(input);
    const parts = attendTo(problem);
    for (const name of ['q', 'k', 'v', 'weights', 'out'] as const) {
      const expected = parts.get(name)!;
      const values: Float32Array = found[name satisfies keyof AttentionOutput];
      expectNear(new Matrix(expected.rows, expected.columns, values), expected, name, 1e-5);
    }
    const { time } = example.sizes;
    found.scores.forEach((score, at) => {
      const visible = problem.sees(Math.floor(at / time), at % time);
      expect(score === -Infinity, `score ${at}`).toBe(!visible);
      expect(found.weights[at] === 0 && !visible, `weight ${at}`).toBe(!visible);
    });
    const scores = visiblePart(new Matrix(time, time, found.scores), problem.sees);
    const expected = visiblePart(parts.get('scores')!, problem.sees);
    expectNear(scores, expected, 'scores', 1e-5);
  });

  test.each(cases)('backward: $name', async (example) => {
    const { problem, input, dOut, random } = made(example, 82);
    const found = await engine().attendBackward(input, dOut.values);
    const parts = attendTo(problem);
    const { time } = example.sizes;
    const names = ['x', 'wQ', 'wK', 'wV', 'q', 'k', 'v', 'scores', 'weights'] as const;
    for (const name of names.filter((part) => part !== 'wV' || problem.wV !== undefined)) {
      const values: Float32Array = found[name satisfies keyof AttentionGradients];
      expect(values.length, name).toBe(parts.get(name satisfies Part)!.values.length);
      const looked = (at: number) =>
        !/scores|weights/.test(name) || problem.sees(Math.floor(at / time), at % time);
      const entries = [...values.keys()];
      for (const index of random.choose(entries.filter(looked), 20)) {
        const expected = slope(problem, dOut, name, index);
        const limit = 1e-4 * largest(values) + 1e-6;
        expect(Math.abs(values[index]! - expected), `${name}[${index}]`).toBeLessThan(limit);
      }
      if (name === 'scores') {
        expect(entries.every((at) => looked(at) || values[at] === 0)).toBe(true);
      }
    }
  });

  test('the caller’s arrays stay as they were; plain arrays give the same bits', async () => {
    const { input, dOut } = made(cases[0]!, 83);
    const before = structuredClone(input);
    const first = await engine().attend(input);
    const back = await engine().attendBackward(input, dOut.values);
    expect(structuredClone(input)).toEqual(before);
    const plain = (m: { rows: number; columns: number; values: ArrayLike<number> }) => ({
      rows: m.rows,
      columns: m.columns,
      values: Array.from(m.values),
    });
    const again = {
      x: plain(input.x),
      wQ: plain(input.wQ),
      wK: plain(input.wK),
      wV: plain(input.wV!),
    };
    expect(await engine().attend(again)).toEqual(first);
    expect(await engine().attendBackward(again, Array.from(dOut.values))).toEqual(back);
  });

  test('the mask that is written out is the mask by name', async () => {
    const { input } = made(cases[0]!, 84);
    const causal = Array.from({ length: 49 }, (_, at) => (at % 7 <= Math.floor(at / 7) ? 1 : 0));
    expect(await engine().attend({ ...input, mask: causal })).toEqual(await engine().attend(input));
    expect(await engine().attend({ ...input, mask: new Array(49).fill(1) })).toEqual(
      await engine().attend({ ...input, mask: 'none' }),
    );
  });
});
