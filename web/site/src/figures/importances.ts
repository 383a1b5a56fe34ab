// SPDX-License-Identifier: MIT
// Four answers to "which cell is important", side by side, and how far their orders agree.

import type {
  AddressedNumber, FigureFactory, FigureTable, ImportancesData, LabelledMatrix,
} from './contracts';
import { css, inkFill, signedFill, textOn } from './core/colour';
import { html, setAttributes, setStyles } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { createGrid, gutterWidth } from './core/grid';
import { lay, matrixLimit, placeOf } from './core/matrix-cells';
import { numberNode, setNumber } from './core/number-element';
import { rankAgreement } from './core/ranks';
import { createRows, centred, signTone, type Row } from './core/rows';
import { axisNode, sentence } from './core/sentence';
import { matrixTable } from './core/table-view';
import { gridActions, spokenCell } from './matrix';

const maps = ['weights', 'sizes', 'firstOrder', 'cut'] as const;
type MapName = (typeof maps)[number];

/** Visible cells in row order. */
function visible(matrix: LabelledMatrix): number[] {
  const laid = lay(matrix, false);
  const values: number[] = [];
  for (let i = 0; i < laid.rows; ++i) {
    for (let j = 0; j < laid.columns; ++j) if (!laid.masked(i, j)) values.push(laid.value(i, j));
  }
  return values;
}

/** Column of the largest cell that row i can see. */
function top(matrix: LabelledMatrix, i: number): number {
  const laid = lay(matrix, false);
  let best = 0;
  for (let j = 1; j < laid.columns; ++j) {
    if (!laid.masked(i, j) && laid.value(i, j) > laid.value(i, best)) best = j;
  }
  return best;
}

function agreements(data: ImportancesData): { first: MapName; second: MapName; number: AddressedNumber }[] {
  return maps.flatMap((first, at) => maps.slice(at + 1).map((second) => ({
    first,
    second,
    number: {
      address: `${data.scope}.agreement.${first}.${second}`,
      value: rankAgreement(visible(data[first]), visible(data[second])),
    },
  })));
}

const build = (canvas: Canvas<ImportancesData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const holder = html('div', { class: 'four' });
  body.append(holder);
  const grids = maps.map((name) => {
    const place = html('div', { class: 'grid-holder' });
    holder.append(html('div', { class: 'four-part', 'data-map': name },
      html('p', {}, words.importance[name]), place));
    let laid = lay(canvas.data[name], false);
    const grid = createGrid(place, words, gridActions(context, () => laid));
    return { name, draw: (): void => { laid = lay(canvas.data[name], false); drawMap(name, grid); } };
  });
  body.append(html('p', {}, words.importance.agreement));
  const rows = createRows(body, context);
  const counts = html('div', { class: 'facts' });
  body.append(counts);

  function drawMap(name: MapName, grid: ReturnType<typeof createGrid>): void {
    const { data, theme } = canvas;
    const matrix = data[name];
    const laid = lay(matrix, false);
    const signed = name === 'firstOrder' || name === 'cut';
    const limit = name === 'weights' ? 1 : matrixLimit(matrix);
    const digits = name === 'weights' ? 2 : number.digits(limit);
    grid.draw({
      ...laid,
      name: words.importance[name],
      current: placeOf(laid, context.selection.current),
      pinned: context.selection.pinned,
      gutter: gutterWidth(laid.rowLabels, laid.rows, canvas.width),
      cellWidth: 24,
      cellHeight: 24,
      cellName: (i, j) => spokenCell(context, matrix, i, j,
        number.fixed(laid.value(i, j), digits, signed), true),
      paint(cell, i, j) {
        const masked = laid.masked(i, j);
        const value = laid.value(i, j);
        const child = cell.firstElementChild ?? cell.appendChild(html('span', { class: 'unseen' }));
        // A masked edge cannot be cut; there is no number to show.
        if (masked && Number.isNaN(value)) child.textContent = '';
        else {
          setNumber(child, context, { address: laid.address(i, j), value },
            masked && value === 0 ? { digits: 0 } : { digits, signed });
        }
        setAttributes(cell, {
          'data-masked': masked,
          'data-sign': signed && !masked && value !== 0 ? (value > 0 ? '+' : '\u2212') : undefined,
        });
        const fill = masked ? theme.paper
          : signed ? signedFill(theme, value, limit)
            : inkFill(theme, limit > 0 ? value / limit : 0);
        setStyles(cell, { 'background-color': css(fill), color: css(textOn(fill)) });
      },
    });
  }

  return {
    draw(): void {
      const { data } = canvas;
      for (const grid of grids) grid.draw();
      const { address } = context.selection.current;
      const pairs = agreements(data);
      const name = { weights: 'A', sizes: 'A|v|', firstOrder: '−A·dA', cut: '✂' };
      rows.draw({
        name: words.importance.agreement,
        headings: ['', ''],
        rows: pairs.map(({ first, second, number: own }): Row => ({
          key: `${first} ${second}`,
          label: { kind: 'name', text: `${name[first]} ~ ${name[second]}` },
          cells: [
            { kind: 'bar', ...centred(Number.isNaN(own.value) ? 0 : own.value, 1),
              tone: signTone(own.value) },
            { kind: 'number', number: own, rounding: { digits: 2, signed: true } },
          ],
          selects: { address: own.address },
        })),
        current: pairs.findIndex(({ number: own }) => own.address === address),
      });
      const { rows: count } = data.weights;
      const rowsOf = Array.from({ length: count }, (_, i) => i);
      const self = rowsOf.filter((i) => top(data.weights, i) === i).length;
      const cut = rowsOf.filter((i) => top(data.weights, i) === top(data.cut, i)).length;
      const line = (template: string, name: string, value: number): HTMLElement => html('p', {},
        ...sentence(template, {
          count: numberNode(context, { address: `${data.scope}.${name}`, value }, { digits: 0 }),
          total: axisNode(String(count)),
        }));
      counts.replaceChildren(line(words.importance.selfTop, 'selfTop', self),
        line(words.importance.cutTop, 'cutTop', cut));
    },
  };
};

export const importancesFigure: FigureFactory<ImportancesData> = defineFigure<ImportancesData>({
  name: 'importances',
  subject: ({ scope }) => scope,
  build,
  tables: (data, { words }): FigureTable[] => [
    ...maps.map((name) => matrixTable(words.importance[name], data[name])),
    {
      caption: words.importance.agreement,
      rows: maps.map((map) => ({ kind: 'name', text: words.importance[map] })),
      columns: maps.map((map) => ({ kind: 'name', text: words.importance[map] })),
      cells: maps.map((row) => maps.map((column) => agreements(data).find(({ first, second }) =>
        first === row && second === column)?.number)),
    },
  ],
});
