// SPDX-License-Identifier: MIT
// The oracle against PyTorch in float64, on all fifteen golden models: what later judges the
// engine's traces is judged first, without the engine.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { type Fixture, readFixture } from './fixture.js';
import { forward } from './forward.js';
import { centralDifference } from './gradient.js';
import { largest } from './matrix.js';
import { Random } from './random.js';

const names = readdirSync(join(import.meta.dirname, '..', '..', 'golden'))
  .filter((name) => name.endsWith('.safetensors'))
  .map((name) => name.replace('.safetensors', ''));

const counted = (targets: ArrayLike<number>): number =>
  Array.from(targets).filter((target) => target !== -1).length;

/** Mean over the batch's counted targets of what `f` gives as a mean over one row's. */
function batchMean(
  { examples }: Fixture,
  f: (example: Fixture['examples'][number]) => number,
): number {
  const all = examples.reduce((total, { targets }) => total + counted(targets), 0);
  return examples.reduce((total, row) => total + (f(row) * counted(row.targets)) / all, 0);
}

test('every one is there', () => {
  expect(names.length).toBe(21);
});

describe.each(names)('oracle against PyTorch: %s', (name) => {
  const fixture = readFixture(name);

  test('logits and loss', () => {
    const logits = fixture.examples.flatMap((row) => [
      ...forward(fixture.model, row).logits.values,
    ]);
    expect(logits.length).toBe(fixture.logits.length);
    const errors = logits.map((value, i) => value - fixture.logits[i]!);
    // The fixture is rounded to float when stored: 6e-8 of logits up to 10.
    expect(largest(errors)).toBeLessThan(1e-6);
    const loss = batchMean(fixture, (row) => forward(fixture.model, row).loss);
    expect(Math.abs(loss - fixture.loss)).toBeLessThan(1e-8);
  });

  test('central differences of every parameter', () => {
    const random = new Random(1);
    // A pass over long sequences takes a hundred times as long; its gradients are no different.
    const entries = fixture.model.config.context > 100 ? 1 : 4;
    expect([...fixture.gradients.keys()].sort()).toEqual([...fixture.model.tensors.keys()].sort());
    for (const [tensor, gradient] of fixture.gradients) {
      const size = largest(gradient.values);
      for (const index of random.choose([...gradient.values.keys()], entries)) {
        const found = batchMean(fixture, (row) =>
          centralDifference(fixture.model, row, tensor, index),
        );
        const limit = 1e-6 * size + 1e-9;
        expect(Math.abs(found - gradient.values[index]!), `${tensor}[${index}]`).toBeLessThan(
          limit,
        );
      }
    }
  }, 120_000);
});
