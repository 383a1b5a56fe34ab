// SPDX-License-Identifier: MIT
// Gradients by central differences of the oracle's own forward pass: there is no second backward
// pass that could share a mistake with the engine's.

import type { WhatIf } from '../../../web/lib/dist/api-explain.js';
import { nudgeAddress } from './addresses.js';
import { forward } from './forward.js';
import type { OracleModel } from './model.js';
import type { Example } from './pass.js';

// Truncation leaves 1e-10 / 6 of the third derivative, rounding of the two losses 1e-11.
const step = 1e-5;

/** dL / d(entry `index` of the value at `address`), the loss being the example's mean. */
export function centralDifference(
  model: OracleModel,
  example: Example,
  address: string,
  index: number,
  whatIf: readonly WhatIf[] = [],
): number {
  const own = nudgeAddress(model.config, address);
  const lossAt = (by: number) =>
    forward(model, example, { whatIf, nudge: { address: own, index, by } }).loss;
  return (lossAt(step) - lossAt(-step)) / (2 * step);
}
