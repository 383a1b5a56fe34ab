// SPDX-License-Identifier: MIT
// A place for vector drawings: shapes in SVG, texts in HTML over it (so that tokens keep their
// isolation and numbers their elements), handles over both. Always left to right.

import { html, Keyed, setAttributes, setStyles, svg, type Attributes } from './dom';

export type Anchor = 'start' | 'middle' | 'end';

export interface Stage {
  readonly root: HTMLElement;
  /** For handles; lies over the drawing. */
  readonly controls: HTMLElement;
  begin(width: number, height: number): void;
  shape(key: string, tag: 'line' | 'path' | 'rect' | 'circle', attributes: Attributes): SVGElement;
  /** A line with a head; short ones get a small head. */
  arrow(key: string, from: Point, to: Point, attributes: Attributes): void;
  /** Text at a point; nodes are replaced only when `text` of them differs. */
  label(key: string, at: Point, nodes: readonly Node[], options?: LabelOptions): HTMLElement;
  end(): void;
}

export interface Point {
  x: number;
  y: number;
}

export interface LabelOptions {
  anchor?: Anchor;
  class?: string;
  part?: string | undefined;
  /** Labels that may move up or down so as not to cover each other. */
  loose?: boolean;
}

export function createStage(parent: HTMLElement): Stage {
  const drawing = svg('svg', { 'aria-hidden': true, focusable: 'false' });
  const texts = html('div', { class: 'stage-texts' });
  const controls = html('div', { class: 'stage-controls' });
  const root = html('div', { class: 'stage', dir: 'ltr' });
  root.append(drawing, texts, controls);
  parent.append(root);
  const shapes = new Keyed();
  const labels = new Keyed();
  const sizes = new Map<string, { width: number; height: number }>();
  let size = { width: 0, height: 0 };
  let placed: { element: HTMLElement; at: Point; anchor: Anchor; loose: boolean }[] = [];

  function shape(
    key: string, tag: 'line' | 'path' | 'rect' | 'circle', attributes: Attributes,
  ): SVGElement {
    const element = shapes.get(key, drawing, () => svg(tag));
    setAttributes(element, attributes);
    return element;
  }

  /** Measured once for each text: measuring makes the browser lay out the page. */
  function sizeOf(element: HTMLElement): { width: number; height: number } {
    const key = `${size.width} ${element.className} ${element.textContent}`;
    let found = sizes.get(key);
    if (found === undefined) {
      const { width, height } = element.getBoundingClientRect();
      found = { width, height };
      // Numbers change at every step: what has not been seen for long is measured again.
      if (sizes.size > 500) sizes.clear();
      if (width > 0) sizes.set(key, found);
    }
    return found;
  }

  /** Keeps labels inside the stage and, one after the other, off those placed before. */
  function arrange(): void {
    const taken: { left: number; right: number; top: number; bottom: number }[] = [];
    for (const { element, at, anchor, loose } of placed) {
      const { width, height } = sizeOf(element);
      const shift = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
      const left = Math.max(0, Math.min(size.width - width, at.x - shift));
      let top = Math.max(0, Math.min(size.height - height, at.y - height / 2));
      if (loose) {
        const free = (y: number): boolean => y >= 0 && y + height <= size.height
          && taken.every((box) => left >= box.right + 3 || left + width + 3 <= box.left
            || y >= box.bottom || y + height <= box.top);
        for (let step = 0; step < 24; ++step) {
          const way = (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * (height / 2);
          if (free(top + way)) {
            top += way;
            break;
          }
        }
      }
      taken.push({ left, right: left + width, top, bottom: top + height });
      setStyles(element, { left: `${left.toFixed(1)}px`, top: `${top.toFixed(1)}px` });
    }
  }

  return {
    root,
    controls,
    begin(width, height) {
      size = { width, height };
      placed = [];
      setAttributes(drawing, { width, height, viewBox: `0 0 ${width} ${height}` });
      setStyles(root, { height: `${height}px` });
    },
    shape,
    arrow(key, from, to, attributes) {
      const dx = to.x - from.x;
      const dy = to.y - from.y;
      const length = Math.hypot(dx, dy);
      const head = Math.min(8, length * 0.45);
      const [ux, uy] = length > 0 ? [dx / length, dy / length] : [0, 0];
      const point = (along: number, aside: number): string =>
        `${(to.x - ux * along - uy * aside).toFixed(2)} ${(to.y - uy * along + ux * aside).toFixed(2)}`;
      shape(key, 'path', {
        ...attributes,
        d: `M${from.x.toFixed(2)} ${from.y.toFixed(2)}L${to.x.toFixed(2)} ${to.y.toFixed(2)}`
          + `M${point(head, head * 0.5)}L${point(0, 0)}L${point(head, -head * 0.5)}`,
        class: `arrow ${String(attributes['class'] ?? '')}`,
      });
    },
    label(key, at, nodes, options = {}) {
      const element = labels.get(key, texts, () => html('span'));
      setAttributes(element, {
        class: `stage-label ${options.class ?? ''}`, 'data-part': options.part,
      });
      element.replaceChildren(...nodes);
      placed.push({
        element, at, anchor: options.anchor ?? 'middle', loose: options.loose ?? false,
      });
      return element;
    },
    end() {
      shapes.sweep();
      labels.sweep();
      arrange();
    },
  };
}
