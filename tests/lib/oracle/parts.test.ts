// SPDX-License-Identifier: MIT
// What the oracle says of parts agrees with what it says of the whole.

import { expect, test } from 'vitest';

import { attendTo } from './attend.js';
import { readFixture } from './fixture.js';
import { forward } from './forward.js';
import { logitParts } from './logit-parts.js';
import { Matrix, difference, largest } from './matrix.js';

test.each(['gpt2', 'nanogpt', 'llama', 'rope-interleaved', 'attention-only', 'no-norm', 'wide'])(
  'parts of a logit difference sum to it: %s',
  (name) => {
    const { model, examples } = readFixture(name);
    const { tokens, targets } = examples[0]!;
    const { pass } = forward(model, { tokens, targets });
    for (let layer = 0; layer < model.config.layers; ++layer) {
      const row = tokens.length - 1;
      const parts = logitParts(pass, layer, row, 1, 2);
      const pieces = [parts.edges.values, parts.attention, parts.feedForward];
      const sum = pieces.flatMap((piece) => [...piece]).reduce((a, b) => a + b, 0);
      const whole = sum + parts.embedding + parts.bias;
      expect(Math.abs(parts.difference)).toBeGreaterThan(1e-3);
      expect(Math.abs(whole - parts.difference)).toBeLessThan(1e-12);
    }
  },
);

test('attention on matrices is that of a head', () => {
  const { model, examples } = readFixture('attention-only');
  const { tokens, targets } = examples[0]!;
  const { pass } = forward(model, { tokens, targets });
  const of = (name: string): Matrix => pass.value(`L0.H0.${name}`);
  const parts = attendTo({
    x: pass.value('L0.X'),
    wQ: of('W_Q'),
    wK: of('W_K'),
    wV: of('W_V'),
    sees: (row, column) => column <= row,
    scale: 1 / Math.sqrt(model.config.headWidth),
  });
  for (const [part, name] of [
    ['weights', 'A'],
    ['out', 'C'],
    ['scores', 'S'],
  ] as const) {
    const error = largest(difference(parts.get(part)!, of(name)).values);
    expect(error, name).toBeLessThan(1e-12);
  }
});
