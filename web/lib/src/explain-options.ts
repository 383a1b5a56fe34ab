// SPDX-License-Identifier: MIT
// Checks of the options of traces, sweeps and cuts.

import type { CutOptions, SweepOptions, TraceOptions } from './api-explain.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { boolean, checkKeys, checkRecord, integer, optional } from './option-checks.js';

export function checkTraceOptions(options: TraceOptions): void {
  checkRecord(options, 'trace options');
  checkKeys(options, 'trace options', {
    gradients: boolean,
    whatIf: optional('an array of what-ifs', () => true),
  });
}

export function checkSweepOptions(options: SweepOptions): void {
  const what = 'sweep options';
  checkRecord(options, what);
  checkKeys(options, what, {
    layer: integer,
    head: integer,
    row: integer,
    column: integer,
    by: optional('an array of finite numbers', isNumbers),
  });
  for (const key of ['layer', 'head', 'row', 'column', 'by'] as const) {
    if (options[key] === undefined) {
      throw new HeedError('invalid-argument', `${what} need "${key}".`);
    }
  }
}

export function checkCutOptions(options: CutOptions): void {
  checkRecord(options, 'cut options');
  checkKeys(options, 'cut options', {
    layer: integer, head: integer, row: integer, renormalise: boolean,
  });
  if (options.layer === undefined) {
    throw new HeedError('invalid-argument', 'cut options need "layer", counted from 0.');
  }
}

/** Numbers that are to name a place; what there is, the core knows. */
export function checkIndices(indices: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(indices)) {
    if (!integer.accepts(value)) {
      throw new HeedError(
        'invalid-argument',
        `${name} must be ${integer.expected}, not ${describeValue(value)}. Indices count from 0.`,
      );
    }
  }
}

function isNumbers(value: unknown): boolean {
  const list = value as ArrayLike<unknown>;
  return (
    typeof list === 'object' &&
    Number.isSafeInteger(list.length) &&
    Array.from(list).every((number) => Number.isFinite(number))
  );
}
