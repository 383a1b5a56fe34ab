// SPDX-License-Identifier: MIT
// A figure's numbers as a table: the same numbers, addresses and labels as in the drawing.

import type {
  FigureContext, FigureTable, Label, LabelledMatrix, LabelledVector,
} from '../contracts';
import { html } from './dom';
import { labelAt, labelNodes, labelsOf } from './labels';
import { largest, numberNode } from './number-element';

/** One matrix as a table. */
export const matrixTable = (caption: string, matrix: LabelledMatrix): FigureTable => ({
  caption,
  rows: labelsOf(matrix.rowLabels, matrix.rows),
  columns: labelsOf(matrix.columnLabels, matrix.columns),
  cells: Array.from({ length: matrix.rows }, (_, row) =>
    Array.from({ length: matrix.columns }, (_, column) => ({
      address: `${matrix.address}.${row}.${column}`,
      value: matrix.values[row * matrix.columns + column]!,
    }))),
});

/** Vectors of one labelling side by side, a column each. */
export const vectorsTable = (
  caption: string, columns: readonly { name: string | Label; vector: LabelledVector }[],
): FigureTable => {
  const first = columns[0]!.vector;
  return {
    caption,
    rows: Array.from({ length: first.values.length }, (_, index) => labelAt(first.labels, index)),
    columns: columns.map(({ name }) => (typeof name === 'string' ? { kind: 'name', text: name } : name)),
    cells: Array.from({ length: first.values.length }, (_, index) =>
      columns.map(({ vector }) => ({
        address: `${vector.address}.${index}`, value: vector.values[index]!,
      }))),
  };
};

export function tableNode(table: FigureTable, context: FigureContext): HTMLTableElement {
  const values = table.cells.flatMap((row) => row.map((cell) => cell?.value ?? 0));
  const rounding = {
    digits: Math.max(4, context.number.digits(largest(values))),
    signed: values.some((value) => value < 0),
  };
  const head = html('tr', {}, html('td'), ...table.columns.map((label) =>
    html('th', { scope: 'col' }, ...labelNodes(label, context.words))));
  const body = table.cells.map((cells, row) => html('tr', {},
    html('th', { scope: 'row' }, ...labelNodes(table.rows[row]!, context.words, true)),
    ...cells.map((cell) => html('td', {}, cell === undefined
      ? html('span', { class: 'hidden' }, context.words.frame.noNumber)
      : numberNode(context, cell, rounding)))));
  return html('table', {},
    html('caption', {}, table.caption), html('thead', {}, head), html('tbody', {}, ...body));
}
