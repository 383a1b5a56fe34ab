// SPDX-License-Identifier: MIT
// A rectangle with two scales, ticks at round numbers, and curves in it.

import { html } from './dom';
import type { Point, Stage } from './stage';

export interface PlotFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Range {
  low: number;
  high: number;
}

/** Round numbers inside a range, about `count` of them. */
export function ticks({ low, high }: Range, count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((lead) => lead * power).find((size) => size >= rough)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 },
    (_, index) => (first + index) * step);
}

/** Places that tell ticks apart. */
export const tickText = (value: number, all: readonly number[]): string => {
  const step = all.length > 1 ? Math.abs(all[1]! - all[0]!) : Math.abs(value) || 1;
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `\u2212${text}` : text;
};

export interface Plot {
  at(x: number, y: number): Point;
  /** Value of x at a pixel. */
  x(px: number): number;
}

export function drawAxes(stage: Stage, frame: PlotFrame, xs: Range, ys: Range): Plot {
  const spread = ({ low, high }: Range): number => (high > low ? high - low : 1);
  const at = (x: number, y: number): Point => ({
    x: frame.left + ((x - xs.low) / spread(xs)) * (frame.right - frame.left),
    y: frame.bottom - ((y - ys.low) / spread(ys)) * (frame.bottom - frame.top),
  });
  const across = ticks(xs, (frame.right - frame.left) / 50);
  const upward = ticks(ys, (frame.bottom - frame.top) / 36);
  const number = (text: string): Node[] => [html('span', { 'data-axis': true }, text)];
  for (const value of across) {
    const { x } = at(value, ys.low);
    stage.shape(`x-${value}`, 'line', {
      x1: x, x2: x, y1: frame.bottom, y2: frame.bottom + 4, class: 'rail',
    });
    stage.label(`x-${value}`, { x, y: frame.bottom + 13 }, number(tickText(value, across)),
      { class: 'quiet' });
  }
  for (const value of upward) {
    const { y } = at(xs.low, value);
    stage.shape(`y-${value}`, 'line', {
      x1: frame.left, x2: frame.right, y1: y, y2: y, class: 'axis',
    });
    stage.label(`y-${value}`, { x: frame.left - 6, y }, number(tickText(value, upward)),
      { class: 'quiet', anchor: 'end' });
  }
  return {
    at,
    x: (px) => xs.low + ((px - frame.left) / (frame.right - frame.left)) * spread(xs),
  };
}

export const pathOf = (points: readonly Point[]): string => points
  .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('');
