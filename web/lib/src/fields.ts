// SPDX-License-Identifier: MIT
// Configurations as the core takes them: one number a field. The core describes its own fields, so
// there is no second list to keep in step with it.

export interface Field {
  readonly name: string;
  /** `names`: one of several values, sent as its index. */
  readonly kind: 'number' | 'float' | 'flag' | 'names';
  readonly names: readonly string[];
}

type Value = number | boolean | string;

/** Lines of a name and either a type or the names of its values, separated by spaces. */
export function parseFields(text: string): Field[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      const type = rest[0];
      return type === 'number' || type === 'float' || type === 'flag'
        ? { name, kind: type, names: [] }
        : { name, kind: 'names', names: rest };
    });
}

/** Every field must be in `config`, with a value its check has accepted. */
export function valuesOf(fields: readonly Field[], config: object): Float64Array {
  const record = config as Record<string, Value>;
  return Float64Array.from(fields, ({ name, kind, names }) =>
    kind === 'names' ? names.indexOf(record[name] as string) : Number(record[name]),
  );
}

export function configOf<T extends object>(fields: readonly Field[], values: Float64Array): T {
  const entries = fields.map(({ name, kind, names }, i): [string, Value] => {
    const value = values[i]!;
    switch (kind) {
      case 'number':
        return [name, value];
      case 'float':
        return [name, shortest(value)];
      case 'flag':
        return [name, value !== 0];
      case 'names':
        return [name, names[value]!];
    }
  });
  return Object.fromEntries(entries) as T;
}

/** The decimal of fewest digits that names this 32-bit float: 0.1, not 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; ++digits) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) {
      return candidate;
    }
  }
  return value;
}
