// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { HeedError } from 'heed';

import { errorCodes, reviveError, serializeError, toHeedError } from '../../web/lib/dist/errors.js';
import { describeValue } from '../../web/lib/dist/describe.js';

test.each(errorCodes)('K04 R021: %s keeps class, code, words and stack on its way', (code) => {
  const error = new HeedError(code, 'What went wrong. What to do.');
  const revived = reviveError(structuredClone(serializeError(error)));
  expect(revived).toBeInstanceOf(HeedError);
  expect(revived).toBeInstanceOf(Error);
  expect(revived.name).toBe('HeedError');
  expect(revived.code).toBe(code);
  expect(revived.message).toBe(error.message);
  expect(revived.stack).toBe(error.stack);
});

test('K04 R020: whatever is thrown becomes an error with a code and text', () => {
  for (const thrown of [4711, 'text', null, undefined, new TypeError('wrong'), { a: 1 }]) {
    const error = toHeedError(thrown);
    expect(error).toBeInstanceOf(HeedError);
    expect(error.code).toBe('crashed');
    expect(error.message).toMatch(/create a new one\.$/);
  }
  const known = new HeedError('aborted', 'Stopped.');
  expect(toHeedError(known)).toBe(known);
});

test('found values are described, long ones by size', () => {
  expect(describeValue('a"b')).toBe('"a\\"b"');
  expect(describeValue('x'.repeat(1000))).toBe('a string of 1000 characters');
  expect(describeValue(Number.NaN)).toBe('NaN');
  expect(describeValue(undefined)).toBe('undefined');
  expect(describeValue(null)).toBe('null');
  expect(describeValue(12n)).toBe('12n');
  expect(describeValue(Symbol('s'))).toBe('a symbol');
  expect(describeValue(() => 1)).toBe('a function');
  expect(describeValue([1, 2])).toBe('an array of length 2');
  expect(describeValue(new Float32Array(3))).toBe('a Float32Array of length 3');
  expect(describeValue(new DataView(new ArrayBuffer(1)))).toBe('a DataView');
  expect(describeValue({})).toBe('an object');
  expect(describeValue(new Map())).toBe('a Map object');
  expect(describeValue(Object.create(null))).toBe('an object');
});
