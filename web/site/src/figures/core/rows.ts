// SPDX-License-Identifier: MIT
// A list of labelled rows, each with bars and numbers: one tab stop, arrows move, Enter pins. Many
// figures are such a list, or have one below their drawing for those who do not point.

import type { AddressedNumber, FigureContext, Label, Role, Selection } from '../contracts';
import { html, Keyed, setAttributes, setStyles } from './dom';
import { labelNodes, namedLabel } from './labels';
import { setNumber, type Rounding } from './number-element';
import { createRover } from './rover';

export type RowCell =
  | { kind: 'number'; number: AddressedNumber; rounding: Rounding; part?: string | undefined }
  /** `from` and `to` are shares of the track, 0 to 1; `zero` marks where 0 lies. */
  | { kind: 'bar'; from: number; to: number; zero?: number | undefined; tone: 'ink' | 'less' | 'more' }
  | { kind: 'text'; text: string };

export interface Row {
  key: string;
  label: Label;
  role?: Role | undefined;
  cells: readonly RowCell[];
  /** Takes part in nothing: masked, cut, not applied. */
  off?: boolean;
  /** A sum or total, set apart by a rule. */
  total?: boolean;
  part?: string | undefined;
  /** What choosing the row says; rows without it are not part of the walk. */
  selects?: Partial<Selection> | undefined;
}

export interface RowsView {
  name: string;
  /** Over each cell. */
  headings: readonly string[];
  rows: readonly Row[];
  current: number;
  onChoose?: ((index: number) => void) | undefined;
}

export interface Rows {
  draw(view: RowsView): void;
}

const percent = (share: number): string => `${(100 * Math.max(0, Math.min(1, share))).toFixed(3)}%`;

/** The share of a bar's track for a signed number with 0 in the middle. */
export const centred = (value: number, limit: number): { from: number; to: number; zero: number } => {
  const at = 0.5 + (limit > 0 ? Math.max(-1, Math.min(1, value / limit)) / 2 : 0);
  return { from: Math.min(0.5, at), to: Math.max(0.5, at), zero: 0.5 };
};

export const signTone = (value: number): 'less' | 'more' => (value < 0 ? 'less' : 'more');

function drawBar(cell: HTMLElement, { from, to, zero, tone }: Extract<RowCell, { kind: 'bar' }>): void {
  const fill = cell.querySelector<HTMLElement>('.bar-fill')
    ?? cell.appendChild(html('span', { class: 'bar-fill' }));
  fill.className = `bar-fill ${tone}`;
  setStyles(fill, { left: percent(from), width: percent(to - from) });
  if (zero === undefined) return;
  const line = cell.querySelector<HTMLElement>('.bar-zero')
    ?? cell.appendChild(html('span', { class: 'bar-zero' }));
  setStyles(line, { left: percent(zero) });
}

export function createRows(parent: HTMLElement, context: FigureContext): Rows {
  const head = html('div', { class: 'rows-head', 'aria-hidden': true });
  const list = html('div', { class: 'rows', role: 'listbox' });
  const holder = html('div', { class: 'rows-holder', dir: 'ltr' }, head, list);
  parent.append(holder);
  const elements = new Keyed();
  let view: RowsView;

  const rowAt = (index: number): Row => view.rows[index]!;
  const rover = createRover(list, {
    look(index, by) {
      const { selects } = rowAt(index);
      if (selects === undefined) return;
      if (by === 'keys') context.selection.move(selects);
      else context.selection.preview(selects);
    },
    leave: () => context.selection.preview(undefined),
    choose(index) {
      const { selects } = rowAt(index);
      if (selects !== undefined) context.selection.pin(selects);
      view.onChoose?.(index);
    },
    release: () => context.selection.release(),
  });

  function spoken(row: Row): string {
    const numbers = row.cells.flatMap((cell) => cell.kind === 'bar' ? [] : [cell.kind === 'text'
      ? cell.text
      : context.number.fixed(cell.number.value, cell.rounding.digits, cell.rounding.signed)]);
    // What is seen, in its order; what the columns mean comes after, in brackets.
    const headings = view.headings.filter((text, at) => text !== '' && row.cells[at]?.kind !== 'bar');
    return [
      namedLabel(row.label, context.words), ...numbers,
      ...(headings.length > 0 ? [`(${headings.join(', ')})`] : []),
    ].join(' ');
  }

  function drawRow(row: Row, index: number): HTMLElement {
    const element = elements.get(row.key, list, () => html('div', { role: 'option', class: 'row' },
      html('span', { class: 'row-label' }),
      // The spaces keep numbers apart where the row is read as one text.
      ...row.cells.flatMap((cell) => [' ', html('span', { class: `row-${cell.kind}` })])));
    const current = index === view.current;
    setAttributes(element, {
      'aria-selected': current, 'aria-label': spoken(row), 'data-part': row.part,
      'data-off': row.off === true, 'data-total': row.total === true,
    });
    element.classList.toggle('current', current);
    const [label, ...cells] = [...element.children] as HTMLElement[];
    const named = JSON.stringify(row.label);
    if (label!.dataset['label'] !== named) {
      label!.dataset['label'] = named;
      label!.className = `row-label ${row.label.kind === 'token' ? 'mono' : ''} ${row.role ?? ''}`;
      label!.replaceChildren(...labelNodes(row.label, context.words));
    }
    row.cells.forEach((cell, at) => {
      const place = cells[at]!;
      if (cell.kind === 'bar') drawBar(place, cell);
      else if (cell.kind === 'text') place.textContent = cell.text;
      else {
        setNumber(place, context, cell.number, cell.rounding);
        if (cell.part !== undefined) place.dataset['part'] = cell.part;
      }
    });
    return element;
  }

  return {
    draw(next) {
      view = next;
      setAttributes(list, { 'aria-label': view.name });
      const first = view.rows[0];
      const columns = (first?.cells ?? []).map(({ kind }) =>
        kind === 'bar' ? 'minmax(1.5rem, 1fr)' : 'minmax(min-content, max-content)');
      setStyles(holder, { 'grid-template-columns': `minmax(min-content, max-content) ${columns.join(' ')}` });
      const headings = ['', ...view.headings];
      if (head.dataset['texts'] !== JSON.stringify(headings)) {
        head.dataset['texts'] = JSON.stringify(headings);
        head.replaceChildren(...headings.map((text) => html('span', {}, text)));
      }
      head.hidden = view.headings.every((text) => text === '');
      const items = view.rows.map(drawRow);
      elements.sweep();
      rover.refresh(items, Math.max(0, view.current));
    },
  };
}
