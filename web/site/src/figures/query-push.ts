// SPDX-License-Identifier: MIT
// How the query is pushed: from the tip of q_i, the arrows push_ij k_j scale, ending at q_i - dq_i.

import type { FigureFactory, QueryPushData } from './contracts';
import { html } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, rowVector, tokenNode } from './core/labels';
import { largest } from './core/number-element';
import { centred, createRows, signTone } from './core/rows';
import { axisNode, indexNode, sentence } from './core/sentence';
import type { Point } from './core/stage';
import { vectorsTable } from './core/table-view';
import { length, twoAxes } from './core/two-axes';
import { createArrowView } from './core/view-figure';

function arrowsOf({ pushes, keys, scale }: QueryPushData): { j: number; vector: number[] }[] {
  return Array.from({ length: pushes.values.length }, (_, j) => ({
    j, vector: Array.from(rowVector(keys, j).values, (k) => k * pushes.values[j]! * scale),
  })).filter(({ j }) => pushes.values[j]! !== 0);
}

/** 1, 2 or 5 times a power of ten, at most `value`. */
function roundFactor(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((lead) => lead * power).find((factor) => factor <= value)!;
}

const build = (canvas: Canvas<QueryPushData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const view = createArrowView(body, context);
  const enlarged = html('p', { class: 'note' });
  view.below.append(enlarged);
  const rows = createRows(view.below, context);
  let up: readonly number[] | undefined;

  function draw(): void {
    const { data, width } = canvas;
    const { scope, i, query, keys, pushes } = data;
    const arrows = arrowsOf(data);
    const vectors = arrows.map(({ vector }) => vector);
    const axes = twoAxes(query.values, vectors.length > 0 ? vectors : [query.values], up);
    ({ up } = axes);
    const tip = axes.project(query.values);
    // Gradients are small beside the query: drawn a round factor longer, which is printed.
    const longest = Math.max(...vectors.map((vector) => length(vector)), 0);
    const factor = longest > 0 ? roundFactor((0.6 * length(query.values)) / longest) : 1;
    const joints: Point[] = [tip];
    for (const vector of vectors) {
      const last = joints.at(-1)!;
      const step = axes.project(vector);
      joints.push({ x: last.x + factor * step.x, y: last.y + factor * step.y });
    }
    const at = view.begin(width, [{ x: 0, y: 0 }, ...joints], axes,
      sentence(words.view.query, { index: indexNode(i) }));
    const { stage } = view;
    const { current } = context.selection;
    stage.arrow('query', at({ x: 0, y: 0 }), at(tip), {
      class: 'query-arrow', 'data-part': 'query',
    });
    stage.label('query-name', { x: at(tip).x, y: at(tip).y + 14 },
      sentence('q{index}', { index: indexNode(i) }), { class: 'query', part: 'query', loose: true });
    arrows.forEach(({ j }, order) => {
      const [from, to] = [at(joints[order]!), at(joints[order + 1]!)];
      const here = j === current.j;
      const tone = signTone(pushes.values[j]!);
      stage.arrow(`piece-${j}`, from, to, { class: `${tone} ${here ? 'current' : ''}` });
      if (Math.hypot(to.x - from.x, to.y - from.y) < 14 && !here) return;
      const label = labelAt(keys.rowLabels, j);
      stage.label(`name-${j}`, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 10 }, [
        document.createTextNode(pushes.values[j]! < 0 ? '\u2212' : '+'),
        indexNode(j), document.createTextNode('\u2009'),
        ...(label.kind === 'token' ? [tokenNode(label.text)] : []),
      ], { class: `key ${here ? 'current' : ''}`, loose: true });
    });
    if (arrows.length > 0) {
      const end = at(joints.at(-1)!);
      stage.arrow('push', at(tip), end, { class: 'push-arrow', 'data-part': 'push' });
      stage.label('moved', { x: end.x, y: end.y + (end.y < at(tip).y ? -14 : 14) }, sentence(words.view.moved), { loose: true, part: 'push' });
    }
    stage.end();
    enlarged.replaceChildren(
      ...sentence(words.view.scaled, { factor: axisNode(String(factor)) }));

    const limit = largest(Array.from(pushes.values));
    const digits = number.digits(limit);
    const lengths = new Map(arrows.map(({ j, vector }) => [j, length(vector)]));
    rows.draw({
      name: data.title,
      headings: ['', words.gain.push, `|${words.gain.push} k|`],
      rows: arrows.map(({ j }) => ({
        key: String(j),
        label: labelAt(keys.rowLabels, j),
        role: 'key',
        cells: [
          { kind: 'bar', ...centred(pushes.values[j]!, limit), tone: signTone(pushes.values[j]!) },
          { kind: 'number', rounding: { digits, signed: true },
            number: { address: `${pushes.address}.${j}`, value: pushes.values[j]! } },
          { kind: 'number', rounding: { digits: number.digits(longest) },
            number: { address: `${scope}.qpushLength.${i}.${j}`, value: lengths.get(j)! } },
        ],
        selects: { j, address: `${pushes.address}.${j}` },
      })),
      current: arrows.findIndex(({ j }) => j === current.j),
    });
  }
  return { draw };
};

export const queryPushFigure: FigureFactory<QueryPushData> = defineFigure<QueryPushData>({
  name: 'query-push',
  subject: ({ query }) => query.address,
  build,
  tables(data) {
    const { title, scope, i, query, pushes, gradient, keys } = data;
    const parts = arrowsOf(data).map(({ j, vector }) => ({
      name: labelAt(keys.rowLabels, j),
      vector: { address: `${scope}.qpush.${i}.${j}`, values: vector, labels: query.labels },
    }));
    return [
      vectorsTable(title, [{ name: 'push', vector: { ...pushes, labels: keys.rowLabels } }]),
      vectorsTable('push k', [{ name: 'q', vector: query }, ...parts, { name: 'dq', vector: gradient }]),
    ];
  },
});
