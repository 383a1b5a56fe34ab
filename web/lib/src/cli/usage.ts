// SPDX-License-Identifier: MIT
// Arguments of the command line. What is wrong with them is a UsageError, which ends with code 2.

import { type ParseArgsConfig, parseArgs } from 'node:util';

export class UsageError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;

export interface Arguments {
  positionals: string[];
  values: Record<string, string | boolean | undefined>;
}

export function parse(args: string[], options: Options): Arguments {
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    return { positionals, values: values as Arguments['values'] };
  } catch (error) {
    // Node's sentences say what is wrong; only its code and hints about "--" are not for users.
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(text.split('. ')[0]!);
  }
}

export function text(values: Arguments['values'], name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** A whole number of at least `low`; undefined when the option was not given. */
export function wholeNumber(
  values: Arguments['values'],
  name: string,
  low: number,
): number | undefined {
  const given = text(values, name);
  if (given === undefined) {
    return undefined;
  }
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < low) {
    throw new UsageError(`--${name} takes a whole number of at least ${low}, not "${given}"`);
  }
  return value;
}

export function realNumber(values: Arguments['values'], name: string): number | undefined {
  const given = text(values, name);
  if (given === undefined) {
    return undefined;
  }
  const value = given.trim() === '' ? Number.NaN : Number(given);
  if (!Number.isFinite(value)) {
    throw new UsageError(`--${name} takes a number, not "${given}"`);
  }
  return value;
}

export function onlyPositional(positionals: readonly string[], what: string): string {
  if (positionals.length !== 1) {
    throw new UsageError(
      positionals.length === 0
        ? `${what} is missing`
        : `one ${what} is expected, but there are ${positionals.length}: ${positionals.join(', ')}`,
    );
  }
  return positionals[0]!;
}
