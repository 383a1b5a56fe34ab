// SPDX-License-Identifier: MIT
// Every head's weights, small, on one scale; choosing one moves the selection.

import type { FigureFactory, HeadGridData } from './contracts';
import { inkFill } from './core/colour';
import { html, Keyed, setAttributes } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { lay } from './core/matrix-cells';
import { createRover } from './core/rover';
import { indexNode, sentence, spokenSentence } from './core/sentence';
import { matrixTable } from './core/table-view';
import type { FigureTheme, LabelledMatrix } from './contracts';

/** One pixel a cell; the canvas is scaled up without smoothing. */
export function paintSmall(canvas: HTMLCanvasElement, matrix: LabelledMatrix, theme: FigureTheme): void {
  const laid = lay(matrix, false);
  if (canvas.width !== laid.columns || canvas.height !== laid.rows) {
    canvas.width = laid.columns;
    canvas.height = laid.rows;
  }
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(laid.columns, laid.rows);
  for (let cell = 0; cell < laid.rows * laid.columns; ++cell) {
    const [row, column] = [Math.floor(cell / laid.columns), cell % laid.columns];
    const weight = laid.masked(row, column) ? 0 : laid.value(row, column);
    image.data.set([...inkFill(theme, weight), 255], 4 * cell);
  }
  context.putImageData(image, 0, 0);
}

const build = (canvas: Canvas<HeadGridData>) => {
  const { body, context } = canvas;
  const { words } = context;
  const list = html('div', { class: 'heads', role: 'listbox', dir: 'ltr' });
  body.append(list);
  const items = new Keyed();
  const at = (index: number): { layer: number; head: number } => {
    const { layer, head } = canvas.data.heads[index]!;
    return { layer, head };
  };
  // Pointing does not preview: the whole page would change under the pointer.
  const rover = createRover(list, {
    look: (index, by) => by === 'keys' && context.selection.move(at(index)),
    leave: () => undefined,
    choose: (index) => context.selection.move(at(index)),
    release: () => context.selection.release(),
  });
  return {
    draw(): void {
      const { data, theme } = canvas;
      const { layer: l, head: h } = context.selection.current;
      list.setAttribute('aria-label', data.title);
      const elements = data.heads.map(({ layer, head, weights }) => {
        const named = { layer: String(layer), head: String(head) };
        const parts = { layer: indexNode(layer), head: indexNode(head) };
        const item = items.get(`${layer}.${head}`, list, () =>
          html('div', { role: 'option', class: 'head-thumb' }, html('canvas', { 'aria-hidden': true }),
            html('span', { 'aria-hidden': true }, ...sentence(words.heads.short, parts))));
        setAttributes(item, {
          'aria-selected': layer === l && head === h,
          'aria-label': `${spokenSentence(words.heads.short, named)} (${
            spokenSentence(words.heads.head, named)})`,
          'data-head': `L${layer}.H${head}`,
        });
        paintSmall(item.querySelector('canvas')!, weights, theme);
        return item;
      });
      items.sweep();
      rover.refresh(elements, data.heads.findIndex(({ layer, head }) => layer === l && head === h));
    },
  };
};

export const headGridFigure: FigureFactory<HeadGridData> = defineFigure<HeadGridData>({
  name: 'head-grid',
  build,
  tables: ({ heads }, { words }) => heads.map(({ layer, head, weights }) => matrixTable(
    spokenSentence(words.heads.short, { layer: String(layer), head: String(head) }), weights)),
});
