// SPDX-License-Identifier: MIT
// What matrix figures share: reading cells whichever way the matrix lies, masks, limits of scales,
// and how the selection maps to rows and columns.

import type { AxisLabels, LabelledMatrix, Selection } from '../contracts';
import { largest } from './number-element';

/** A matrix as it lies on the screen. */
export interface Laid {
  rows: number;
  columns: number;
  rowLabels: AxisLabels;
  columnLabels: AxisLabels;
  value(row: number, column: number): number;
  masked(row: number, column: number): boolean;
  address(row: number, column: number): string;
  /** Where a number of this matrix lies. */
  find(address: string): { row: number; column: number } | undefined;
  /** Indices of the matrix itself, whichever way it lies. */
  own(row: number, column: number): { i: number; j: number };
}

export function lay(matrix: LabelledMatrix, transposed: boolean): Laid {
  const own = (row: number, column: number): { i: number; j: number } =>
    transposed ? { i: column, j: row } : { i: row, j: column };
  return {
    rows: transposed ? matrix.columns : matrix.rows,
    columns: transposed ? matrix.rows : matrix.columns,
    rowLabels: transposed ? matrix.columnLabels : matrix.rowLabels,
    columnLabels: transposed ? matrix.rowLabels : matrix.columnLabels,
    own,
    value(row, column) {
      const { i, j } = own(row, column);
      return matrix.values[i * matrix.columns + j]!;
    },
    masked(row, column) {
      const { i, j } = own(row, column);
      return matrix.mask === 'causal' && j > i;
    },
    address(row, column) {
      const { i, j } = own(row, column);
      return `${matrix.address}.${i}.${j}`;
    },
    find(address) {
      if (!address.startsWith(`${matrix.address}.`)) return undefined;
      const [i, j] = address.slice(matrix.address.length + 1).split('.').map(Number);
      return i === undefined || j === undefined
        ? undefined
        : { row: transposed ? j : i, column: transposed ? i : j };
    },
  };
}

/** Largest size among cells that can be. */
export function matrixLimit(matrix: LabelledMatrix): number {
  const laid = lay(matrix, false);
  const values: number[] = [];
  for (let row = 0; row < laid.rows; ++row) {
    for (let column = 0; column < laid.columns; ++column) {
      if (!laid.masked(row, column)) values.push(laid.value(row, column));
    }
  }
  return largest(values);
}

/** The row or column that the selection means; -1 when it says nothing about this side. */
const placeIn = (labels: AxisLabels, selection: Readonly<Selection>): number =>
  labels.selects === undefined ? -1 : selection[labels.selects];

/** The two sides of a weight are both channels, and the selection has one: the address decides. */
export function placeOf(
  laid: Laid, selection: Readonly<Selection>,
): { row: number; column: number } {
  const named = selection.address === undefined ? undefined : laid.find(selection.address);
  const shared = laid.rowLabels.selects === laid.columnLabels.selects;
  const side = (labels: AxisLabels, other: number | undefined): number =>
    shared || labels.selects === undefined ? (other ?? -1) : placeIn(labels, selection);
  return {
    row: side(laid.rowLabels, named?.row), column: side(laid.columnLabels, named?.column),
  };
}

/** What choosing a cell says to the rest of the page. */
export function selectionAt(laid: Laid, row: number, column: number): Partial<Selection> {
  const part: Partial<Selection> = { address: laid.address(row, column) };
  if (laid.rowLabels.selects !== undefined) part[laid.rowLabels.selects] = row;
  if (laid.columnLabels.selects !== undefined) part[laid.columnLabels.selects] = column;
  return part;
}
