// SPDX-License-Identifier: MIT
// How figures write numbers. Digits and the decimal point are the same in every language, so that a
// number in a figure can be compared with the same number in code.

import type { NumberFormat } from './contracts';

const minus = '\u2212';

function fixed(value: number, digits: number, signed = false): string {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  const size = Math.abs(value).toFixed(digits);
  // A signed number keeps its sign when it rounds to 0; an unsigned one must not show "-0.00".
  if (signed) return value === 0 ? size : `${value > 0 ? '+' : minus}${size}`;
  return value < 0 && Number(size) !== 0 ? `${minus}${size}` : size;
}

export const numberFormat: NumberFormat = {
  fixed,
  full: (value) => (Number.isFinite(value) ? String(Math.fround(value) === value
    // Nine significant digits tell any two float32 apart.
    ? Number(value.toPrecision(9)) : value).replace('-', minus) : fixed(value, 2)),
  digits(limit) {
    if (!(limit > 0) || !Number.isFinite(limit)) return 2;
    return Math.max(2, Math.min(6, 1 - Math.floor(Math.log10(limit))));
  },
  integer: (value) => String(value),
};
