// SPDX-License-Identifier: MIT
// The start-up test: some browsers compile SIMD and compute wrong numbers with it. The inputs and
// the products are those of cpp/wasm/known_answer.h, worked out here in plain doubles.

import { HeedError } from './errors.js';

const rows = 7;
const inner = 9;
const columns = 5;
const softmaxSize = 64;
/** A correct kernel is within 1e-6; a wrong lane is off by far more. */
const tolerance = 1e-5;

export function knownAnswers(): Float64Array {
  const a = inputs(rows * inner, (i) => (((7 * i + 3) % 11) - 5) / 4);
  const b = inputs(inner * columns, (i) => (((5 * i + 2) % 13) - 6) / 4);
  const x = inputs(softmaxSize, (i) => (((13 * i) % 29) - 14) / 2);
  const answers = new Float64Array(rows * columns + softmaxSize);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      let sum = 0;
      for (let k = 0; k < inner; ++k) {
        sum += a[row * inner + k]! * b[k * columns + column]!;
      }
      answers[row * columns + column] = sum;
    }
  }
  const largest = Math.max(...x);
  const total = x.reduce((sum, value) => sum + Math.exp(value - largest), 0);
  x.forEach((value, i) => {
    answers[rows * columns + i] = Math.exp(value - largest) / total;
  });
  return answers;
}

/** Throws `unsupported` when the binary computes something else. */
export function verifyAnswers(found: Float32Array, expected: Float64Array): void {
  const worst = expected.findIndex(
    (value, i) => !(Math.abs(found[i]! - value) <= tolerance * Math.max(1, Math.abs(value))),
  );
  if (found.length !== expected.length || worst >= 0) {
    throw new HeedError(
      'unsupported',
      'This runtime computes WebAssembly SIMD wrongly: start-up test value ' +
        `${worst} is ${found[worst]} instead of ${expected[worst]}. ` +
        'Update the browser (Safari: 17 or newer) or use another one.',
    );
  }
}

function inputs(count: number, value: (i: number) => number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => value(i));
}
