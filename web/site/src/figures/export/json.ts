// SPDX-License-Identifier: MIT
// Tables as JSON: labels, addresses and numbers in full. What JSON has no number for (infinities of
// masked scores, NaN) is written as a string.

import type { FigureTable, Label } from '../contracts';

const label = (from: Label): object =>
  from.kind === 'token'
    ? { index: from.index, token: from.text,
        ...(from.expected === undefined ? {} : { expected: from.expected }) }
    : from.kind === 'channel' ? { channel: from.index }
      : from.kind === 'step' ? { step: from.index } : { name: from.text };

export const tablesToJson = (title: string, tables: readonly FigureTable[]): string =>
  `${JSON.stringify({
    title,
    tables: tables.map(({ caption, rows, columns, cells }) => ({
      caption,
      rows: rows.map(label),
      columns: columns.map(label),
      cells: cells.map((row) => row.map((cell) => cell === undefined ? null : {
        address: cell.address,
        value: Number.isFinite(cell.value) ? cell.value : String(cell.value),
      })),
    })),
  }, null, 1)}\n`;
