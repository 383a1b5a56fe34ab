// SPDX-License-Identifier: MIT
// Steps to scrub through: a slider, small curves over it, and pins that lead back.

import type { FigureFactory, TimelineData } from './contracts';
import { html, Keyed, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { largest } from './core/number-element';
import { pathOf } from './core/plot';
import { indexNode, sentence, spokenSentence } from './core/sentence';
import { seriesTable } from './core/series';
import { createStage } from './core/stage';

const curveHeight = 36;

const build = (canvas: Canvas<TimelineData>) => {
  const { body, context } = canvas;
  const { words } = context;
  const stage = createStage(body);
  const slider = html('input', { type: 'range', step: 1, class: 'scrub', dir: 'ltr' });
  const at = html('span');
  const pin = html('button', { type: 'button' });
  const pins = html('div', {
    class: 'figure-controls', role: 'group', 'aria-label': words.timeline.pins,
  });
  body.append(slider, html('div', { class: 'figure-controls' }, at, pin), pins);
  const buttons = new Keyed();

  slider.addEventListener('input', () => canvas.data.onScrub(Number(slider.value)));
  pin.addEventListener('click', () => {
    const { current, pins: pinned, onPin } = canvas.data;
    onPin?.(current, !pinned.includes(current));
  });

  return {
    draw(): void {
      const { data, width } = canvas;
      const { first, last, current } = data;
      const place = (step: number): number =>
        8 + (last > first ? (step - first) / (last - first) : 0) * (width - 16);
      stage.begin(width, curveHeight + 12);
      for (const [order, series] of (data.series ?? []).entries()) {
        const most = largest(Array.from(series.values));
        stage.shape(`curve-${order}`, 'path', {
          class: 'curve',
          d: pathOf(Array.from(series.steps, (step, index) => ({
            x: place(step),
            y: curveHeight - (most > 0 ? series.values[index]! / most : 0) * (curveHeight - 4),
          }))),
        });
      }
      for (const step of data.pins) {
        stage.shape(`pin-${step}`, 'line', {
          x1: place(step), x2: place(step), y1: 0, y2: curveHeight + 12, class: 'mean-line',
        });
      }
      stage.shape('current', 'line', {
        x1: place(current), x2: place(current), y1: 0, y2: curveHeight + 12, class: 'rail strong',
      });
      stage.end();

      setAttributes(slider, {
        min: first, max: last, 'aria-label': words.timeline.slider,
        'aria-valuetext': spokenSentence(words.timeline.step, { step: String(current) }),
      });
      // While the reader drags, the slider is where the hand is.
      if (!slider.matches(':active') || Number(slider.value) !== current) slider.value = String(current);
      at.replaceChildren(...sentence(words.timeline.step, { step: indexNode(current) }));
      const pinned = data.pins.includes(current);
      pin.hidden = data.onPin === undefined;
      pin.setAttribute('aria-pressed', String(pinned));
      pin.replaceChildren(...sentence(pinned ? words.timeline.unpin : words.timeline.pin,
        { step: indexNode(current) }));
      for (const step of data.pins) {
        const button = buttons.get(String(step), pins, () => {
          const made = html('button', { type: 'button' },
            ...sentence(words.timeline.goto, { step: indexNode(step) }));
          made.addEventListener('click', () => canvas.data.onScrub(step));
          return made;
        });
        setAttributes(button, { 'aria-pressed': step === current });
      }
      buttons.sweep();
      pins.hidden = data.pins.length === 0;
    },
  };
};

export const timelineFigure: FigureFactory<TimelineData> = defineFigure<TimelineData>({
  name: 'timeline',
  build,
  tables: ({ title, series }) => (series === undefined ? [] : [seriesTable(title, series)]),
});
