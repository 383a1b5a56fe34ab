// SPDX-License-Identifier: MIT
// What the tests of the package share.

import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import {
  type Engine,
  type EngineOptions,
  type ErrorCode,
  HeedError,
  type ModelOptions,
  type StepMetrics,
  type TrainOptions,
  createEngine,
} from 'heed';

export const tinyModel: ModelOptions = {
  vocab: 13,
  context: 8,
  layers: 2,
  heads: 2,
  width: 16,
  ffn: 24,
};

export const tinyTrain: TrainOptions = { steps: 20, batch: 2, warmup: 2, seed: 5 };

/** Every token follows from the one before, so that a small model can learn them. */
export function tokens(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => (5 * i) % 13);
}

/** The same tests over an engine in this thread and one in a worker; no handle outlives a test. */
export function describeEngines(
  name: string,
  body: (engine: () => Engine) => void,
  options: EngineOptions = {},
): void {
  for (const where of ['thread', 'worker'] as const) {
    describe(`${name}, ${where}`, () => {
      let engine: Engine;
      beforeAll(async () => {
        engine = await createEngine({ where, ...options });
      });
      afterEach(async () => {
        expect((await engine.memory()).liveHandles).toBe(0);
      });
      afterAll(() => engine.dispose());
      body(() => engine);
    });
  }
}

/** The HeedError that `action` ends with, thrown or rejected; its code and words are checked. */
export async function failure(
  action: () => unknown,
  code: ErrorCode,
  ...words: (string | RegExp)[]
): Promise<HeedError> {
  let error: unknown;
  try {
    await action();
  } catch (thrown) {
    error = thrown;
  }
  expect(error, 'nothing was thrown').toBeDefined();
  expect(error).toBeInstanceOf(HeedError);
  const known = error as HeedError;
  expect(`${known.code}: ${known.message}`).toContain(`${code}: `);
  for (const word of words) {
    expect(known.message).toMatch(word);
  }
  // A sentence that says what is wrong and one that says what to do, or both in one.
  expect(known.message).toMatch(/^["'A-Za-z0-9/].{20,}\.$/s);
  return known;
}

export async function collect<T>(iterator: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of iterator) {
    values.push(value);
  }
  return values;
}

/** Metrics without what depends on the clock. */
export function timeless(metrics: readonly StepMetrics[]): Partial<StepMetrics>[] {
  return metrics.map(({ step, loss, learningRate, gradientNorm, tokens: seen }) => ({
    step,
    loss,
    learningRate,
    gradientNorm,
    tokens: seen,
  }));
}
