// SPDX-License-Identifier: MIT
// What one token adds to a projection's gradient: the outer product of its row of X with its row of
// the gradient of Q, K or V.

import type { LabelledMatrix, OuterStackData } from '../contracts';

/** The part of token `t`, or the whole gradient for undefined. */
export function partOf(data: OuterStackData, t: number | undefined): LabelledMatrix {
  const { gradient, left, right, scope, of } = data;
  if (t === undefined) return gradient;
  const values = new Float64Array(gradient.rows * gradient.columns);
  for (let c = 0; c < gradient.rows; ++c) {
    for (let d = 0; d < gradient.columns; ++d) {
      values[c * gradient.columns + d] =
        left.values[t * left.columns + c]! * right.values[t * right.columns + d]!;
    }
  }
  return { ...gradient, address: `${scope}.${of}.token.${t}`, values };
}
