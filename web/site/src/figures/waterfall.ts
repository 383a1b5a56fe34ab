// SPDX-License-Identifier: MIT
// Parts that add up: each bar starts where the one before ended, and the sum is shown beside the
// total that it has to equal.

import type { FigureFactory, Part, WaterfallData } from './contracts';
import { partsTable } from './bars';
import { defineFigure, type Canvas } from './core/figure';
import { largest } from './core/number-element';
import { createRows, signTone, type Row } from './core/rows';

/** Where each part starts and ends, after `from`. */
function ends(parts: readonly Part[], from: number): { start: number; end: number }[] {
  let at = from;
  return parts.map(({ number: { value } }) => {
    const start = at;
    at += value;
    return { start, end: at };
  });
}

const build = (canvas: Canvas<WaterfallData>) => {
  const { body, context } = canvas;
  const rows = createRows(body, context);
  return {
    draw(): void {
      const { data } = canvas;
      const { parts, total, from } = data;
      const start = from?.number.value ?? 0;
      const spans = ends(parts, start);
      const points = [0, start, total.number.value, ...spans.map(({ end }) => end)];
      const low = Math.min(...points);
      const high = Math.max(...points);
      const place = (value: number): number => (high > low ? (value - low) / (high - low) : 0);
      const digits = context.number.digits(largest(parts.map(({ number }) => number.value)));
      const { address } = context.selection.current;
      const bar = (a: number, b: number, tone: 'ink' | 'less' | 'more'): Row['cells'][number] => ({
        kind: 'bar', from: place(Math.min(a, b)), to: place(Math.max(a, b)), zero: place(0), tone,
      });
      const row = (part: Part, bars: Row['cells'][number], whole: boolean, key: string): Row => ({
        key,
        label: part.label,
        role: part.role,
        part: part.part,
        total: whole,
        cells: [bars, { kind: 'number', number: part.number, rounding: { digits, signed: true } }],
        selects: { address: part.number.address },
      });
      const all = [
        ...(from === undefined ? [] : [row(from, bar(0, start, 'ink'), false, 'from')]),
        ...parts.map((part, index) => row(part,
          bar(spans[index]!.start, spans[index]!.end, signTone(part.number.value)), false,
          `${index} ${part.number.address}`)),
        row(total, bar(0, total.number.value, 'ink'), true, 'total'),
      ];
      rows.draw({
        name: data.title,
        headings: ['', ''],
        rows: all,
        current: all.findIndex(({ selects }) => selects?.address === address),
      });
    },
  };
};

export const waterfallFigure: FigureFactory<WaterfallData> = defineFigure<WaterfallData>({
  name: 'waterfall',
  subject: ({ total }) => total.number.address,
  build,
  tables: ({ title, parts, total, from }, { words }) =>
    [partsTable(title, [...(from === undefined ? [] : [from]), ...parts, total], words.bars.total)],
});
