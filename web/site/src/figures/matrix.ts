// SPDX-License-Identifier: MIT
// A labelled matrix: weights as ink from 0 to 1, signed numbers from brown to teal around 0.

import type { FigureContext, FigureFactory, LabelledMatrix, MatrixData, Rgb } from './contracts';
import { css, inkFill, signedFill, textOn } from './core/colour';
import { html, setAttributes, setStyles, setText } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { cellSide, createGrid, gutterWidth, type Grid, type GridView } from './core/grid';
import { createPaintedGrid, mostCells, paintedSide, type PaintedGrid } from './core/grid-canvas';
import { labelAt, spokenAt, spokenToken } from './core/labels';
import { lay, matrixLimit, placeOf, selectionAt, type Laid } from './core/matrix-cells';
import { setNumber } from './core/number-element';
import { axisNode, sentence, spokenSentence } from './core/sentence';
import { matrixTable } from './core/table-view';

/** Narrower cells have no room for 0.00 at 13 px; they show the sign alone. */
const roomForNumber = 36;
const lineHeight = 32;

/** How far a signed scale reaches: fixed at the largest seen, or to what is there now. */
export function createScale(): { limit(data: { limit?: number }, now: number): number; auto: boolean } {
  let seen = 0;
  return {
    auto: false,
    limit(data, now) {
      seen = Math.max(seen, now);
      return this.auto ? now : data.limit ?? seen;
    },
  };
}

/** Where matrix figures send what the reader does. */
export function gridActions(
  context: FigureContext, laid: () => Laid,
): Parameters<typeof createGrid>[2] {
  const at = ({ row, column }: { row: number; column: number }) => selectionAt(laid(), row, column);
  return {
    preview: (place) => context.selection.preview(place === undefined ? undefined : at(place)),
    move: (place) => context.selection.move(at(place)),
    pin: (place) => context.selection.pin(at(place)),
    release: () => context.selection.release(),
  };
}

export function spokenCell(
  context: FigureContext, matrix: LabelledMatrix, i: number, j: number, value: string,
  looks: boolean,
): string {
  const { words } = context;
  const row = labelAt(matrix.rowLabels, i);
  const column = labelAt(matrix.columnLabels, j);
  if (!looks || row.kind !== 'token' || column.kind !== 'token') {
    return spokenSentence(words.grid.plainCell, {
      row: spokenAt(matrix.rowLabels, i, words), column: spokenAt(matrix.columnLabels, j, words), value,
    });
  }
  const parts = {
    i: String(i), from: spokenToken(row.text, words), j: String(j),
    to: spokenToken(column.text, words), value,
  };
  return matrix.mask === 'causal' && j > i
    ? spokenSentence(words.grid.lookMasked, parts) : spokenSentence(words.grid.lookCell, parts);
}

/** The printed grammar, and the scale with its ends. */
export function grammarLine(
  context: FigureContext, transposed: boolean, sums: boolean, arrow: boolean,
): Node[] {
  const { grid } = context.words;
  const texts = [transposed ? grid.looksTransposed : grid.looks];
  if (sums) texts.push(transposed ? grid.columnSums : grid.rowSums);
  return sentence(texts.join(' '), { one: axisNode('1') }).concat(arrow
    ? [document.createTextNode(' '), html('span', { class: 'should' }, grid.arrow)] : []);
}

const build = (canvas: Canvas<MatrixData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const line = html('p', { class: 'grammar' });
  const legend = html('p', { class: 'legend', dir: 'ltr' });
  const holder = html('div', { class: 'grid-holder' });
  const swap = html('button', { type: 'button', 'aria-pressed': false }, words.grid.transpose);
  const lock = html('button', { type: 'button', 'aria-pressed': true }, words.grid.lock);
  const hint = html('p', { class: 'note hint' });
  body.append(line, holder, legend, hint, html('div', { class: 'figure-controls' }, swap, lock));
  const scale = createScale();
  let transposed = false;
  let laid = lay(canvas.data.matrix, false);
  let grid: { cells: Grid } | { painted: PaintedGrid } | undefined;

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
    const { matrix } = data;
    laid = lay(matrix, transposed);
    const signed = data.colour === 'signed';
    const limit = signed ? scale.limit(data, matrixLimit(matrix)) : 1;
    const digits = signed ? number.digits(limit) : 2;
    lock.hidden = !signed;
    setText(hint, context.selection.pinned ? words.grid.pinned : words.grid.hint);
    line.hidden = !data.looks;
    if (data.looks) {
      const arrow = matrix.rowLabels.expected?.some((text) => text !== undefined) ?? false;
      line.replaceChildren(...grammarLine(context, transposed, !signed, arrow));
    }
    legend.replaceChildren(...legendNodes(canvas, signed, limit, digits));

    const painted = Math.max(matrix.rows, matrix.columns) > mostCells;
    if (grid === undefined || painted !== 'painted' in grid) {
      holder.replaceChildren();
      const actions = gridActions(context, () => laid);
      grid = painted ? { painted: createPaintedGrid(holder, words, actions) }
        : { cells: createGrid(holder, words, actions) };
    }
    const gutter = gutterWidth(laid.rowLabels, laid.rows, canvas.width);
    const need = roomForNumber + Math.max(0, digits - 2) * 8 + (signed ? 12 : 0);
    const side = painted ? paintedSide(canvas.width, gutter, laid.columns)
      : cellSide(canvas.width, gutter, laid.columns, Math.max(44, need));
    const numbers = !painted && side >= need;
    const fill = (row: number, column: number): Rgb => {
      if (laid.masked(row, column)) return theme.paper;
      const value = laid.value(row, column);
      return signed ? signedFill(theme, value, limit) : inkFill(theme, value);
    };
    const view: GridView = {
      ...laid,
      name: data.title,
      current: placeOf(laid, context.selection.current),
      pinned: context.selection.pinned,
      content: [matrix, data.part, data.looks, theme, transposed, limit, digits, numbers],
      gutter,
      cellWidth: side,
      cellHeight: painted ? side : Math.min(side, lineHeight),
      cellName(row, column) {
        const { i, j } = laid.own(row, column);
        const value = number.fixed(laid.value(row, column), digits, signed);
        return spokenCell(context, matrix, i, j, value, data.looks);
      },
      paint(cell, row, column) {
        const masked = laid.masked(row, column);
        // A masked score is minus infinity and a masked weight 0: what the engine holds is said.
        const value = laid.value(row, column);
        const child = cell.firstElementChild ?? cell.appendChild(html('span'));
        setNumber(child, context, { address: laid.address(row, column), value },
          masked && value === 0 ? { digits: 0 } : { digits, signed });
        child.className = numbers || painted ? (painted ? 'hidden' : 'number') : 'number unseen';
        setAttributes(cell, {
          'data-part': data.part, 'data-masked': masked,
          'data-sign': signed && !masked && !numbers && value !== 0
            ? (value > 0 ? '+' : '\u2212') : undefined,
        });
        if (painted) return;
        const colour = fill(row, column);
        setStyles(cell, { 'background-color': css(colour), color: css(textOn(colour)) });
      },
    };
    if ('cells' in grid) grid.cells.draw(view);
    else grid.painted.draw({ ...view, theme, fill });
  }
  return { draw };
};

function legendNodes(
  { context, theme }: Canvas<MatrixData>, signed: boolean, limit: number, digits: number,
): Node[] {
  const { number } = context;
  const stops = signed ? [-limit, -limit / 2, 0, limit / 2, limit] : [0, 0.25, 0.5, 0.75, 1];
  return stops.map((value) => {
    const swatch = html('i', { class: 'swatch' });
    const colour = signed ? signedFill(theme, value, limit) : inkFill(theme, value);
    setStyles(swatch, { 'background-color': css(colour) });
    const text = number.fixed(value, signed ? digits : 2, signed);
    return html('span', { class: 'legend-entry' }, swatch, axisNode(text));
  });
}

export const matrixFigure: FigureFactory<MatrixData> = defineFigure<MatrixData>({
  name: 'matrix',
  subject: ({ matrix }) => matrix.address,
  build,
  tables: ({ title, matrix }) => [matrixTable(title, matrix)],
});
