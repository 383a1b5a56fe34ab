// SPDX-License-Identifier: MIT
// One step's change of the loss by group of weights: what the gradient predicts, what is measured
// when the group moves alone, and what remains.

import type { AddressedNumber, FigureFactory, LedgerData } from './contracts';
import { html, Keyed, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { largest, numberNode } from './core/number-element';
import { centred, createRows, signTone, type Row, type RowCell } from './core/rows';
import { sentence, spokenSentence } from './core/sentence';

/** Loss after minus loss before. */
const measuredChange = ({ before, after }: LedgerData): AddressedNumber => ({
  address: `${after.address}-${before.address}`, value: after.value - before.value,
});

const build = (canvas: Canvas<LedgerData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const facts = html('div', { class: 'facts' });
  body.append(facts);
  const rows = createRows(body, context);
  const applies = html('div', { class: 'figure-controls' });
  body.append(applies, html('p', { class: 'note' }, words.ledger.explain));
  const toggles = new Keyed();
  return {
    draw(): void {
      const { data } = canvas;
      const whole = measuredChange(data);
      const all = [...data.groups.flatMap(({ predicted, measured }) =>
        [predicted.value, measured.value]), whole.value, data.predicted.value, data.remainder.value];
      const limit = largest(all);
      const rounding = { digits: number.digits(limit) + 1, signed: true };
      const cells = (predicted: AddressedNumber | undefined, measured: AddressedNumber): RowCell[] => [
        predicted === undefined ? { kind: 'text', text: '' }
          : { kind: 'bar', ...centred(predicted.value, limit), tone: signTone(predicted.value) },
        predicted === undefined ? { kind: 'text', text: '' }
          : { kind: 'number', number: predicted, rounding },
        { kind: 'bar', ...centred(measured.value, limit), tone: signTone(measured.value) },
        { kind: 'number', number: measured, rounding },
      ];
      const { address } = context.selection.current;
      const name = (text: string): Row['label'] => ({ kind: 'name', text });
      const list: Row[] = [
        ...data.groups.map(({ name: group, predicted, measured, applied }): Row => ({
          key: `group ${group}`,
          label: name(group),
          cells: cells(predicted, measured),
          off: applied === false,
          selects: { address: measured.address },
        })),
        { key: 'sum', label: name(words.ledger.sum), cells: cells(data.predicted, whole), total: true,
          selects: { address: whole.address } },
        { key: 'remainder', label: name(words.ledger.remainder),
          cells: cells(undefined, data.remainder), selects: { address: data.remainder.address } },
      ];
      rows.draw({
        name: data.title,
        headings: ['', words.ledger.predicted, '', words.ledger.measured],
        rows: list,
        current: list.findIndex(({ selects }) => selects?.address === address),
      });
      const losses = [[words.ledger.before, data.before], [words.ledger.after, data.after]] as const;
      const digits = Math.max(3, rounding.digits);
      facts.replaceChildren(...losses.map(([text, loss]) =>
        html('p', {}, `${text}: `, numberNode(context, loss, { digits }))));
      if (data.onApply !== undefined) {
        for (const { name: group, applied } of data.groups) {
          const toggle = toggles.get(group, applies, () => {
            const made = html('button', { type: 'button' },
              ...sentence(words.ledger.apply, { name: html('bdi', {}, group) }));
            made.addEventListener('click', () => canvas.data.onApply?.(
              group, made.getAttribute('aria-pressed') !== 'true'));
            return made;
          });
          setAttributes(toggle, {
            'aria-pressed': applied !== false,
            'aria-label': spokenSentence(words.ledger.apply, { name: group }),
          });
        }
      }
      toggles.sweep();
    },
  };
};

export const ledgerFigure: FigureFactory<LedgerData> = defineFigure<LedgerData>({
  name: 'ledger',
  build,
  tables: (data, { words }) => [{
    caption: data.title,
    rows: [...data.groups.map(({ name }) => name), words.ledger.sum, words.ledger.remainder,
      words.ledger.before, words.ledger.after].map((text) => ({ kind: 'name', text })),
    columns: [words.ledger.predicted, words.ledger.measured].map((text) => ({ kind: 'name', text })),
    cells: [
      ...data.groups.map(({ predicted, measured }) => [predicted, measured]),
      [data.predicted, measuredChange(data)],
      [undefined, data.remainder],
      [undefined, data.before],
      [undefined, data.after],
    ],
  }],
});
