// SPDX-License-Identifier: MIT
import type { RopeLayout } from 'heed';

import { Matrix, build } from './matrix.js';

/** (T, C): sin(t / 10000^(2i/C)) in column 2i, the cosine beside it (Vaswani et al. 2017). */
export const sinusoidal = (time: number, width: number): Matrix =>
  build(time, width, (t, c) => {
    const angle = t / 10_000 ** ((c - (c % 2)) / width);
    return c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });

/**
 * x (T, D) with pair i of each row turned by direction * row * base^(-2i/D) (Su et al. 2021). A
 * pair is channels i and i + D/2 ('halves') or 2i and 2i + 1 ('interleaved'); -1 undoes 1.
 */
export function turned(x: Matrix, layout: RopeLayout, base: number, direction: 1 | -1): Matrix {
  const made = new Matrix(x.rows, x.columns);
  const half = x.columns / 2;
  for (let t = 0; t < x.rows; ++t) {
    for (let i = 0; i < half; ++i) {
      const angle = direction * t * base ** (-i / half);
      const [first, second] = layout === 'halves' ? [i, i + half] : [2 * i, 2 * i + 1];
      const [a, b] = [x.at(t, first), x.at(t, second)];
      made.put(t, first, a * Math.cos(angle) - b * Math.sin(angle));
      made.put(t, second, a * Math.sin(angle) + b * Math.cos(angle));
    }
  }
  return made;
}
