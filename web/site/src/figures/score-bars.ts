// SPDX-License-Identifier: MIT
// Why a score is what it is: the products q_c k_c, channel by channel, their sum, and the score.

import type { FigureFactory, ScoreBarsData } from './contracts';
import { html } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { largest, numberNode } from './core/number-element';
import { centred, createRows, signTone, type Row } from './core/rows';
import { sentence } from './core/sentence';
import { dotProduct } from './core/two-axes';

const products = ({ query, key }: ScoreBarsData): number[] =>
  Array.from(query.values, (q, c) => q * key.values[c]!);

const build = (canvas: Canvas<ScoreBarsData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  body.append(html('p', { class: 'note' }, words.bars.product));
  const rows = createRows(body, context);
  const score = html('p', { class: 'facts' });
  body.append(score);
  return {
    draw(): void {
      const { data } = canvas;
      const { scope, i, j, query, key } = data;
      const terms = products(data);
      const sum = dotProduct(query.values, key.values);
      const limit = largest(terms);
      const digits = number.digits(limit);
      const { channel } = context.selection.current;
      const signed = (address: string, value: number, part?: string): Row['cells'][number] =>
        ({ kind: 'number', number: { address, value }, rounding: { digits: 2, signed: true }, part });
      rows.draw({
        name: data.title,
        headings: ['q', 'k', '', 'q × k'],
        rows: [
          ...terms.map((value, c): Row => ({
            key: String(c),
            label: { kind: 'channel', index: c },
            cells: [
              signed(`${query.address}.${c}`, query.values[c]!, 'query'),
              signed(`${key.address}.${c}`, key.values[c]!, 'key'),
              { kind: 'bar', ...centred(value, limit), tone: signTone(value) },
              { kind: 'number', number: { address: `${scope}.qk.${i}.${j}.${c}`, value },
                rounding: { digits, signed: true } },
            ],
            selects: { channel: c, address: `${scope}.qk.${i}.${j}.${c}` },
          })),
        ],
        current: channel,
      });
      const scale = html('span', { 'data-axis': true }, number.fixed(data.scale, 3));
      score.replaceChildren(...sentence(words.plane.score, {
        dot: numberNode(context, { address: `${scope}.dot.${i}.${j}`, value: sum },
          { digits, signed: true }),
        scale,
        score: numberNode(context, { address: `${scope}.S.${i}.${j}`, value: sum * data.scale },
          { digits, signed: true }),
      }));
    },
  };
};

export const scoreBarsFigure: FigureFactory<ScoreBarsData> = defineFigure<ScoreBarsData>({
  name: 'score-bars',
  subject: ({ scope, i, j }) => `${scope}.${i}.${j}`,
  build,
  tables(data) {
    const { title, scope, i, j, query, key, scale } = data;
    const sum = dotProduct(query.values, key.values);
    const names = (...texts: string[]) => texts.map((text) => ({ kind: 'name' as const, text }));
    return [{
      caption: title,
      rows: [...products(data).map((_, c) => ({ kind: 'channel' as const, index: c })),
        ...names('q · k', 'S')],
      columns: names('q', 'k', 'q × k'),
      cells: [
        ...products(data).map((value, c) => [
          { address: `${query.address}.${c}`, value: query.values[c]! },
          { address: `${key.address}.${c}`, value: key.values[c]! },
          { address: `${scope}.qk.${i}.${j}.${c}`, value },
        ]),
        [undefined, undefined, { address: `${scope}.dot.${i}.${j}`, value: sum }],
        [undefined, undefined, { address: `${scope}.S.${i}.${j}`, value: sum * scale }],
      ],
    }];
  },
});
