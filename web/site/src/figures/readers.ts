// SPDX-License-Identifier: MIT
// What a value hears: one arrow -A_ij g_i for each row i that reads it, together minus dv_j.

import type { FigureFactory, ReadersData } from './contracts';
import { html, Keyed, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, rowVector, spokenToken, tokenNode } from './core/labels';
import { numberNode } from './core/number-element';
import { createRows } from './core/rows';
import { indexNode, sentence, spokenSentence } from './core/sentence';
import type { Point } from './core/stage';
import { vectorsTable } from './core/table-view';
import { length, twoAxes } from './core/two-axes';
import { createArrowView } from './core/view-figure';

interface Reader {
  i: number;
  weight: number;
  vector: number[];
}

function readersOf({ j, weights, upstream }: ReadersData): Reader[] {
  return Array.from({ length: weights.rows }, (_, i) => {
    const weight = weights.values[i * weights.columns + j]!;
    return { i, weight, vector: Array.from(rowVector(upstream, i).values, (g) => -weight * g) };
  }).filter(({ weight }) => weight > 0);
}

const build = (canvas: Canvas<ReadersData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const view = createArrowView(body, context);
  const empty = html('p', {}, words.readers.none);
  const total = html('p');
  view.below.append(html('p', { class: 'note' }, words.readers.width), total, empty);
  const rows = createRows(view.below, context);
  const cuts = html('div', { class: 'figure-controls' });
  view.below.append(cuts);
  const buttons = new Keyed();
  let up: readonly number[] | undefined;

  function draw(): void {
    const { data, width } = canvas;
    const { scope, j, gradient, weights, value, upstream } = data;
    const cut = new Set(data.cut ?? []);
    const readers = readersOf(data).filter(({ vector }) => length(vector) > 0);
    const heard = readers.filter(({ i }) => !cut.has(i));
    const whole = Array.from(gradient.values, (g) => -g);
    const axes = twoAxes(whole, readers.length > 0 ? readers.map(({ vector }) => vector) : [whole], up);
    ({ up } = axes);
    empty.hidden = readers.length > 0;
    const tips = readers.map(({ vector }) => axes.project(vector));
    const sum = heard.reduce<Point>((point, { vector }) => {
      const step = axes.project(vector);
      return { x: point.x + step.x, y: point.y + step.y };
    }, { x: 0, y: 0 });
    const at = view.begin(width, [{ x: 0, y: 0 }, sum, ...tips], axes,
      sentence(words.view.valueGradient, { index: indexNode(j) }));
    const { stage } = view;
    const { current } = context.selection;
    readers.forEach(({ i, weight }, order) => {
      const here = i === current.i;
      const to = at(tips[order]!);
      stage.arrow(`reader-${i}`, at({ x: 0, y: 0 }), to, {
        class: `reader-arrow ${here ? 'current' : ''} ${cut.has(i) ? 'cut' : ''}`,
        'stroke-width': (1 + 7 * weight).toFixed(2),
      });
      const start = at({ x: 0, y: 0 });
      // Arrows shorter than a label are named in the list below.
      if (Math.hypot(to.x - start.x, to.y - start.y) < 18 && !here) return;
      const label = labelAt(upstream.rowLabels, i);
      const above = to.y > start.y ? 12 : -12;
      stage.label(`name-${i}`, { x: to.x, y: to.y + above }, [
        indexNode(i), document.createTextNode('\u2009'),
        ...(label.kind === 'token' ? [tokenNode(label.text)] : []),
      ], { class: `query ${here ? 'current' : ''}`, loose: true });
    });
    if (heard.length > 0) {
      stage.arrow('sum', at({ x: 0, y: 0 }), at(sum), { class: 'push-arrow', 'data-part': 'push' });
    }
    const own = labelAt(value.labels.kind === 'token' ? value.labels : weights.columnLabels, j);
    stage.label('value-name', { x: at({ x: 0, y: 0 }).x - 8, y: at({ x: 0, y: 0 }).y }, sentence(words.readers.value, {
      index: indexNode(j), token: own.kind === 'token' ? tokenNode(own.text) : '',
    }), { class: 'value strong', part: 'value', loose: true, anchor: 'end' });
    stage.end();

    const size = length(gradient.values);
    total.hidden = cut.size > 0;
    total.replaceChildren(...sentence(words.readers.sum, {
      length: numberNode(context, { address: `${scope}.dVLength.${j}`, value: size },
        { digits: number.digits(size) }),
    }));
    const longest = Math.max(0, ...readers.map(({ vector }) => length(vector)));
    rows.draw({
      name: data.title,
      headings: ['', words.gain.weight, '|A g|'],
      rows: readers.map(({ i, weight, vector }) => ({
        key: String(i),
        label: labelAt({ ...upstream.rowLabels, expected: [] }, i),
        role: 'query',
        off: cut.has(i),
        cells: [
          { kind: 'bar', from: 0, to: weight, tone: 'ink' },
          { kind: 'number', rounding: { digits: 2 },
            number: { address: `${weights.address}.${i}.${j}`, value: weight } },
          { kind: 'number', rounding: { digits: number.digits(longest) },
            number: { address: `${scope}.vpushLength.${j}.${i}`, value: length(vector) } },
        ],
        selects: { i, address: `${weights.address}.${i}.${j}` },
      })),
      current: readers.findIndex(({ i }) => i === current.i),
    });
    drawCuts(readers, cut);
  }

  function drawCuts(readers: readonly Reader[], cut: ReadonlySet<number>): void {
    const { onCut, upstream } = canvas.data;
    if (onCut !== undefined) {
      for (const { i } of readers) {
        const label = labelAt(upstream.rowLabels, i);
        const text = label.kind === 'token' ? label.text : '';
        const button = buttons.get(String(i), cuts, () => {
          const made = html('button', { type: 'button' }, '✂ ', indexNode(i), '\u2009', tokenNode(text));
          made.addEventListener('click', () =>
            canvas.data.onCut?.(i, !(canvas.data.cut ?? []).includes(i)));
          return made;
        });
        setAttributes(button, {
          'aria-pressed': cut.has(i),
          'aria-label': spokenSentence(words.readers.cut, {
            index: String(i), token: spokenToken(text, words),
          }),
        });
      }
    }
    buttons.sweep();
  }
  return { draw };
};

export const readersFigure: FigureFactory<ReadersData> = defineFigure<ReadersData>({
  name: 'readers',
  subject: ({ value }) => value.address,
  build,
  tables(data) {
    const { title, scope, j, gradient, upstream } = data;
    return [vectorsTable(title, [
      ...readersOf(data).map(({ i, vector }) => ({
        name: labelAt({ ...upstream.rowLabels, expected: [] }, i),
        vector: { address: `${scope}.vpush.${j}.${i}`, values: vector, labels: gradient.labels },
      })),
      { name: 'dv', vector: gradient },
    ])];
  },
});
