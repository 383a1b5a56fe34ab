// SPDX-License-Identifier: MIT
// A figure as it stands in the page, as one free-standing SVG: boxes and texts of HTML, shapes of
// SVG and pixels of canvases at their places, with their computed colours. No foreignObject, which
// drawing programs do not read and browsers refuse to paint on a canvas.

import { svg } from '../core/dom';

const transparent = /^(transparent|rgba\(.*, ?0\))$/;
const painted = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity'];

interface Sheet {
  root: SVGSVGElement;
  left: number;
  top: number;
  /** Outlines, which lie over what comes after them. */
  over: SVGElement[];
}

const rounded = (value: number): string => value.toFixed(2);

function box(sheet: Sheet, rect: DOMRect, fill: string): void {
  sheet.root.append(svg('rect', {
    x: rounded(rect.left - sheet.left), y: rounded(rect.top - sheet.top),
    width: rounded(rect.width), height: rounded(rect.height), fill,
  }));
}

function borders(sheet: Sheet, rect: DOMRect, style: CSSStyleDeclaration): void {
  const x = rect.left - sheet.left;
  const y = rect.top - sheet.top;
  const sides = [
    ['top', x, y, x + rect.width, y],
    ['bottom', x, y + rect.height, x + rect.width, y + rect.height],
    ['left', x, y, x, y + rect.height],
    ['right', x + rect.width, y, x + rect.width, y + rect.height],
  ] as const;
  for (const [side, x1, y1, x2, y2] of sides) {
    const width = Number.parseFloat(style.getPropertyValue(`border-${side}-width`));
    const colour = style.getPropertyValue(`border-${side}-color`);
    const kind = style.getPropertyValue(`border-${side}-style`);
    if (!(width > 0) || kind === 'none' || transparent.test(colour)) continue;
    sheet.root.append(svg('line', {
      x1: rounded(x1), y1: rounded(y1), x2: rounded(x2), y2: rounded(y2),
      stroke: colour, 'stroke-width': width,
    }));
  }
  const outline = Number.parseFloat(style.outlineWidth);
  if (outline > 0 && style.outlineStyle !== 'none') {
    const offset = Number.parseFloat(style.outlineOffset) + outline / 2;
    sheet.over.push(svg('rect', {
      x: rounded(x - offset), y: rounded(y - offset),
      width: rounded(Math.max(0, rect.width + 2 * offset)),
      height: rounded(Math.max(0, rect.height + 2 * offset)),
      fill: 'none', stroke: style.outlineColor, 'stroke-width': outline,
    }));
  }
}

function text(sheet: Sheet, node: Text, parent: Element, style: CSSStyleDeclaration): void {
  if (node.data.trim() === '') return;
  const range = document.createRange();
  range.selectNodeContents(node);
  const rect = range.getBoundingClientRect();
  if (rect.width === 0) return;
  const vertical = style.writingMode.startsWith('vertical');
  const x = rect.left - sheet.left + (vertical ? rect.width / 2 : 0);
  const y = rect.top - sheet.top + (vertical ? 0 : rect.height / 2);
  const owner = parent.closest('[data-addr]');
  const element = svg('text', {
    x: rounded(x), y: rounded(y), fill: style.color, 'dominant-baseline': 'central',
    'font-family': style.fontFamily, 'font-size': style.fontSize, 'font-weight': style.fontWeight,
    'xml:space': 'preserve',
    transform: vertical ? `rotate(90 ${rounded(x)} ${rounded(y)})` : undefined,
    'data-addr': owner?.getAttribute('data-addr') ?? undefined,
    'data-value': owner?.getAttribute('data-value') ?? undefined,
  });
  element.textContent = node.data;
  sheet.root.append(element);
}

/** A drawing inside the page's figure: cloned with its computed paint. */
function drawing(sheet: Sheet, source: SVGSVGElement): void {
  const rect = source.getBoundingClientRect();
  const copy = source.cloneNode(true) as SVGSVGElement;
  const originals = [...source.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const name of painted) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  });
  for (const [name, value] of [['x', rect.left - sheet.left], ['y', rect.top - sheet.top],
    ['width', rect.width], ['height', rect.height]] as const) {
    copy.setAttribute(name, rounded(value));
  }
  sheet.root.append(copy);
}

function pixels(sheet: Sheet, source: HTMLCanvasElement): void {
  const rect = source.getBoundingClientRect();
  sheet.root.append(svg('image', {
    x: rounded(rect.left - sheet.left), y: rounded(rect.top - sheet.top),
    width: rounded(rect.width), height: rounded(rect.height),
    href: source.toDataURL(), preserveAspectRatio: 'none', 'image-rendering': 'pixelated',
  }));
}

function walk(sheet: Sheet, element: Element): void {
  const style = getComputedStyle(element);
  const unseen = style.display === 'none' || style.visibility === 'hidden'
    || element.matches('.hidden, button, input, select, .figure-controls, .nudge, .hint');
  if (unseen) return;
  if (element instanceof SVGSVGElement) return drawing(sheet, element);
  if (element instanceof HTMLCanvasElement) return pixels(sheet, element);
  const rect = element.getBoundingClientRect();
  if (rect.width > 0 && rect.height > 0) {
    if (!transparent.test(style.backgroundColor)) box(sheet, rect, style.backgroundColor);
    borders(sheet, rect, style);
  }
  for (const child of element.childNodes) {
    if (child instanceof Text) text(sheet, child, element, style);
    else if (child instanceof Element) walk(sheet, child);
  }
}

/** Paper below, the title above, then the drawing. */
export function elementToSvg(source: HTMLElement, title: string): string {
  const rect = source.getBoundingClientRect();
  const style = getComputedStyle(source);
  const margin = 12;
  const head = 24;
  // What scrolls inside the page is there in full.
  const right = [...source.querySelectorAll('*')]
    .reduce((far, { scrollWidth }) => Math.max(far, scrollWidth), source.scrollWidth);
  const width = Math.ceil(Math.max(rect.width, right) + 2 * margin);
  const height = Math.ceil(rect.height + head + 2 * margin);
  const root = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`,
  });
  const name = svg('title');
  name.textContent = title;
  const heading = svg('text', {
    x: margin, y: margin + head / 2, fill: style.color, 'dominant-baseline': 'central',
    'font-family': style.fontFamily, 'font-size': style.fontSize, 'font-weight': 600,
  });
  heading.textContent = title;
  const paper = style.getPropertyValue('--paper').trim();
  root.append(name, svg('rect', { width, height, fill: paper }), heading);
  const over: SVGElement[] = [];
  walk({ root, left: rect.left - margin, top: rect.top - head - margin, over }, source);
  root.append(...over);
  return new XMLSerializer().serializeToString(root);
}
