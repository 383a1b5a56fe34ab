// SPDX-License-Identifier: MIT
// What one row mixes: the arrows A_ij v_j head to tail, ending at c_i, in a view of two axes.

import type { FigureFactory, MixtureData } from './contracts';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, rowVector, tokenNode } from './core/labels';
import { largest } from './core/number-element';
import { createRows } from './core/rows';
import { indexNode, sentence } from './core/sentence';
import type { Point } from './core/stage';
import { vectorsTable } from './core/table-view';
import { length, twoAxes } from './core/two-axes';
import { createArrowView } from './core/view-figure';

/** Pieces A_ij v_j by column, masked ones left out. */
function pieces({ weights, values }: MixtureData): { j: number; vector: number[] }[] {
  return Array.from({ length: weights.values.length }, (_, j) => ({
    j,
    vector: Array.from(rowVector(values, j).values, (v) => v * weights.values[j]!),
  })).filter(({ j }) => weights.values[j]! > 0);
}

const build = (canvas: Canvas<MixtureData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const view = createArrowView(body, context);
  const rows = createRows(view.below, context);
  let up: readonly number[] | undefined;

  function draw(): void {
    const { data, width } = canvas;
    const { scope, i, weights, mixture, values } = data;
    const arrows = pieces(data);
    const axes = twoAxes(
      data.axis?.direction ?? mixture.values, arrows.map(({ vector }) => vector), up);
    ({ up } = axes);
    const name = data.axis === undefined
      ? sentence(words.view.mixture, { index: indexNode(i) })
      : [document.createTextNode(data.axis.name)];

    const joints: Point[] = [{ x: 0, y: 0 }];
    for (const { vector } of arrows) {
      const last = joints.at(-1)!;
      const step = axes.project(vector);
      joints.push({ x: last.x + step.x, y: last.y + step.y });
    }
    const end = axes.project(mixture.values);
    // The push is of another unit: drawn a third as long as the mixture, its direction is true.
    const push = data.push === undefined ? undefined : axes.project(data.push.values);
    const pushSize = push === undefined ? 0 : Math.hypot(push.x, push.y);
    const reach = Math.max(...joints.map(({ x, y }) => Math.hypot(x, y)), 1e-12) / 3;
    const pushTip = push === undefined || pushSize === 0 ? undefined
      : { x: end.x + (push.x / pushSize) * reach, y: end.y + (push.y / pushSize) * reach };
    const at = view.begin(
      width, pushTip === undefined ? joints : [...joints, pushTip], axes, name);
    const { stage } = view;
    const { current } = context.selection;

    arrows.forEach(({ j }, order) => {
      const [from, to] = [at(joints[order]!), at(joints[order + 1]!)];
      const here = j === current.j;
      stage.arrow(`piece-${j}`, from, to, {
        class: `value-arrow ${here ? 'current' : ''}`, 'data-part': 'value',
      });
      // Arrows shorter than a label are named in the list below.
      if (Math.hypot(to.x - from.x, to.y - from.y) < 14 && !here) return;
      const label = labelAt(values.rowLabels, j);
      stage.label(`name-${j}`, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 10 }, [
        indexNode(j), document.createTextNode('\u2009'),
        ...(label.kind === 'token' ? [tokenNode(label.text)] : []),
      ], { class: `value ${here ? 'current' : ''}`, loose: true });
    });
    stage.arrow('mixture', at({ x: 0, y: 0 }), at(end), {
      class: 'mixture-arrow', 'data-part': 'mixture',
    });
    stage.label('end', { x: at(end).x, y: at(end).y + 12 },
      sentence(words.mixture.end, { index: indexNode(i) }),
      { loose: true, part: 'mixture', class: 'strong' });
    if (pushTip !== undefined) {
      stage.arrow('push', at(end), at(pushTip), { class: 'push-arrow', 'data-part': 'push' });
      const { x, y } = at(pushTip);
      stage.label('push-name', { x, y: y + (y < at(end).y ? -14 : 14) }, sentence(words.view.pushTip),
        { loose: true, part: 'push' });
    }
    stage.end();

    const lengths = Array.from(weights.values, (weight, j) =>
      weight * length(rowVector(values, j).values));
    const digits = number.digits(largest(lengths));
    rows.draw({
      name: data.title,
      headings: ['', words.gain.weight, '|A v|'],
      rows: arrows.map(({ j }) => ({
        key: String(j),
        label: labelAt(values.rowLabels, j),
        role: 'value',
        cells: [
          { kind: 'bar', from: 0, to: weights.values[j]!, tone: 'ink' },
          { kind: 'number', rounding: { digits: 2 },
            number: { address: `${weights.address}.${j}`, value: weights.values[j]! } },
          { kind: 'number', rounding: { digits },
            number: { address: `${scope}.AV.${i}.${j}`, value: lengths[j]! } },
        ],
        selects: { j, address: `${weights.address}.${j}` },
      })),
      current: arrows.findIndex(({ j }) => j === current.j),
    });
  }
  return { draw };
};

export const mixtureFigure: FigureFactory<MixtureData> = defineFigure<MixtureData>({
  name: 'mixture',
  subject: ({ mixture }) => mixture.address,
  build,
  tables(data) {
    const { title, scope, i, weights, values, mixture } = data;
    const labels = mixture.labels;
    const parts = pieces(data).map(({ j, vector }) => ({
      name: labelAt(values.rowLabels, j),
      vector: { address: `${scope}.part.${i}.${j}`, values: vector, labels },
    }));
    return [
      vectorsTable(title, [{ name: 'A', vector: { ...weights, labels: values.rowLabels } }]),
      vectorsTable('A v', [...parts, { name: 'c', vector: mixture }]),
    ];
  },
});
