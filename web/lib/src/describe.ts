// SPDX-License-Identifier: MIT
// A found value in the words of an error message: its kind and, when short, itself.

const longest = 40;

export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length <= longest
        ? JSON.stringify(value)
        : `a string of ${value.length} characters`;
    case 'bigint':
      return `${value}n`;
    case 'function':
      return 'a function';
    case 'symbol':
      return 'a symbol';
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) {
    return `an array of length ${value.length}`;
  }
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name;
    return 'length' in value ? `a ${name} of length ${String(value.length)}` : `a ${name}`;
  }
  const name = value.constructor?.name;
  return name === undefined || name === 'Object' ? 'an object' : `a ${name} object`;
}
