// SPDX-License-Identifier: MIT
// Tables as CSV (RFC 4180): a header line, then a line for each row; numbers in full.

import type { FigureTable } from '../contracts';
import { plainLabel } from '../core/labels';

function field(text: string): string {
  // A leading = + - or @ of a token would be run as a formula by spreadsheets; numbers are not
  // touched, since they are written by `number`.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const number = (value: number | undefined): string => (value === undefined ? '' : String(value));

function tableToCsv(table: FigureTable): string {
  const head = [table.caption, ...table.columns.map(plainLabel)].map(field);
  const lines = table.cells.map((cells, row) =>
    [field(plainLabel(table.rows[row]!)), ...cells.map((cell) => number(cell?.value))]);
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Several tables are set apart by an empty line. */
export const tablesToCsv = (tables: readonly FigureTable[]): string =>
  tables.map(tableToCsv).join('\r\n');
