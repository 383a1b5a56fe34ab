// SPDX-License-Identifier: MIT
// Matrices of doubles, row-major, and the few operations that the oracle is written in.

export class Matrix {
  readonly values: Float64Array;

  constructor(
    readonly rows: number,
    readonly columns: number,
    values?: ArrayLike<number>,
  ) {
    this.values =
      values === undefined ? new Float64Array(rows * columns) : new Float64Array(values);
    if (this.values.length !== rows * columns) {
      throw new Error(`${this.values.length} values for a ${rows} x ${columns} matrix`);
    }
  }

  at(row: number, column: number): number {
    return this.values[row * this.columns + column]!;
  }

  put(row: number, column: number, value: number): void {
    this.values[row * this.columns + column] = value;
  }

  /** A view, not a copy. */
  row(row: number): Float64Array {
    return this.values.subarray(row * this.columns, (row + 1) * this.columns);
  }

  copy(): Matrix {
    return new Matrix(this.rows, this.columns, this.values);
  }
}

/** Element (i, j) is `f(i, j)`. */
export function build(
  rows: number,
  columns: number,
  f: (row: number, column: number) => number,
): Matrix {
  const made = new Matrix(rows, columns);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      made.put(i, j, f(i, j));
    }
  }
  return made;
}

/** a b */
export function product(a: Matrix, b: Matrix): Matrix {
  if (a.columns !== b.rows) {
    throw new Error(`product of ${a.rows} x ${a.columns} and ${b.rows} x ${b.columns}`);
  }
  const made = new Matrix(a.rows, b.columns);
  for (let i = 0; i < a.rows; ++i) {
    const out = i * b.columns;
    for (let k = 0; k < a.columns; ++k) {
      const factor = a.at(i, k);
      const row = k * b.columns;
      for (let j = 0; j < b.columns; ++j) {
        made.values[out + j]! += factor * b.values[row + j]!;
      }
    }
  }
  return made;
}

export const transpose = (a: Matrix): Matrix => build(a.columns, a.rows, (i, j) => a.at(j, i));

export const scaled = (a: Matrix, factor: number): Matrix =>
  new Matrix(
    a.rows,
    a.columns,
    a.values.map((value) => value * factor),
  );

export function sum(a: Matrix, b: Matrix): Matrix {
  if (a.rows !== b.rows || a.columns !== b.columns) {
    throw new Error(`sum of ${a.rows} x ${a.columns} and ${b.rows} x ${b.columns}`);
  }
  const made = a.copy();
  b.values.forEach((value, i) => (made.values[i]! += value));
  return made;
}

export const difference = (a: Matrix, b: Matrix): Matrix => sum(a, scaled(b, -1));

/** Adds the one row of `bias` to every row. */
export const plusRow = (a: Matrix, bias: Matrix | undefined): Matrix =>
  bias === undefined ? a : build(a.rows, a.columns, (i, j) => a.at(i, j) + bias.at(0, j));

export const columnsOf = (a: Matrix, from: number, count: number): Matrix =>
  build(a.rows, count, (i, j) => a.at(i, from + j));

export const rowsOf = (a: Matrix, from: number, count: number): Matrix =>
  build(count, a.columns, (i, j) => a.at(from + i, j));

/** Matrices of one height, side by side. */
export const beside = (parts: readonly Matrix[]): Matrix =>
  transpose(below(parts.map((part) => transpose(part))));

/** Matrices of one width, one below the other. */
export function below(parts: readonly Matrix[]): Matrix {
  const rows = parts.reduce((total, part) => total + part.rows, 0);
  const made = new Matrix(rows, parts[0]!.columns);
  let at = 0;
  for (const { values } of parts) {
    made.values.set(values, at);
    at += values.length;
  }
  return made;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw new Error(`dot product of ${a.length} and ${b.length} numbers`);
  }
  let total = 0;
  for (let i = 0; i < a.length; ++i) {
    total += a[i]! * b[i]!;
  }
  return total;
}

export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));

/** x (x) y: element (i, j) is x_i y_j. */
export const outer = (x: ArrayLike<number>, y: ArrayLike<number>): Matrix =>
  build(x.length, y.length, (i, j) => x[i]! * y[j]!);

export function largest(values: ArrayLike<number>): number {
  let found = 0;
  for (let i = 0; i < values.length; ++i) {
    found = Math.max(found, Math.abs(values[i]!));
  }
  return found;
}
