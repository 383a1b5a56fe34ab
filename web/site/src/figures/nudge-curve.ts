// SPDX-License-Identifier: MIT
// The true loss when one score is pushed, and the straight line that its gradient promises.

import type { FigureFactory, NudgeCurveData } from './contracts';
import { html, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { spokenToken, tokenNode } from './core/labels';
import { numberNode } from './core/number-element';
import { drawAxes, pathOf } from './core/plot';
import { axisNode, indexNode, sentence, spokenSentence } from './core/sentence';
import { createStage } from './core/stage';

const address = ({ scope, i, j }: NudgeCurveData, by: number): string =>
  `${scope}.nudge.${i}.${j}.${by}`;

/** Index of the swept point nearest to `by`. */
function nearest({ by }: NudgeCurveData, value: number): number {
  let best = 0;
  for (let at = 1; at < by.length; ++at) {
    if (Math.abs(by[at]! - value) < Math.abs(by[best]! - value)) best = at;
  }
  return best;
}

const build = (canvas: Canvas<NudgeCurveData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const stage = createStage(body);
  const axis = html('p', { class: 'note' });
  const slider = html('input', { type: 'range', step: 1, min: 0 });
  const reading = html('p', { class: 'facts' });
  const back = html('button', { type: 'button' }, words.plane.back);
  body.append(axis, html('label', { class: 'nudge' },
    html('span', {}, words.nudge.handle), slider), reading, back);
  let chosen: number | undefined;

  /** The swept point in use: the reader's, or that of no nudge. */
  const at = (): number => Math.min(chosen ?? nearest(canvas.data, 0), canvas.data.by.length - 1);

  slider.addEventListener('input', () => {
    chosen = Number(slider.value);
    canvas.redraw();
    canvas.data.onMove?.(canvas.data.by[at()]!);
  });
  back.addEventListener('click', () => {
    chosen = undefined;
    canvas.redraw();
    canvas.data.onMove?.(undefined);
  });

  function draw(): void {
    const { data, width } = canvas;
    const { by, losses, slope, loss, i, j, tokens } = data;
    const xs = Array.from(by);
    const line = (x: number): number => loss.value + slope.value * x;
    const [low, high] = [xs[0]!, xs.at(-1)!];
    const values = Array.from(losses);
    const ends = [Math.min(...values), Math.max(...values)] as const;
    // The tangent may leave far above or below: the curve decides the scale, with half its height
    // to spare on both sides.
    const spare = (ends[1] - ends[0] || Math.abs(ends[0]) || 1) * 0.5;
    const ys = {
      low: Math.max(ends[0] - spare, Math.min(ends[0], line(low), line(high))),
      high: Math.min(ends[1] + spare, Math.max(ends[1], line(low), line(high))),
    };
    const height = 220;
    stage.begin(width, height);
    const frame = { left: 48, right: width - 12, top: 14, bottom: height - 26 };
    const plot = drawAxes(stage, frame, { low, high }, ys);
    const clip = xs.filter((x) => line(x) >= ys.low && line(x) <= ys.high);
    stage.shape('tangent', 'path', {
      d: pathOf([clip[0] ?? 0, clip.at(-1) ?? 0].map((x) => plot.at(x, line(x)))),
      class: 'tangent', 'data-part': 'tangent',
    });
    stage.shape('curve', 'path', {
      d: pathOf(xs.map((x, index) => plot.at(x, losses[index]!))), class: 'curve strong',
      'data-part': 'loss',
    });
    const here = at();
    const x = by[here]!;
    const inside = (value: number): boolean => value >= ys.low && value <= ys.high;
    const point = plot.at(x, losses[here]!);
    stage.shape('at', 'line', {
      x1: point.x, x2: point.x, y1: frame.top, y2: frame.bottom, class: 'shadow',
    });
    stage.shape('true', 'circle', { cx: point.x, cy: point.y, r: 5, class: 'point' });
    if (inside(line(x))) {
      stage.shape('first', 'circle', {
        cx: point.x, cy: plot.at(x, line(x)).y, r: 4, class: 'point hollow',
      });
    }
    const endAt = clip.at(-1) ?? 0;
    stage.label('tangent', { x: plot.at(endAt, line(endAt)).x, y: plot.at(endAt, line(endAt)).y + 16 }, sentence(words.nudge.tangent, {
      slope: numberNode(context, slope, { digits: number.digits(Math.abs(slope.value)), signed: true }),
    }), { anchor: 'end', part: 'tangent', loose: true });
    stage.label('curve', { x: frame.left + 4, y: plot.at(low, losses[0]!).y - 12 }, sentence(words.nudge.curve),
      { anchor: 'start', part: 'loss', class: 'strong', loose: true });
    stage.end();

    axis.replaceChildren(...sentence(words.nudge.axis, {
      i: indexNode(i), from: tokenNode(tokens[0]), j: indexNode(j), to: tokenNode(tokens[1]),
    }));
    const digits = Math.max(3, number.digits(Math.abs(ends[1] - ends[0])));
    const texts = {
      by: number.fixed(x, 2, true), loss: number.fixed(losses[here]!, digits),
      line: number.fixed(line(x), digits), gap: number.fixed(losses[here]! - line(x), digits, true),
    };
    const own = address(data, x);
    reading.replaceChildren(...sentence(words.nudge.at, {
      by: axisNode(texts.by),
      loss: numberNode(context, { address: own, value: losses[here]! }, { digits }),
      line: numberNode(context, { address: `${own}.line`, value: line(x) }, { digits }),
      gap: numberNode(context, { address: `${own}.gap`, value: losses[here]! - line(x) },
        { digits, signed: true }),
    }));
    setAttributes(slider, {
      max: by.length - 1,
      'aria-label': spokenSentence(words.nudge.axis, {
        i: String(i), from: spokenToken(tokens[0], words), j: String(j),
        to: spokenToken(tokens[1], words),
      }),
      'aria-valuetext': spokenSentence(words.nudge.at, texts),
    });
    slider.value = String(here);
    back.hidden = chosen === undefined;
  }
  return { draw };
};

export const nudgeCurveFigure: FigureFactory<NudgeCurveData> = defineFigure<NudgeCurveData>({
  name: 'nudge-curve',
  subject: ({ scope, i, j }) => `${scope}.${i}.${j}`,
  build,
  tables: (data, { words, number }) => [{
    caption: data.title,
    rows: Array.from(data.by, (by) => ({ kind: 'tick', text: number.fixed(by, 2, true) })),
    columns: [words.nudge.curve, words.nudge.line].map((text) => ({ kind: 'name', text })),
    cells: Array.from(data.by, (by, at) => [
      { address: address(data, by), value: data.losses[at]! },
      { address: `${address(data, by)}.line`, value: data.loss.value + data.slope.value * by },
    ]),
  }],
});
