// SPDX-License-Identifier: MIT
// The page-wide sweep: every number with an address is the engine's, rounded as it says.

import { written } from '../../support/figure-checks.mjs';
import { learnNumbers } from './learn-page.mjs';
import { skipped } from './truth.mjs';

/**
 * What the page computes itself from several float32 numbers may differ by the order of additions:
 * relative to the number, and to 1 for differences that nearly cancel.
 */
const tolerance = { relative: 1e-6, absolute: 1e-7 };

// Numbers that the page hands on unchanged. Scores and A X are also shown as sums that it makes itself.
const exact = /^(L\d+\.)?(H\d+\.)?(?!S\.|AX\.)d?[A-Z][A-Za-z_]*(\.\d+){2}$|^train\./;

function shows(text, value, digits, signed) {
  if (digits === 'full') return Math.fround(Number(text.replace('\u2212', '-'))) === Math.fround(value);
  return Number.isNaN(digits) || text === written(value, digits, signed);
}

/** One line for each number that is not what it should be. */
export async function sweep(room, truth) {
  const numbers = await learnNumbers(room);
  const faults = [];
  for (const number of numbers) {
    const { address, value, digits, signed, text, step, whatIf } = number;
    const wanted = await truth.of(number);
    const name = `${address} at step ${step}${whatIf === '[]' ? '' : ` with ${whatIf.slice(0, 60)}`}`;
    if (skipped(wanted)) continue;
    if (wanted === undefined) {
      faults.push(`${name}: nobody knows this address`);
      continue;
    }
    const given = Number(value);
    const allowed = exact.test(address)
      ? 0 : Math.max(tolerance.absolute, tolerance.relative * Math.abs(wanted));
    const same = Object.is(given, wanted) || Math.abs(given - wanted) <= allowed
      || (Number.isNaN(given) && Number.isNaN(wanted));
    if (!same) faults.push(`${name}: data-value ${value}, the engine says ${wanted}`);
    if (!shows(text, given, digits, signed)) faults.push(`${name}: shows '${text}' for ${given}`);
  }
  return { faults, count: numbers.length };
}
