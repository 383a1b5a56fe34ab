// SPDX-License-Identifier: MIT
// A projection's gradient as a stack of outer products, one for each token: choosing a token shows
// what it adds; bars show its signed share of the whole.

import type { FigureFactory, OuterStackData } from './contracts';
import { css, signedFill, textOn } from './core/colour';
import { html, setStyles } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { createGrid, gutterWidth } from './core/grid';
import { createPaintedGrid, mostCells } from './core/grid-canvas';
import { labelAt, labelNodes, spokenAt } from './core/labels';
import { lay, matrixLimit, placeOf } from './core/matrix-cells';
import { numberNode, setNumber } from './core/number-element';
import { partOf } from './core/outer';
import { centred, createRows, signTone, type Row } from './core/rows';
import { sentence, spokenSentence } from './core/sentence';
import { matrixTable, vectorsTable } from './core/table-view';
import { gridActions } from './matrix';

const build = (canvas: Canvas<OuterStackData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const caption = html('p', { class: 'note' });
  const holder = html('div', { class: 'grid-holder' });
  const all = html('button', { type: 'button' }, words.outer.all);
  const small = html('p', { class: 'note' }, words.outer.small);
  body.append(caption, holder, html('div', { class: 'figure-controls' }, all), small);
  const rows = createRows(body, context);
  const sum = html('p', { class: 'facts' });
  const pairsHolder = html('div', { class: 'grid-holder' });
  body.append(sum, pairsHolder);
  let chosen: number | undefined;
  let laid = lay(canvas.data.gradient, false);
  let pairsLaid = laid;
  const actions = gridActions(context, () => laid);
  const cells = Math.max(canvas.data.gradient.rows, canvas.data.gradient.columns) > mostCells
    ? { painted: createPaintedGrid(holder, words, actions) }
    : { grid: createGrid(holder, words, actions) };
  const pairs = createGrid(pairsHolder, words, gridActions(context, () => pairsLaid));

  all.addEventListener('click', () => {
    chosen = undefined;
    canvas.redraw();
  });

  /** Small cells without numbers in sight: the inspector and the table have them. */
  function drawMatrix(limit: number): void {
    const { data, theme } = canvas;
    const part = partOf(data, chosen);
    laid = lay(part, false);
    const digits = number.digits(limit);
    const gutter = gutterWidth(laid.rowLabels, laid.rows, canvas.width);
    const fill = (row: number, column: number) => signedFill(theme, laid.value(row, column), limit);
    const view = {
      ...laid,
      name: data.title,
      current: placeOf(laid, context.selection.current),
      pinned: context.selection.pinned,
      gutter,
      cellWidth: 'painted' in cells ? 8 : 24,
      cellHeight: 'painted' in cells ? 8 : 24,
      cellName: (row: number, column: number) => spokenSentence(words.grid.plainCell, {
        row: spokenAt(laid.rowLabels, row, words),
        column: spokenAt(laid.columnLabels, column, words),
        value: number.fixed(laid.value(row, column), digits, true),
      }),
      paint(cell: HTMLElement, row: number, column: number): void {
        const value = laid.value(row, column);
        const child = cell.firstElementChild ?? cell.appendChild(html('span'));
        child.className = 'painted' in cells ? 'hidden' : 'unseen';
        setNumber(child, context, { address: laid.address(row, column), value },
          { digits, signed: true });
        if ('painted' in cells) return;
        const colour = fill(row, column);
        cell.toggleAttribute('data-sign', value !== 0);
        if (value !== 0) cell.dataset['sign'] = value > 0 ? '+' : '\u2212';
        setStyles(cell, { 'background-color': css(colour), color: css(textOn(colour)) });
      },
    };
    if (cells.grid !== undefined) cells.grid.draw(view);
    else cells.painted.draw({ ...view, theme, fill });
  }

  function drawPairs(): void {
    const { pairs: matrix, meaningful, title } = canvas.data;
    pairsHolder.hidden = matrix === undefined || !meaningful;
    if (matrix === undefined || !meaningful) return;
    pairsLaid = lay(matrix, false);
    const limit = matrixLimit(matrix);
    pairs.draw({
      ...pairsLaid,
      name: `${title}: ${words.outer.share}`,
      current: placeOf(pairsLaid, context.selection.current),
      pinned: context.selection.pinned,
      gutter: gutterWidth(pairsLaid.rowLabels, pairsLaid.rows, canvas.width),
      cellWidth: 48,
      cellHeight: 28,
      cellName: (row, column) => spokenSentence(words.grid.plainCell, {
        row: spokenAt(pairsLaid.rowLabels, row, words),
        column: spokenAt(pairsLaid.columnLabels, column, words),
        value: number.fixed(pairsLaid.value(row, column), 2, true),
      }),
      paint(cell, row, column) {
        const value = pairsLaid.value(row, column);
        const masked = pairsLaid.masked(row, column);
        const child = cell.firstElementChild ?? cell.appendChild(html('span', { class: 'number' }));
        setNumber(child, context, { address: pairsLaid.address(row, column), value },
          masked ? { digits: 0 } : { digits: 2, signed: true });
        const colour = masked ? canvas.theme.paper : signedFill(canvas.theme, value, limit);
        cell.toggleAttribute('data-masked', masked);
        setStyles(cell, { 'background-color': css(colour), color: css(textOn(colour)) });
      },
    });
  }

  function draw(): void {
    const { data } = canvas;
    const { shares, meaningful, of, left } = data;
    const count = shares.values.length;
    if (chosen !== undefined && chosen >= count) chosen = undefined;
    const parts = [undefined, ...Array.from({ length: count }, (_, t) => t)];
    // One scale for the whole and all its parts, so that they can be compared.
    const limit = Math.max(...parts.map((t) => matrixLimit(partOf(data, t))));
    caption.replaceChildren(...(chosen === undefined
      ? sentence(words.outer.gradient, { of })
      : sentence(words.outer.chosen, { index: '', token: html('span', {},
          ...labelNodes({ ...labelAt(left.rowLabels, chosen) }, words)) })));
    drawMatrix(limit);
    all.setAttribute('aria-pressed', String(chosen === undefined));
    small.hidden = meaningful;
    const values = Array.from(shares.values);
    const most = Math.max(...values.map(Math.abs), 0);
    rows.draw({
      name: `${data.title}: ${words.outer.share}`,
      headings: meaningful ? ['', words.outer.share] : [''],
      rows: values.map((share, t): Row => ({
        key: `${t} ${meaningful}`,
        label: labelAt(left.rowLabels, t),
        cells: meaningful
          ? [
              { kind: 'bar', ...centred(share, most), tone: signTone(share) },
              { kind: 'number', number: { address: `${shares.address}.${t}`, value: share },
                rounding: { digits: 2, signed: true } },
            ]
          : [{ kind: 'text', text: '' }],
        selects: { address: `${shares.address}.${t}` },
      })),
      current: chosen ?? -1,
      onChoose(t) {
        chosen = chosen === t ? undefined : t;
        canvas.redraw();
      },
    });
    sum.hidden = !meaningful;
    sum.replaceChildren(...sentence(words.outer.shareSum, {
      sum: numberNode(context, {
        address: `${shares.address}.sum`, value: values.reduce((total, share) => total + share, 0),
      }, { digits: 2 }),
    }));
    drawPairs();
  }
  return { draw };
};

export const outerStackFigure: FigureFactory<OuterStackData> = defineFigure<OuterStackData>({
  name: 'outer-stack',
  subject: ({ gradient }) => gradient.address,
  build,
  tables: ({ title, gradient, shares, meaningful, left, pairs }, { words }) => [
    matrixTable(title, gradient),
    ...(meaningful ? [vectorsTable(words.outer.share, [
      { name: words.outer.share, vector: { ...shares, labels: left.rowLabels } },
    ])] : []),
    ...(meaningful && pairs !== undefined ? [matrixTable(words.outer.share, pairs)] : []),
  ],
});
