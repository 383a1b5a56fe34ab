// SPDX-License-Identifier: MIT
// What each value would gain the row beside what the present mixture gains: a score is pushed up
// exactly for the dots to the right of the mean line.

import type { FigureFactory, GainDotsData } from './contracts';
import { html } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, labelNodes } from './core/labels';
import { largest, numberNode } from './core/number-element';
import { centred, createRows, signTone, type Row } from './core/rows';
import { axisNode, sentence } from './core/sentence';
import { createStage } from './core/stage';
import { vectorsTable } from './core/table-view';

/** Columns that the row can see. */
const seen = ({ i, weights }: GainDotsData): number[] =>
  Array.from(weights.values, (_, j) => j).filter((j) => j <= i || weights.values[j]! > 0);

const build = (canvas: Canvas<GainDotsData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const stage = createStage(body);
  body.append(html('p', { class: 'note' }, `${words.gain.axis}. ${words.gain.size}`),
    html('p', { class: 'note' }, words.gain.rule));
  const rows = createRows(body, context);
  return {
    draw(): void {
      const { data, width } = canvas;
      const { gains, mean, weights, pushes } = data;
      const columns = seen(data);
      const values = [...columns.map((j) => gains.values[j]!), mean.value];
      const low = Math.min(0, ...values);
      const high = Math.max(0, ...values);
      const digits = number.digits(largest(values));
      const height = 120;
      const base = 78;
      const at = (value: number): number =>
        30 + (high > low ? (value - low) / (high - low) : 0.5) * (width - 60);
      stage.begin(width, height);
      stage.shape('rail', 'line', { x1: 8, x2: width - 8, y1: base, y2: base, class: 'rail' });
      stage.shape('zero', 'line', { x1: at(0), x2: at(0), y1: base - 6, y2: base + 6, class: 'rail' });
      stage.label('zero', { x: at(0), y: base + 18 }, [axisNode('0')], { class: 'quiet', loose: true });
      stage.shape('mean', 'line', {
        x1: at(mean.value), x2: at(mean.value), y1: 20, y2: base + 14, class: 'mean-line',
        'data-part': 'mean',
      });
      stage.label('mean', { x: at(mean.value), y: 10 }, sentence(words.gain.mean, {
        mean: numberNode(context, mean, { digits, signed: true }),
      }), { part: 'mean' });
      const { j: here } = context.selection.current;
      // Large dots first, so that small ones lie on top and can be seen.
      const order = [...columns].sort((a, b) => weights.values[b]! - weights.values[a]!);
      order.forEach((j) => {
        const x = at(gains.values[j]!);
        const radius = 3 + 13 * Math.sqrt(weights.values[j]!);
        stage.shape(`dot-${j}`, 'circle', {
          cx: x.toFixed(2), cy: base, r: radius.toFixed(2),
          class: `dot ${signTone(pushes.values[j]!)} ${j === here ? 'current' : ''}`,
          'data-part': 'gain',
        });
        // In a narrow figure names would cover each other: small dots are named in the list below.
        if (width < 480 && weights.values[j]! < 0.05 && j !== here) return;
        stage.label(`name-${j}`, { x, y: base - radius - 10 },
          labelNodes(labelAt(weights.labels, j), words),
          { class: `mono ${j === here ? 'current' : ''}`, loose: true });
      });
      stage.end();

      const limit = largest(columns.map((j) => pushes.values[j]!));
      const pushDigits = number.digits(limit);
      rows.draw({
        name: data.title,
        headings: [words.gain.gain, words.gain.weight, '', words.gain.push],
        rows: columns.map((j): Row => ({
          key: String(j),
          label: labelAt(weights.labels, j),
          role: 'key',
          cells: [
            { kind: 'number', number: { address: `${gains.address}.${j}`, value: gains.values[j]! },
              rounding: { digits, signed: true }, part: 'gain' },
            { kind: 'number', rounding: { digits: 2 }, part: 'weight',
              number: { address: `${weights.address}.${j}`, value: weights.values[j]! } },
            { kind: 'bar', ...centred(pushes.values[j]!, limit), tone: signTone(pushes.values[j]!) },
            { kind: 'number', rounding: { digits: pushDigits, signed: true }, part: 'push',
              number: { address: `${pushes.address}.${j}`, value: pushes.values[j]! } },
          ],
          selects: { j, address: `${pushes.address}.${j}` },
        })),
        current: columns.indexOf(here),
      });
    },
  };
};

export const gainDotsFigure: FigureFactory<GainDotsData> = defineFigure<GainDotsData>({
  name: 'gain-dots',
  subject: ({ gains }) => gains.address,
  build,
  tables: ({ title, gains, mean, weights, pushes }, { words }) => [
    vectorsTable(title, [
      { name: words.gain.gain, vector: { ...gains, labels: weights.labels } },
      { name: words.gain.weight, vector: weights },
      { name: words.gain.push, vector: pushes },
    ]),
    {
      caption: words.gain.axis,
      rows: [{ kind: 'name', text: 'g · c' }],
      columns: [{ kind: 'name', text: words.gain.gain }],
      cells: [[mean]],
    },
  ],
});
