// SPDX-License-Identifier: MIT
// What figures of arrows in a view of two axes share: the stage with its axis names, the share of
// length kept, and a list of the arrows below.

import type { FigureContext } from '../contracts';
import { html } from './dom';
import { axisNode, sentence } from './sentence';
import { createStage, type Point, type Stage } from './stage';
import { fitPoints, type TwoAxes } from './two-axes';

export interface ArrowView {
  readonly stage: Stage;
  readonly below: HTMLElement;
  /**
   * Starts a drawing that has all of `points` (of the view) inside. Returns where a point lies.
   */
  begin(
    width: number, points: readonly Point[], axes: TwoAxes, name: readonly Node[],
  ): (point: Point) => Point;
}

/** As high as half its width, between what labels need and what fits beside prose. */
export const viewHeight = (width: number): number =>
  Math.round(Math.max(180, Math.min(320, width * 0.55)));

export function createArrowView(parent: HTMLElement, context: FigureContext): ArrowView {
  const { words, number } = context;
  const stage = createStage(parent);
  const note = html('p', { class: 'note' });
  const below = html('div');
  parent.append(note, below);
  return {
    stage,
    below,
    begin(width, points, axes, name) {
      const height = viewHeight(width);
      stage.begin(width, height);
      const { at } = fitPoints(points, width, height, { x: Math.min(60, width * 0.15), y: 26 });
      const zero = at({ x: 0, y: 0 });
      stage.shape('axis-x', 'line', { x1: 0, x2: width, y1: zero.y, y2: zero.y, class: 'axis' });
      stage.shape('axis-y', 'line', { x1: zero.x, x2: zero.x, y1: 0, y2: height, class: 'axis' });
      note.replaceChildren(
        ...sentence(words.view.across, { name: html('bdi', {}, ...name) }), document.createTextNode('; '),
        ...sentence(words.view.up, { name: words.view.largest }), document.createTextNode('; '),
        ...sentence(words.view.kept, { share: axisNode(number.fixed(axes.kept, 2)) }),
      );
      return at;
    },
  };
}
