// SPDX-License-Identifier: MIT
// Attention of the caller's own matrices: checks, and the packing into one array.

import type { AttentionGradients, AttentionInput, AttentionOutput, Matrix } from './api-explain.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { checkKeys, checkRecord, number, optional } from './option-checks.js';
import type { AttendParams } from './protocol.js';
import { allocate, numbersOf } from './values.js';

export function attendParams(input: AttentionInput): AttendParams {
  const what = 'the input of attention';
  checkRecord(input, what);
  const present = optional('given', () => true);
  checkKeys(input, what, {
    x: present,
    wQ: present,
    wK: present,
    wV: present,
    mask: present,
    scale: number,
  });
  const { wV, mask = 'causal' } = input;
  const x = matrixOf(input.x, 'x');
  const wQ = matrixOf(input.wQ, 'wQ');
  const parts = [x, wQ, matrixOf(input.wK, 'wK')];
  if (wV !== undefined) parts.push(matrixOf(wV, 'wV'));
  checkRows(parts, x);
  const scale = input.scale ?? 1 / Math.sqrt(wQ.columns);
  const length = parts.reduce((sum, part) => sum + part.values.length, 0);
  const matrices = allocate(length, 'the matrices', (size) => new Float32Array(size));
  let at = 0;
  parts.forEach(({ values }, index) => {
    matrices.set(numbersOf(values, `${['x', 'wQ', 'wK', 'wV'][index]}.values`), at);
    at += values.length;
  });
  return {
    matrices,
    visible: maskOf(mask, x.rows),
    time: x.rows,
    width: x.columns,
    headWidth: wQ.columns,
    valueWidth: parts[3]?.columns ?? 0,
    scale,
  };
}

export function upstreamOf(dOut: unknown): Float32Array {
  const list = dOut as ArrayLike<number> | null | undefined;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length)) {
    throw new HeedError(
      'invalid-argument',
      `dOut must be an array or typed array, not ${describeValue(dOut)}.`,
    );
  }
  return numbersOf(list, 'dOut');
}

export function splitOutput(flat: Float32Array, p: AttendParams): AttentionOutput {
  const { time, headWidth } = p;
  const value = p.valueWidth || p.width;
  const take = takeFrom(flat);
  const output = {
    q: take(time * headWidth),
    k: take(time * headWidth),
    v: take(time * value),
    scores: take(time * time),
    weights: take(time * time),
    out: take(time * value),
  };
  p.visible.forEach((visible, cell) => {
    if (visible === 0) output.scores[cell] = Number.NEGATIVE_INFINITY;
  });
  return output;
}

export function splitGradients(flat: Float32Array, p: AttendParams): AttentionGradients {
  const { time, width, headWidth, valueWidth } = p;
  const take = takeFrom(flat);
  return {
    q: take(time * headWidth),
    k: take(time * headWidth),
    v: take(time * (valueWidth || width)),
    scores: take(time * time),
    weights: take(time * time),
    x: take(time * width),
    wQ: take(width * headWidth),
    wK: take(width * headWidth),
    wV: take(width * valueWidth),
  };
}

function takeFrom(flat: Float32Array): (length: number) => Float32Array {
  let at = 0;
  return (length) => flat.slice(at, (at += length));
}

function matrixOf(matrix: unknown, name: string): Matrix {
  const m = matrix as Partial<Matrix> | null | undefined;
  const length = m?.values?.length;
  if (
    typeof m !== 'object' ||
    m === null ||
    !Number.isSafeInteger(m.rows) ||
    !Number.isSafeInteger(m.columns) ||
    length === undefined
  ) {
    throw new HeedError(
      'invalid-argument',
      `${name} must be {rows, columns, values}, not ${describeValue(matrix)}.`,
    );
  }
  if (length !== m.rows! * m.columns!) {
    throw new HeedError(
      'invalid-argument',
      `${name} has ${length} values for ${m.rows} x ${m.columns} cells. Give one for each cell.`,
    );
  }
  return m as Matrix;
}

/** Packed into one array, matrices of a wrong height would be taken for their neighbours' cells. */
function checkRows([, ...weights]: readonly Matrix[], x: Matrix): void {
  const names = ['wQ', 'wK', 'wV'];
  weights.forEach(({ rows, columns }, index) => {
    if (rows !== x.columns) {
      throw new HeedError(
        'invalid-argument',
        `${names[index]} has ${rows} rows for the ${x.columns} columns of x. Make them equal.`,
      );
    }
    if (index === 1 && columns !== weights[0]!.columns) {
      throw new HeedError(
        'invalid-argument',
        `wQ has ${weights[0]!.columns} columns and wK ${columns}. Queries and keys need one width.`,
      );
    }
  });
}

function maskOf(mask: unknown, time: number): Uint8Array {
  const cells = allocate(time * time, 'the mask', (size) => new Uint8Array(size));
  const given = mask as ArrayLike<number>;
  if (mask !== 'causal' && mask !== 'none' && given?.length !== time * time) {
    throw new HeedError(
      'invalid-argument',
      `mask must be 'causal', 'none' or ${time} x ${time} cells of 0 and 1, not ` +
        `${describeValue(mask)}.`,
    );
  }
  for (let cell = 0; cell < cells.length; ++cell) {
    const i = Math.floor(cell / time);
    const j = cell % time;
    const visible = mask === 'none' ? 1 : mask === 'causal' ? Number(j <= i) : given[cell];
    if (visible !== 0 && visible !== 1) {
      throw new HeedError(
        'invalid-argument',
        `mask[${cell}] must be 0 or 1, not ${describeValue(visible)}.`,
      );
    }
    cells[cell] = visible;
  }
  return cells;
}
