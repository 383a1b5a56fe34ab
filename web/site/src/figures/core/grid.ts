// SPDX-License-Identifier: MIT
// A matrix as a grid of cells that a pointer, a keyboard and a screen reader can walk: row and
// column headers, one tab stop. What a cell shows is the caller's. Always left to right.

import type { AxisLabels, FigureWords } from '../contracts';
import { html, setAttributes, setStyles } from './dom';
import { labelAt, labelLength, labelNodes, spokenLabel } from './labels';

export interface Place {
  row: number;
  column: number;
}

export interface GridView {
  rows: number;
  columns: number;
  rowLabels: AxisLabels;
  columnLabels: AxisLabels;
  name: string;
  /** Row the pointer or keys are at; cells outside leave nothing marked. */
  current: Place;
  pinned: boolean;
  /** Width of the row headers, and sides of a cell, in px. */
  gutter: number;
  cellWidth: number;
  cellHeight: number;
  cellName(row: number, column: number): string;
  /**
   * All that cells and their names depend on, compared by identity: while it stays the same, a draw
   * moves marks only. A selection that moves by keys would otherwise repaint hundreds of cells.
   * Without it every draw paints.
   */
  content?: readonly unknown[];
  /** Fills one cell. */
  paint(cell: HTMLElement, row: number, column: number): void;
}

export interface GridActions {
  preview(place: Place | undefined): void;
  move(place: Place): void;
  pin(place: Place): void;
  release(): void;
}

export interface Grid {
  draw(view: GridView): void;
}

/** Width that headers of rows take, in px: 13 px monospace is 8 px a character. */
export function gutterWidth(labels: AxisLabels, count: number, available: number): number {
  let longest = 1;
  for (let index = 0; index < count; ++index) {
    longest = Math.max(longest, labelLength(labelAt(labels, index), true));
  }
  return Math.round(Math.min(16 + longest * 8, available * 0.4));
}

/** 24 px is the smallest target; above `most` a wider cell tells nothing more. */
export const cellSide = (
  available: number, gutter: number, columns: number, most = 44,
): number => Math.max(24, Math.min(most, Math.floor((available - gutter - 2) / columns)));

/** Where a key leads, or undefined when it is none of the grid's. */
export function keyTarget(
  event: KeyboardEvent, { row, column }: Place, rows: number, columns: number,
): Place | undefined {
  const targets: Record<string, Place> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: event.ctrlKey ? { row: 0, column: 0 } : { row, column: 0 },
    End: event.ctrlKey ? { row: rows - 1, column: columns - 1 } : { row, column: columns - 1 },
    PageUp: { row: row - 5, column },
    PageDown: { row: row + 5, column },
  };
  const to = targets[event.key];
  return to === undefined ? undefined : {
    row: Math.max(0, Math.min(rows - 1, to.row)),
    column: Math.max(0, Math.min(columns - 1, to.column)),
  };
}

export function createGrid(parent: HTMLElement, words: FigureWords, actions: GridActions): Grid {
  const frame = html('div', { class: 'grid-frame', dir: 'ltr' });
  const grid = html('div', { class: 'grid', role: 'grid' });
  frame.append(grid);
  parent.append(frame);
  let cells: HTMLElement[][] = [];
  let heads: { rows: HTMLElement[]; columns: HTMLElement[] } = { rows: [], columns: [] };
  let built = '';
  let drawnShape = '';
  let drawnContent: readonly unknown[] | undefined;
  let view: GridView;
  let stop: Place = { row: 0, column: 0 };

  function build(): void {
    const { rows, columns, rowLabels, columnLabels } = view;
    const columnHeads = Array.from({ length: columns }, (_, column) => html('div', {
      role: 'columnheader', class: `grid-column mono ${columnLabels.role ?? ''}`,
      'data-column': column, 'aria-label': spokenLabel(labelAt(columnLabels, column), words),
    }, ...labelNodes(labelAt(columnLabels, column), words)));
    const corner = html('div', { role: 'columnheader', class: 'grid-corner' },
      html('span', { class: 'hidden' }, words.labels.row));
    const top = html('div', { role: 'row', class: 'grid-row grid-top' }, corner, ...columnHeads);
    const rowHeads: HTMLElement[] = [];
    cells = [];
    const lines = Array.from({ length: rows }, (_, row) => {
      const head = html('div', {
        role: 'rowheader', class: `grid-head mono ${rowLabels.role ?? ''}`, 'data-row': row,
        'aria-label': spokenLabel(labelAt(rowLabels, row), words),
      }, ...labelNodes(labelAt(rowLabels, row), words, true));
      rowHeads.push(head);
      cells.push(Array.from({ length: columns }, (__, column) => html('div', {
        role: 'gridcell', class: 'grid-cell', 'data-row': row, 'data-column': column, tabindex: -1,
      })));
      return html('div', { role: 'row', class: 'grid-row' }, head, ...cells[row]!);
    });
    heads = { rows: rowHeads, columns: columnHeads };
    grid.replaceChildren(top, ...lines);
  }

  const placeOf = (target: EventTarget | null): Place | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.grid-cell') : null;
    return cell === null
      ? undefined : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
  };

  function takeStop(place: Place): void {
    const old = cells[stop.row]?.[stop.column];
    if (old !== undefined) old.tabIndex = -1;
    stop = place;
    const next = cells[stop.row]?.[stop.column];
    if (next !== undefined) next.tabIndex = 0;
  }

  grid.addEventListener('keydown', (event) => {
    const at = placeOf(event.target);
    if (at === undefined) return;
    const to = keyTarget(event, at, view.rows, view.columns);
    if (to !== undefined) {
      takeStop(to);
      actions.move(to);
      cells[to.row]![to.column]!.focus();
    } else if (event.key === 'Enter') {
      actions.pin(at);
    } else if (event.key === 'Escape') {
      actions.release();
    } else {
      return;
    }
    event.preventDefault();
  });
  grid.addEventListener('focusin', (event) => {
    const at = placeOf(event.target);
    if (at !== undefined) takeStop(at);
  });
  grid.addEventListener('pointerover', (event) => actions.preview(placeOf(event.target)));
  grid.addEventListener('pointerleave', () => actions.preview(undefined));
  grid.addEventListener('click', (event) => {
    const at = placeOf(event.target);
    if (at !== undefined) actions.pin(at);
  });

  return {
    draw(next) {
      view = next;
      const { rows, columns, current } = view;
      // Built anew only for other labels: ten times a second it is the same cells in place.
      const shape = JSON.stringify([rows, columns, view.rowLabels, view.columnLabels]);
      if (shape !== built) {
        built = shape;
        build();
        stop = { row: Math.min(stop.row, rows - 1), column: Math.min(stop.column, columns - 1) };
        takeStop(stop);
      }
      setStyles(grid, {
        '--gutter': `${view.gutter}px`,
        '--cell-width': `${view.cellWidth}px`,
        '--cell-height': `${view.cellHeight}px`,
      });
      grid.classList.toggle('tall', tallHeads());
      setAttributes(grid, {
        'aria-label': view.name, 'aria-rowcount': rows + 1, 'aria-colcount': columns + 1,
      });
      if (!grid.contains(document.activeElement) && current.row < rows && current.column < columns) {
        takeStop(current);
      }
      const { content } = view;
      const same = drawnShape === shape && content !== undefined
        && content.every((part, at) => part === drawnContent?.[at]);
      drawnShape = shape;
      drawnContent = content;
      cells.forEach((line, row) => line.forEach((cell, column) => {
        const here = row === current.row && column === current.column;
        if (!same) {
          setAttributes(cell, { 'aria-label': view.cellName(row, column) });
          view.paint(cell, row, column);
        }
        const selected = String(here && view.pinned);
        if (cell.getAttribute('aria-selected') !== selected) {
          cell.setAttribute('aria-selected', selected);
        }
        if (cell.classList.contains('current') !== here) cell.classList.toggle('current', here);
      }));
      heads.rows.forEach((head, row) => head.classList.toggle('current', row === current.row));
      heads.columns.forEach((head, at) => head.classList.toggle('current', at === current.column));
    },
  };

  /** Column headers stand upright when a token is wider than its cell. */
  function tallHeads(): boolean {
    return Array.from({ length: view.columns }, (_, column) =>
      labelAt(view.columnLabels, column)).some((label) =>
      (label.kind === 'token' ? labelLength({ ...label, index: 0 }) - 2 : labelLength(label)) * 8
        > view.cellWidth - 2);
  }
}
