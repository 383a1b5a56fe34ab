// SPDX-License-Identifier: MIT
// Files of many short texts: a column of a CSV or TSV file, a field of a JSON or JSON Lines file.

import { BackgroundError } from './protocol';
import type { ColumnInfo } from './protocol';

export type TableKind = 'csv' | 'json' | 'jsonl';

export interface Column extends ColumnInfo {
  /** In the file's order. */
  values: string[];
}

/** More fields than a reader would look through; files that have them are databases of numbers. */
const mostColumns = 200;

export function tableKind(name: string): TableKind | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (ending === 'jsonl' || ending === 'ndjson') return 'jsonl';
  return ending === 'json' ? 'json' : undefined;
}

/** The columns that have text, the longest first. Throws `text-table`, naming the line where it can. */
export async function columnsOf(kind: TableKind, text: string): Promise<Column[]> {
  const columns = kind === 'csv' ? await csvColumns(text) : shallowJson(kind, text);
  const withText = columns.filter(({ characters }) => characters > 0);
  return withText.sort((a, b) => b.characters - a.characters).slice(0, mostColumns);
}

async function csvColumns(text: string): Promise<Column[]> {
  const { default: Papa } = await import('papaparse');
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' });
  // Rows of other lengths are common and harmless; quotes that never end are not.
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault !== undefined) {
    throw new BackgroundError('text-table', { message: fault.message, line: (fault.row ?? 0) + 1 });
  }
  const [first] = data;
  if (first === undefined) return [];
  const names = first.map((name) => name.trim());
  const named = new Set(names).size === names.length
    && names.every((name) => name !== '' && Number.isNaN(Number(name)));
  const rows = named ? data.slice(1) : data;
  return names.map((name, i) =>
    column(named ? name : String(i + 1), rows.map((row) => row[i] ?? '')));
}

function shallowJson(kind: 'json' | 'jsonl', text: string): Column[] {
  try {
    return jsonColumns(kind, text);
  } catch (error) {
    // Nested deeper than the stack: nothing that people keep texts in.
    if (error instanceof RangeError) throw new BackgroundError('text-table', { message: 'nested too deeply' });
    throw error;
  }
}

function jsonColumns(kind: 'json' | 'jsonl', text: string): Column[] {
  const found = new Map<string, string[]>();
  if (kind === 'json') {
    collect(parse(text, undefined), '', found);
  } else {
    text.split('\n').forEach((line, i) => {
      if (line.trim() !== '') collect(parse(line, i + 1), '', found);
    });
  }
  return [...found].map(([name, values]) => column(name, values));
}

function parse(text: string, line: number | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new BackgroundError('text-table', line === undefined ? { message } : { message, line });
  }
}

/** Strings by the path to them, in which all elements of an array are one. */
function collect(value: unknown, path: string, found: Map<string, string[]>): void {
  if (typeof value === 'string') {
    const values = found.get(path);
    if (values === undefined) found.set(path, [value]);
    else values.push(value);
  } else if (Array.isArray(value)) {
    for (const element of value) collect(element, path, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      collect(inner, path === '' ? key : `${path}.${key}`, found);
    }
  }
}

function column(name: string, values: string[]): Column {
  const texts = values.filter((value) => value !== '');
  return { name, values: texts, characters: texts.reduce((sum, { length }) => sum + length, 0) };
}
