// SPDX-License-Identifier: MIT
// One number before and after: two cells, the change between them, and the push that was given.

import type { BeforeAfterData, FigureFactory } from './contracts';
import { defineFigure, type Canvas } from './core/figure';
import { largest } from './core/number-element';
import { createRows, signTone, type Row } from './core/rows';

const changeOf = ({ before, after }: BeforeAfterData): { address: string; value: number } => ({
  address: `${after.address}-${before.address}`, value: after.value - before.value,
});

const build = (canvas: Canvas<BeforeAfterData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const rows = createRows(body, context);
  return {
    draw(): void {
      const { data } = canvas;
      const change = changeOf(data);
      const limit = largest([data.before.value, data.after.value]);
      const digits = Math.max(3, number.digits(limit));
      const low = Math.min(0, data.before.value, data.after.value);
      const high = Math.max(0, data.before.value, data.after.value);
      const place = (value: number): number => (high > low ? (value - low) / (high - low) : 0);
      const span = (a: number, b: number) => ({
        from: place(Math.min(a, b)), to: place(Math.max(a, b)), zero: place(0),
      });
      const row = (
        name: string, value: { address: string; value: number }, cell: Row['cells'][number],
        signed: boolean, part?: string,
      ): Row => ({
        key: name,
        label: { kind: 'name', text: name },
        part,
        cells: [cell, { kind: 'number', number: value, rounding: {
          digits: signed ? Math.max(digits, number.digits(Math.abs(value.value))) : digits, signed,
        } }],
        selects: { address: value.address },
      });
      rows.draw({
        name: `${data.title}: ${data.label}`,
        headings: ['', ''],
        rows: [
          row(words.step.before, data.before,
            { kind: 'bar', ...span(0, data.before.value), tone: 'ink' }, false),
          row(words.step.after, data.after,
            { kind: 'bar', ...span(0, data.after.value), tone: 'ink' }, false),
          row(words.step.change, change, {
            kind: 'bar', ...span(data.before.value, data.after.value), tone: signTone(change.value),
          }, true),
          ...(data.push === undefined ? [] : [row(words.step.push, data.push, {
            kind: 'text', text: data.push.value > 0 ? '↑' : data.push.value < 0 ? '↓' : '=',
          }, true, 'push')]),
        ],
        current: -1,
      });
    },
  };
};

export const beforeAfterFigure: FigureFactory<BeforeAfterData> = defineFigure<BeforeAfterData>({
  name: 'before-after',
  subject: ({ after }) => after.address,
  build,
  tables: (data, { words }) => [{
    caption: data.title,
    rows: [{ kind: 'name', text: data.label }],
    columns: [words.step.before, words.step.after, words.step.change, words.step.push]
      .map((text) => ({ kind: 'name', text })),
    cells: [[data.before, data.after, changeOf(data), data.push]],
  }],
});
