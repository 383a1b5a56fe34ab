// SPDX-License-Identifier: MIT
// Weight and push in the same cell: above how much row i looks at column j, below where descent
// wants the score, minus its gradient. The fill follows the push.

import type { FigureFactory, PushMatrixData } from './contracts';
import { css, inkFill, signedFill, textOn } from './core/colour';
import { html, setAttributes, setStyles, setText } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { cellSide, createGrid, gutterWidth } from './core/grid';
import { labelAt, spokenToken } from './core/labels';
import { lay, matrixLimit, placeOf } from './core/matrix-cells';
import { setNumber } from './core/number-element';
import { axisNode, spokenSentence } from './core/sentence';
import { matrixTable } from './core/table-view';
import { createScale, gridActions, grammarLine } from './matrix';

/** Two lines of small digits. */
const cellHeight = 44;

const build = (canvas: Canvas<PushMatrixData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const line = html('p', { class: 'grammar' });
  const holder = html('div', { class: 'grid-holder' });
  const legend = html('p', { class: 'legend', dir: 'ltr' });
  const swap = html('button', { type: 'button', 'aria-pressed': false }, words.grid.transpose);
  const hint = html('p', { class: 'note hint' });
  const lock = html('button', { type: 'button', 'aria-pressed': true }, words.grid.lock);
  body.append(line, html('p', { class: 'note' }, words.grid.both), holder, legend,
    hint, html('div', { class: 'figure-controls' }, swap, lock));
  const scale = createScale();
  let transposed = false;
  let laid = lay(canvas.data.weights, false);
  const grid = createGrid(holder, words, gridActions(context, () => laid));

  swap.addEventListener('click', () => {
    transposed = !transposed;
    swap.setAttribute('aria-pressed', String(transposed));
    canvas.redraw();
  });
  lock.addEventListener('click', () => {
    scale.auto = !scale.auto;
    lock.setAttribute('aria-pressed', String(!scale.auto));
    canvas.redraw();
  });

  function draw(): void {
    const { data, theme } = canvas;
    const { weights, push } = data;
    laid = lay(weights, transposed);
    const pushes = lay(push, transposed);
    const limit = scale.limit(data, matrixLimit(push));
    const digits = number.digits(limit);
    setText(hint, context.selection.pinned ? words.grid.pinned : words.grid.hint);
    const arrow = weights.rowLabels.expected?.some((text) => text !== undefined) ?? false;
    line.replaceChildren(...grammarLine(context, transposed, true, arrow));
    const gutter = gutterWidth(laid.rowLabels, laid.rows, canvas.width);
    // A push is its sign, 0, a point and `digits` decimals at 13 px: 8 px a character and a margin.
    const width = Math.max((digits + 4) * 8, cellSide(canvas.width, gutter, laid.columns));
    grid.draw({
      ...laid,
      name: data.title,
      current: placeOf(laid, context.selection.current),
      pinned: context.selection.pinned,
      content: [weights, push, theme, transposed, limit, digits],
      gutter,
      cellWidth: width,
      cellHeight,
      cellName(row, column) {
        const { i, j } = laid.own(row, column);
        const value = number.fixed(laid.value(row, column), 2);
        const [from, to] = [labelAt(weights.rowLabels, i), labelAt(weights.columnLabels, j)];
        const token = (label: typeof from): string =>
          (label.kind === 'token' ? spokenToken(label.text, words) : '');
        const masked = laid.masked(row, column);
        return spokenSentence(masked ? words.grid.lookPushMasked : words.grid.lookPush, {
          i: String(i), from: token(from), j: String(j), to: token(to), value,
          push: number.fixed(pushes.value(row, column), digits, true),
        });
      },
      paint(cell, row, column) {
        if (cell.children.length === 0) {
          // The space keeps the numbers apart where the cell is read as one text.
          cell.append(html('span', { class: 'weight', 'data-part': 'weight' }), ' ',
            html('span', { class: 'push', 'data-part': 'push' }));
        }
        const masked = laid.masked(row, column);
        const [top, low] = [...cell.children] as [HTMLElement, HTMLElement];
        setNumber(top, context,
          { address: laid.address(row, column), value: laid.value(row, column) },
          { digits: masked ? 0 : 2 });
        setNumber(low, context,
          { address: pushes.address(row, column), value: pushes.value(row, column) },
          { digits: masked ? 0 : digits, signed: !masked });
        setAttributes(cell, { 'data-masked': masked });
        const above = inkFill(theme, masked ? 0 : laid.value(row, column));
        const below = masked ? theme.paper : signedFill(theme, pushes.value(row, column), limit);
        setStyles(top, { 'background-color': css(above), color: css(textOn(above)) });
        setStyles(low, { 'background-color': css(below), color: css(textOn(below)) });
      },
    });
    legend.replaceChildren(...[-limit, 0, limit].map((value) => {
      const swatch = html('i', { class: 'swatch' });
      setStyles(swatch, { 'background-color': css(signedFill(theme, value, limit)) });
      return html('span', { class: 'legend-entry' }, swatch,
        axisNode(number.fixed(value, digits, true)));
    }), document.createTextNode(words.grid.push));
  }
  return { draw };
};

export const pushMatrixFigure: FigureFactory<PushMatrixData> = defineFigure<PushMatrixData>({
  name: 'push-matrix',
  subject: ({ push }) => push.address,
  build,
  tables: ({ weights, push }, { words }) =>
    [matrixTable(words.grid.weight, weights), matrixTable(words.grid.push, push)],
});
