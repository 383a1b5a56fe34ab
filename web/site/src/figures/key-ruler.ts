// SPDX-License-Identifier: MIT
// All keys as ticks along the direction of one query: the exact shadow each of them throws on it.

import type { FigureFactory, KeyRulerData } from './contracts';
import { html } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, labelNodes, rowVector, tokenNode } from './core/labels';
import { largest } from './core/number-element';
import { centred, createRows, signTone } from './core/rows';
import { axisNode, indexNode, sentence } from './core/sentence';
import { createStage } from './core/stage';
import { dotProduct, length } from './core/two-axes';

/** q_i . k_j / |q_i| for each j. */
function along({ query, keys }: KeyRulerData): number[] {
  const size = length(query.values);
  return Array.from({ length: keys.rows }, (_, j) =>
    (size > 0 ? dotProduct(query.values, rowVector(keys, j).values) / size : 0));
}

const build = (canvas: Canvas<KeyRulerData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const name = html('p', { class: 'note' });
  const stage = createStage(body);
  const rows = createRows(body, context);
  const exact = html('p', { class: 'note' });
  body.prepend(name);
  body.append(exact);
  return {
    draw(): void {
      const { data, width } = canvas;
      const { scope, i, keys, visible } = data;
      const own = labelAt(keys.rowLabels, i);
      name.replaceChildren(...sentence(words.ruler.axis, {
        index: indexNode(i), token: own.kind === 'token' ? tokenNode(own.text) : '',
      }));
      const places = along(data);
      const limit = largest(places);
      const height = 88;
      const base = 56;
      stage.begin(width, height);
      const at = (value: number): number => width / 2 + (limit > 0 ? value / limit : 0) * (width / 2 - 24);
      stage.arrow('rail', { x: 0, y: base }, { x: width - 2, y: base },
        { class: 'query-arrow', 'data-part': 'query' });
      stage.shape('zero', 'line', { x1: at(0), x2: at(0), y1: base - 8, y2: base + 8, class: 'rail' });
      stage.label('zero', { x: at(0), y: base + 20 }, [axisNode('0')],
        { class: 'quiet' });
      const { j: here } = context.selection.current;
      places.forEach((value, j) => {
        const hidden = j > visible;
        stage.shape(`tick-${j}`, 'line', {
          x1: at(value), x2: at(value), y1: base - (j === here ? 20 : 12), y2: base,
          class: `key-tick ${j === here ? 'current' : ''} ${hidden ? 'cut' : ''}`,
        });
        stage.label(`key-${j}`, { x: at(value), y: base - 30 },
          labelNodes(labelAt(keys.rowLabels, j), words),
          { class: `mono key ${j === here ? 'current' : ''} ${hidden ? 'cut' : ''}`, loose: true });
      });
      stage.end();
      exact.hidden = data.scale === undefined;
      if (data.scale !== undefined) {
        exact.replaceChildren(...sentence(words.ruler.exact, {
          scale: axisNode(number.fixed(data.scale, 3)),
        }));
      }
      const digits = number.digits(limit);
      rows.draw({
        name: data.title,
        headings: ['', '', ''],
        rows: places.map((value, j) => ({
          key: String(j),
          label: labelAt(keys.rowLabels, j),
          role: 'key',
          off: j > visible,
          cells: [
            { kind: 'bar', ...centred(value, limit), tone: signTone(value) },
            { kind: 'number', number: { address: `${scope}.along.${i}.${j}`, value },
              rounding: { digits, signed: true } },
            { kind: 'text', text: j > visible ? words.ruler.hidden : '' },
          ],
          selects: { j, address: `${scope}.along.${i}.${j}` },
        })),
        current: here,
      });
    },
  };
};

export const keyRulerFigure: FigureFactory<KeyRulerData> = defineFigure<KeyRulerData>({
  name: 'key-ruler',
  subject: ({ query }) => query.address,
  build,
  tables: (data) => [{
    caption: data.title,
    rows: along(data).map((_, j) => labelAt(data.keys.rowLabels, j)),
    columns: [{ kind: 'name', text: 'q · k / |q|' }],
    cells: along(data).map((value, j) =>
      [{ address: `${data.scope}.along.${data.i}.${j}`, value }]),
  }],
});
