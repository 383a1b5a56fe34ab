// SPDX-License-Identifier: MIT
// Numbers as bars from a common zero, each with its label.

import type { BarsData, FigureFactory, FigureTable, Part } from './contracts';
import { defineFigure, type Canvas } from './core/figure';
import { largest } from './core/number-element';
import { centred, createRows, signTone, type Row } from './core/rows';

/** Parts with their numbers, one column. */
export const partsTable = (caption: string, parts: readonly Part[], column: string): FigureTable => ({
  caption,
  rows: parts.map(({ label }) => label),
  columns: [{ kind: 'name', text: column }],
  cells: parts.map(({ number }) => [number]),
});

export const valuesOf = (parts: readonly Part[]): number[] => parts.map(({ number }) => number.value);

const build = (canvas: Canvas<BarsData>) => {
  const { body, context } = canvas;
  const rows = createRows(body, context);
  return {
    draw(): void {
      const { data } = canvas;
      const all = data.total === undefined ? data.parts : [...data.parts, data.total];
      const limit = data.limit ?? largest(valuesOf(data.parts));
      const digits = context.number.digits(limit);
      const signed = valuesOf(all).some((value) => value < 0);
      const { address } = context.selection.current;
      rows.draw({
        name: data.title,
        headings: ['', ''],
        rows: all.map(({ label, number, role, part }, index): Row => ({
          key: `${index} ${number.address}`,
          label,
          role,
          part,
          total: index === data.parts.length,
          cells: [
            signed
              ? { kind: 'bar', ...centred(number.value, limit), tone: signTone(number.value) }
              : { kind: 'bar', from: 0, to: limit > 0 ? number.value / limit : 0, tone: 'ink' },
            { kind: 'number', number, rounding: { digits, signed } },
          ],
          selects: { address: number.address },
        })),
        current: all.findIndex(({ number }) => number.address === address),
        onChoose: (index) => data.onChoose?.(index),
      });
    },
  };
};

export const barsFigure: FigureFactory<BarsData> = defineFigure<BarsData>({
  name: 'bars',
  build,
  tables: ({ title, parts, total }, { words }) =>
    [partsTable(title, total === undefined ? parts : [...parts, total], words.bars.total)],
});
