// SPDX-License-Identifier: MIT
// Arguments that are data: checked for type, and copied so that they can be transferred.

import { describeValue } from './describe.js';
import { HeedError } from './errors.js';

/**
 * By tag instead of instanceof: test runners and iframes bring arrays of another realm, which are
 * just as good.
 */
export function isTyped<K extends 'Int32Array' | 'Uint8Array' | 'Float32Array'>(
  value: unknown,
  kind: K,
): value is InstanceType<(typeof globalThis)[K]> {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`;
}

/** A copy as Int32Array; what is not an int32 is refused by index, never wrapped or rounded. */
export function tokensOf(values: unknown, what: string): Int32Array<ArrayBuffer> {
  const list = values as ArrayLike<number> | null | undefined;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length)) {
    throw new HeedError(
      'invalid-argument',
      `${what} must be an array or typed array of token ids, not ${describeValue(values)}. ` +
        'Pass what encode() returned.',
    );
  }
  const copy = allocate(list.length, what, (length) => new Int32Array(length));
  for (let i = 0; i < list.length; ++i) {
    const value: unknown = list[i];
    copy[i] = value as number;
    if (copy[i] !== value) {
      throw new HeedError(
        'invalid-argument',
        `${what}[${i}] must be a whole number of 32 bits, not ${describeValue(value)}. ` +
          'Pass what encode() returned.',
      );
    }
  }
  return copy;
}

export function floatsOf(values: unknown, what: string): Float32Array<ArrayBuffer> {
  if (!isTyped(values, 'Float32Array')) {
    throw new HeedError(
      'invalid-argument',
      `${what} must be a Float32Array, not ${describeValue(values)}. ` +
        'Convert with Float32Array.from(values).',
    );
  }
  const copy = allocate(values.length, what, (length) => new Float32Array(length));
  copy.set(values);
  return copy;
}

/** A copy as floats of any list of finite numbers; what is none is refused by index. */
export function numbersOf(values: ArrayLike<unknown>, what: string): Float32Array<ArrayBuffer> {
  const copy = allocate(values.length, what, (length) => new Float32Array(length));
  for (let i = 0; i < copy.length; ++i) {
    const value = values[i];
    if (!Number.isFinite(value)) {
      throw new HeedError(
        'invalid-argument',
        `${what}[${i}] must be a finite number, not ${describeValue(value)}.`,
      );
    }
    copy[i] = value as number;
  }
  return copy;
}

export function fileOf(file: unknown): Uint8Array<ArrayBuffer> {
  if (!isTyped(file, 'Uint8Array')) {
    throw new HeedError(
      'invalid-argument',
      `A checkpoint comes as a Uint8Array, not ${describeValue(file)}. ` +
        'Wrap an ArrayBuffer as new Uint8Array(buffer).',
    );
  }
  const copy = allocate(file.length, 'the checkpoint', (length) => new Uint8Array(length));
  copy.set(file);
  return copy;
}

/** Array memory of a size that a caller chose: the failure of `new` becomes a typed error. */
export function allocate<T>(length: number, what: string, make: (length: number) => T): T {
  try {
    return make(length);
  } catch (cause) {
    throw new HeedError(
      'out-of-memory',
      `There is no memory for a copy of ${what} (${length} entries). ` +
        'Free some, or ask for less at a time.',
      { cause },
    );
  }
}
