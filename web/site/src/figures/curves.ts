// SPDX-License-Identifier: MIT
// Several curves over steps, named at their ends; one slider reads all of them at one step.

import type { CurvesData, FigureFactory } from './contracts';
import { html, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { largest, numberNode } from './core/number-element';
import { drawAxes, pathOf, type PlotFrame } from './core/plot';
import { indexNode, sentence, spokenSentence } from './core/sentence';
import { numberAt, pointAt, seriesTable, stepsOf } from './core/series';
import { createStage } from './core/stage';

/** Dashes tell curves apart without colour: series take these in turn. */
const dashes = ['', '6 3', '2 3', '10 3 2 3', '1 5'];

const build = (canvas: Canvas<CurvesData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const stage = createStage(body);
  const empty = html('p', {}, words.curves.empty);
  const slider = html('div', { class: 'plot-slider', role: 'slider', tabindex: 0 });
  const reading = html('p', { class: 'facts' });
  stage.controls.append(slider);
  body.append(empty, reading);
  let chosen: number | undefined;
  let frame: PlotFrame = { left: 0, right: 1, top: 0, bottom: 1 };
  let stepAt: (px: number) => number = () => 0;

  const steps = (): number[] => stepsOf(canvas.data.series);

  function choose(index: number | undefined): void {
    const all = steps();
    if (all.length === 0) return;
    const next = index === undefined ? undefined
      : all[Math.max(0, Math.min(all.length - 1, index))];
    if (next === chosen) return;
    chosen = next;
    if (chosen !== undefined) canvas.data.onStep?.(chosen);
    canvas.redraw();
  }

  const nearest = (clientX: number): number => {
    const step = stepAt(clientX - stage.root.getBoundingClientRect().left);
    return steps().reduce((best, value, index, all) =>
      (Math.abs(value - step) < Math.abs(all[best]! - step) ? index : best), 0);
  };
  slider.addEventListener('pointermove', (event) => choose(nearest(event.clientX)));
  slider.addEventListener('pointerleave', () => choose(undefined));
  slider.addEventListener('keydown', (event) => {
    const all = steps();
    const at = chosen === undefined ? all.length - 1 : all.indexOf(chosen);
    const moves: Record<string, number> = {
      ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
      PageDown: at - 10, PageUp: at + 10, Home: 0, End: all.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) choose(to);
    else if (event.key === 'Escape') choose(undefined);
    else return;
    event.preventDefault();
  });

  function draw(): void {
    const { data, width } = canvas;
    const series = data.series.filter((one) => one.steps.length > 0);
    empty.hidden = series.length > 0;
    stage.root.hidden = series.length === 0;
    reading.hidden = series.length === 0;
    if (series.length === 0) return;
    const all = stepsOf(series);
    const values = [...series.flatMap((one) => Array.from(one.values)),
      ...(data.reference === undefined ? [] : [data.reference.value])].filter(Number.isFinite);
    const ys = {
      low: data.low ?? Math.min(0, ...values), high: data.high ?? Math.max(...values, 1e-9),
    };
    const height = 240;
    const narrow = width < 480;
    frame = { left: 44, right: width - (narrow ? 84 : 150), top: 12, bottom: height - 26 };
    stage.begin(width, height);
    const plot = drawAxes(stage, frame, { low: all[0]!, high: all.at(-1)! }, ys);
    stepAt = plot.x;
    if (data.reference !== undefined) {
      const { y } = plot.at(all[0]!, data.reference.value);
      stage.shape('reference', 'line', {
        x1: frame.left, x2: frame.right, y1: y, y2: y, class: 'shadow',
      });
      stage.label('reference', { x: frame.left + 4, y: y - 9 },
        sentence(data.reference.name), { anchor: 'start', class: 'quiet', loose: true });
    }
    const digits = Math.max(2, Math.min(3, number.digits(largest(values))));
    const step = chosen ?? all.at(-1)!;
    series.forEach((one, order) => {
      const points = Array.from(one.steps, (at, index) =>
        ({ at, value: one.values[index]! })).filter(({ value }) => Number.isFinite(value));
      stage.shape(`curve-${order}`, 'path', {
        d: pathOf(points.map(({ at, value }) => plot.at(at, value))), class: 'curve',
        'stroke-dasharray': dashes[order % dashes.length],
      });
      const last = points.at(-1);
      if (last === undefined) return;
      const end = plot.at(last.at, last.value);
      stage.label(`name-${order}`, { x: Math.min(end.x, frame.right) + 6, y: end.y },
        [document.createTextNode(one.name)], { anchor: 'start', loose: true, class: 'curve-name' });
      const here = pointAt(one, step);
      if (here >= 0) {
        const { x, y } = plot.at(one.steps[here]!, one.values[here]!);
        stage.shape(`point-${order}`, 'circle', { cx: x, cy: y, r: 3.5, class: 'point' });
      }
    });
    const { x } = plot.at(step, ys.low);
    stage.shape('step', 'line', {
      x1: x, x2: x, y1: frame.top, y2: frame.bottom, class: chosen === undefined ? 'axis' : 'shadow',
    });
    stage.end();

    const read = series.flatMap((one) => {
      const at = pointAt(one, step);
      return at < 0 ? [] : [{ name: one.name, number: numberAt(one, at) }];
    });
    reading.replaceChildren(
      ...sentence(words.curves.at, { step: indexNode(step) }), document.createTextNode(': '),
      ...read.flatMap(({ name, number: own }, index) => [
        ...(index === 0 ? [] : [document.createTextNode(' · ')]),
        ...sentence(words.curves.label, { name, value: numberNode(context, own, { digits }) }),
      ]));
    setAttributes(slider, {
      'aria-label': spokenSentence(words.curves.slider, { title: data.title }),
      'aria-valuemin': all[0]!, 'aria-valuemax': all.at(-1)!, 'aria-valuenow': step,
      'aria-valuetext': spokenSentence(words.curves.spoken, {
        step: String(step),
        values: read.map(({ name, number: { value } }) =>
          `${name} ${number.fixed(value, digits)}`).join(', '),
      }),
    });
  }
  return { draw };
};

export const curvesFigure: FigureFactory<CurvesData> = defineFigure<CurvesData>({
  name: 'curves',
  build,
  tables: ({ title, series }) => [seriesTable(title, series)],
});
