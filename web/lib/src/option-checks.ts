// SPDX-License-Identifier: MIT
// How options objects are checked: a table from key to what its value must be.

import { describeValue } from './describe.js';
import { HeedError } from './errors.js';

export interface Check {
  /** Completes "must be ...". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

export const integer: Check = { expected: 'a whole number', accepts: Number.isSafeInteger };
export const number: Check = { expected: 'a finite number', accepts: Number.isFinite };
export const boolean: Check = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const string: Check = {
  expected: 'a string',
  accepts: (value) => typeof value === 'string',
};

export function oneOf(...names: string[]): Check {
  return {
    expected: names.map((name) => `'${name}'`).join(' or '),
    accepts: (value) => typeof value === 'string' && names.includes(value),
  };
}

/** By its shape: one from another realm will do. */
export function isAbortSignal(value: unknown): boolean {
  const signal = value as Partial<AbortSignal>;
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}

export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** For values that are objects; null counts as a wrong value, undefined as left out. */
export function optional(expected: string, accepts: (value: unknown) => boolean): Check {
  return { expected, accepts: (value) => value !== null && accepts(value) };
}

export function checkRecord(value: unknown, what: string): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HeedError(
      'invalid-argument',
      `${what} must be an object, not ${describeValue(value)}. Pass an object literal.`,
    );
  }
}

export function checkKeys(
  value: object,
  what: string,
  checks: Readonly<Record<string, Check>>,
): void {
  for (const [key, found] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) {
      throw new HeedError(
        'invalid-argument',
        `${what} have no "${key}". Known: ${Object.keys(checks).join(', ')}.`,
      );
    }
    if (found !== undefined && !check.accepts(found)) {
      throw new HeedError(
        'invalid-argument',
        `${what}: "${key}" must be ${check.expected}, not ${describeValue(found)}. ` +
          'Change the value, or leave it out for its default.',
      );
    }
  }
}
