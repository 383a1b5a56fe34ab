// SPDX-License-Identifier: MIT
import type { Activation } from 'heed';

/**
 * 2 / sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)): all terms have one sign, so
 * nothing cancels. From |x| = 6 on the result is 1 in double.
 */
export function erf(x: number): number {
  if (Math.abs(x) > 6) {
    return Math.sign(x);
  }
  let term = x;
  let total = x;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(total); ++n) {
    term *= (2 * x * x) / (2 * n + 1);
    total += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}

export const isGated = (activation: Activation): boolean =>
  activation === 'swiglu' || activation === 'geglu';

const silu = (x: number): number => x / (1 + Math.exp(-x));

const geluErf = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2));

/** The function of one number; that of `swiglu` and `geglu` is applied to the gate. */
export const activations: Record<Activation, (x: number) => number> = {
  geluTanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  geluErf,
  relu: (x) => Math.max(x, 0),
  relu2: (x) => Math.max(x, 0) ** 2,
  silu,
  swiglu: silu,
  geglu: geluErf,
};
