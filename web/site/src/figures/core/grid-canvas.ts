// SPDX-License-Identifier: MIT
// The grid for matrices too large for an element a cell: cells are painted, and over them lies a
// grid of which only the row in use has its cells in the page.

import type { FigureTheme, FigureWords, Rgb } from '../contracts';
import { html, setAttributes, setStyles } from './dom';
import { keyTarget, type GridActions, type Place } from './grid';
import { labelAt, labelNodes, spokenLabel } from './labels';
import type { GridView } from './grid';

/** More cells than this along one side are painted. */
export const mostCells = 32;

/** Below 8 px a cell cannot be pointed at; the map then scrolls in its frame. */
export const paintedSide = (available: number, gutter: number, columns: number): number =>
  Math.max(8, Math.min(24, Math.floor((available - gutter - 2) / columns)));

export interface PaintedView extends GridView {
  theme: FigureTheme;
  fill(row: number, column: number): Rgb;
}

export interface PaintedGrid {
  draw(view: PaintedView): void;
}

export function createPaintedGrid(
  parent: HTMLElement, words: FigureWords, actions: GridActions,
): PaintedGrid {
  const canvas = html('canvas', { 'aria-hidden': true });
  const top = html('div', { role: 'row', class: 'painted-columns', 'aria-rowindex': 1 });
  const line = html('div', { role: 'row', class: 'painted-row' });
  const grid = html('div', { class: 'painted', role: 'grid' }, canvas, top, line);
  parent.append(html('div', { class: 'grid-frame', dir: 'ltr' }, grid));
  let view: PaintedView;
  let row = 0;
  let column = 0;

  function paintCells(): void {
    const { rows, columns } = view;
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns;
      canvas.height = rows;
    }
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(columns, rows);
    for (let cell = 0; cell < rows * columns; ++cell) {
      const fill = view.fill(Math.floor(cell / columns), cell % columns);
      image.data.set([...fill, 255], 4 * cell);
    }
    context.putImageData(image, 0, 0);
  }

  function placeOf(event: MouseEvent): Place | undefined {
    const box = canvas.getBoundingClientRect();
    const at = {
      row: Math.floor((event.clientY - box.top) / view.cellHeight),
      column: Math.floor((event.clientX - box.left) / view.cellWidth),
    };
    const inside = at.row >= 0 && at.column >= 0 && at.row < view.rows && at.column < view.columns;
    return inside ? at : undefined;
  }

  grid.addEventListener('keydown', (event) => {
    const to = keyTarget(event, { row, column }, view.rows, view.columns);
    if (to !== undefined) {
      actions.move(to);
      line.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    } else if (event.key === 'Enter') {
      actions.pin({ row, column });
    } else if (event.key === 'Escape') {
      actions.release();
    } else {
      return;
    }
    event.preventDefault();
  });
  grid.addEventListener('pointermove', (event) => actions.preview(placeOf(event)));
  grid.addEventListener('pointerleave', () => actions.preview(undefined));
  grid.addEventListener('click', (event) => {
    const at = placeOf(event);
    if (at !== undefined) actions.pin(at);
  });

  return {
    draw(next) {
      view = next;
      const { rows, columns, cellWidth, cellHeight, gutter } = view;
      // A selection that says nothing of a side leaves its first row or column in use.
      row = Math.max(0, Math.min(view.current.row, rows - 1));
      column = Math.max(0, Math.min(view.current.column, columns - 1));
      setAttributes(grid, {
        'aria-label': view.name, 'aria-rowcount': rows + 1, 'aria-colcount': columns + 1,
      });
      setStyles(grid, {
        '--gutter': `${gutter}px`, '--cell-width': `${cellWidth}px`,
        '--cell-height': `${cellHeight}px`,
        width: `${gutter + columns * cellWidth}px`, height: `${gutter + rows * cellHeight}px`,
      });
      setStyles(canvas, {
        width: `${columns * cellWidth}px`, height: `${rows * cellHeight}px`,
      });
      paintCells();
      // Headers of the row and column in use; the others would be smaller than can be read.
      const head = html('span', {
        role: 'rowheader', 'aria-colindex': 1, class: 'painted-head mono current',
        'data-row': row, 'aria-label': spokenLabel(labelAt(view.rowLabels, row), words),
      }, ...labelNodes(labelAt(view.rowLabels, row), words));
      const headOver = html('span', {
        role: 'columnheader', 'aria-colindex': column + 2, class: 'painted-over mono current',
        'data-column': column, 'aria-label': spokenLabel(labelAt(view.columnLabels, column), words),
      }, ...labelNodes(labelAt(view.columnLabels, column), words));
      setStyles(head, { top: `${gutter + row * cellHeight}px` });
      setStyles(headOver, { left: `${gutter + column * cellWidth}px` });
      top.replaceChildren(headOver);
      line.setAttribute('aria-rowindex', String(row + 2));
      const had = line.contains(document.activeElement);
      const cells = Array.from({ length: columns }, (_, at) => {
        const cell = html('span', {
          role: 'gridcell', 'aria-colindex': at + 2, class: 'painted-cell',
          'aria-label': view.cellName(row, at), 'data-row': row, 'data-column': at,
          'aria-selected': at === column && view.pinned, tabindex: at === column ? 0 : -1,
        });
        cell.classList.toggle('current', at === column);
        setStyles(cell, {
          left: `${gutter + at * cellWidth}px`, top: `${gutter + row * cellHeight}px`,
        });
        view.paint(cell, row, at);
        return cell;
      });
      line.replaceChildren(head, ...cells);
      if (had) cells[column]!.focus();
    },
  };
}
