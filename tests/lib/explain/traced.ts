// SPDX-License-Identifier: MIT
// A model, its weights in double, an example, and how numbers of the two are compared.

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  type Engine,
  type Model,
  type ModelOptions,
  type Trace,
  type WhatIf,
  createEngine,
} from 'heed';

import { configurations, exampleFor, scatterWeights } from '../oracle/configurations.js';
import { forward } from '../oracle/forward.js';
import { Matrix, difference, largest, length } from '../oracle/matrix.js';
import { type OracleModel, exported } from '../oracle/model.js';
import type { Example, Pass } from '../oracle/pass.js';
import { sees } from '../oracle/scores.js';

const small: ModelOptions = { vocab: 11, context: 9, layers: 2, heads: 2, width: 12, ffn: 20 };

/** Models whose attention lacks a part, or does more to its scores. */
export const structures: [string, ModelOptions][] = [
  ['no mask', { ...small, mask: 'none', position: 'rope', headWidth: 6 }],
  ['value identity', { ...small, value: 'identity', bias: true }],
  ['no output projection', { ...small, outProjection: false, bias: true }],
  ['uniform attention', { ...small, uniformAttention: true }],
  [
    'value identity and no output projection, without a mask or a norm',
    { ...small, value: 'identity', outProjection: false, mask: 'none', norm: 'none' },
  ],
  [
    'uniform attention over values that are the input, post-norm',
    { ...small, uniformAttention: true, value: 'identity', normPosition: 'post' },
  ],
  ['ALiBi in a window, three heads', { ...small, position: 'alibi', heads: 3, window: 3 }],
  [
    'a soft cap, a scale, RoPE and grouped keys',
    { ...small, softcap: 1.5, scale: 0.8, position: 'rope', heads: 4, kvHeads: 2, headWidth: 4 },
  ],
  [
    'norms of queries and keys, RoPE, grouped keys',
    { ...small, qkNorm: true, position: 'rope', heads: 4, kvHeads: 2, headWidth: 4 },
  ],
  [
    'the lesson of point and shift',
    {
      vocab: 14,
      context: 7,
      layers: 1,
      heads: 1,
      width: 24,
      ffn: 0,
      norm: 'none',
      outProjection: false,
    },
  ],
];

export const everyModel = [...configurations, ...structures];

/** One engine in this thread for a file; no handle outlives a test. */
export function useEngine(): () => Engine {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ where: 'thread' });
  });
  afterEach(async () => {
    expect((await engine.memory()).liveHandles).toBe(0);
  });
  afterAll(() => engine.dispose());
  return () => engine;
}

export interface Subject extends Disposable {
  model: Model;
  oracle: OracleModel;
  example: { tokens: Int32Array; targets: Int32Array };
}

/** A model with scattered weights and an example for it. */
export async function subject(
  engine: Engine,
  options: ModelOptions,
  { seed = 1, time }: { seed?: number; time?: number } = {},
): Promise<Subject> {
  const model = await engine.createModel(options);
  await scatterWeights(model, seed);
  const example = exampleFor(model.config, seed, time);
  return {
    model,
    oracle: await exported(model),
    example,
    [Symbol.dispose]: () => model.dispose(),
  };
}

export const matrixOf = (trace: Trace, address: string): Matrix => {
  const { rows, columns, values } = trace.matrix(address);
  return new Matrix(rows, columns, values);
};

/** The distance of two matrices is at most `share` of the second one's norm, plus `floor`. */
export function expectNear(
  found: Matrix,
  expected: Matrix,
  what: string,
  share = 1e-4,
  floor = 1e-9,
): void {
  expect([found.rows, found.columns], `shape of ${what}`).toEqual([
    expected.rows,
    expected.columns,
  ]);
  const error = length(difference(found, expected).values);
  expect(error, `error of ${what}`).toBeLessThanOrEqual(share * length(expected.values) + floor);
}

/** Where row i of a head sees column j in a model as it is. */
export const seesIn =
  ({ config }: OracleModel) =>
  (row: number, column: number): boolean =>
    sees(config, row, column);

/** What a score or weight is where no row looks is for nobody to read: made 0. */
export function visiblePart(
  matrix: Matrix,
  sees: (row: number, column: number) => boolean,
): Matrix {
  const made = matrix.copy();
  for (let i = 0; i < made.rows; ++i) {
    for (let j = 0; j < made.columns; ++j) {
      if (!sees(i, j)) {
        made.put(i, j, 0);
      }
    }
  }
  return made;
}

export const oraclePass = (
  model: OracleModel,
  example: Example,
  whatIf: readonly WhatIf[] = [],
): Pass => forward(model, example, { whatIf }).pass;

/** Heads of a model as [layer, head]. */
export const headsOf = ({ config }: OracleModel): [number, number][] =>
  Array.from({ length: config.layers * config.heads }, (_, n) => [
    Math.floor(n / config.heads),
    n % config.heads,
  ]);

export { largest, length };
