// SPDX-License-Identifier: MIT
// Two vectors in the plane they span: lengths and angle are true. The query's tip can be moved, by
// pointer or keys, as a what-if; it stays in the plane.

import type { FigureFactory, PlaneData } from './contracts';
import { html, setAttributes, setStyles } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { spokenToken, tokenNode } from './core/labels';
import { numberNode } from './core/number-element';
import { indexNode, sentence, spokenSentence } from './core/sentence';
import { createStage, type Point } from './core/stage';
import { vectorsTable } from './core/table-view';
import { dotProduct, fitPoints, length } from './core/two-axes';
import { viewHeight } from './core/view-figure';

/** The plane: `along` k_j, `aside` the rest of q_i; the query in it. */
interface Plane {
  along: number[];
  aside: number[];
  query: Point;
  key: Point;
}

function planeOf(query: ArrayLike<number>, key: ArrayLike<number>): Plane {
  const size = length(key);
  const along = Array.from(key, (k, c) => (size > 0 ? k / size : c === 0 ? 1 : 0));
  const x = dotProduct(query, along);
  const rest = Array.from(query, (q, c) => q - x * along[c]!);
  const y = length(rest);
  // Parallel vectors leave the plane open: any direction across the key will do, for example the
  // channel that the key has least of.
  const least = along.reduce((best, value, c) =>
    (Math.abs(value) < Math.abs(along[best]!) ? c : best), 0);
  const open = along.map((value, c) => (c === least ? 1 : 0) - along[least]! * value);
  const aside = y > 1e-9 * Math.max(1, length(query)) ? rest.map((r) => r / y)
    : open.map((value) => value / (length(open) || 1));
  return { along, aside, query: { x, y }, key: { x: size, y: 0 } };
}

const turn = ({ x, y }: Point, degrees: number, stretch: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: stretch * (x * Math.cos(angle) - y * Math.sin(angle)),
    y: stretch * (x * Math.sin(angle) + y * Math.cos(angle)),
  };
};

const build = (canvas: Canvas<PlaneData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const stage = createStage(body);
  const facts = html('div', { class: 'facts' });
  const back = html('button', { type: 'button' }, words.plane.back);
  const changed = html('p', { class: 'note' });
  body.append(facts, html('p', { class: 'note' }, words.plane.exact), changed, back);
  const handle = html('div', { class: 'handle', role: 'slider', tabindex: 0 });
  stage.controls.append(handle);

  /** Tip as moved, while it is; and the plane it moves in, which is that of the data before. */
  let moved: { tip: Point; plane: Plane } | undefined;
  let toView: { at(point: Point): Point; scale: number };
  let dragging = false;
  let frozen: { width: number; reach: Point[] } | undefined;

  function move(tip: Point | undefined): void {
    const { data } = canvas;
    if (data.onOverride === undefined) return;
    if (tip === undefined) {
      moved = undefined;
      frozen = undefined;
      canvas.redraw();
      data.onOverride(undefined);
      return;
    }
    const plane = moved?.plane ?? planeOf(data.query.values, data.key.values);
    moved = { tip, plane };
    canvas.redraw();
    data.onOverride(Float64Array.from(plane.along, (along, c) =>
      tip.x * along + tip.y * plane.aside[c]!));
  }

  const tipNow = (): Point => moved?.tip ?? planeOf(canvas.data.query.values, canvas.data.key.values).query;

  handle.addEventListener('keydown', (event) => {
    const turns: Record<string, [number, number]> = {
      ArrowUp: [0, 1.1], ArrowDown: [0, 1 / 1.1], ArrowLeft: [5, 1], ArrowRight: [-5, 1],
    };
    const by = turns[event.key];
    if (by !== undefined) move(turn(tipNow(), by[0], by[1]));
    else if (event.key === 'Escape' && moved !== undefined) move(undefined);
    else return;
    event.preventDefault();
    context.announce(handle.getAttribute('aria-valuetext')!);
  });
  handle.addEventListener('pointerdown', (event) => {
    if (canvas.data.onOverride === undefined) return;
    dragging = true;
    // The scale stays while dragging, or the tip would run from under the pointer.
    frozen = { width: canvas.width, reach: reach() };
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', (event) => {
    if (!dragging) return;
    const box = stage.root.getBoundingClientRect();
    const zero = toView.at({ x: 0, y: 0 });
    move({
      x: (event.clientX - box.left - zero.x) / toView.scale,
      y: -(event.clientY - box.top - zero.y) / toView.scale,
    });
  });
  const stop = (): void => {
    dragging = false;
    frozen = undefined;
    canvas.redraw();
  };
  handle.addEventListener('pointerup', stop);
  handle.addEventListener('pointercancel', stop);
  back.addEventListener('click', () => {
    move(undefined);
    handle.focus();
  });

  function reach(): Point[] {
    const plane = moved?.plane ?? planeOf(canvas.data.query.values, canvas.data.key.values);
    return [{ x: 0, y: 0 }, plane.key, plane.query, tipNow()];
  }

  function draw(): void {
    const { data, width } = canvas;
    const plane = moved?.plane ?? planeOf(data.query.values, data.key.values);
    const tip = tipNow();
    const height = viewHeight(width);
    stage.begin(width, height);
    toView = fitPoints(frozen?.reach ?? reach(), width, height, { x: 56, y: 34 });
    const { at } = toView;
    const zero = at({ x: 0, y: 0 });
    const [q, k] = [at(tip), at(plane.key)];
    // The shadow of q on k, whose length times |k| is the product.
    const foot = at({ x: tip.x, y: 0 });
    stage.shape('shadow', 'line', {
      x1: q.x, y1: q.y, x2: foot.x, y2: foot.y, class: 'shadow',
    });
    stage.shape('line', 'line', { x1: zero.x, y1: zero.y, x2: foot.x, y2: foot.y, class: 'shadow' });
    const radius = Math.min(24, 0.4 * Math.min(
      Math.hypot(q.x - zero.x, q.y - zero.y), Math.hypot(k.x - zero.x, k.y - zero.y)));
    const angle = Math.atan2(tip.y, tip.x);
    const arcEnd = {
      x: zero.x + radius * Math.cos(angle), y: zero.y - radius * Math.sin(angle),
    };
    stage.shape('arc', 'path', {
      class: 'shadow',
      d: `M${zero.x + radius} ${zero.y}A${radius} ${radius} 0 0 ${angle > 0 ? 0 : 1} ${arcEnd.x} ${arcEnd.y}`,
    });
    stage.arrow('key', zero, k, { class: 'key-arrow', 'data-part': 'key' });
    stage.arrow('query', zero, q, { class: 'query-arrow', 'data-part': 'query' });
    const name = (template: string, index: number, token: string): Node[] =>
      sentence(template, { index: indexNode(index), token: tokenNode(token) });
    stage.label('query', { x: q.x, y: q.y - 24 }, name(words.plane.query, data.i, data.tokens[0]),
      { class: 'query', part: 'query', loose: true });
    stage.label('key', { x: k.x, y: k.y + 16 }, name(words.plane.key, data.j, data.tokens[1]),
      { class: 'key', part: 'key', loose: true });
    stage.end();
    drawFacts(tip);

    const size = Math.hypot(tip.x, tip.y);
    const turned = (Math.atan2(tip.y, tip.x) * 180) / Math.PI;
    handle.hidden = data.onOverride === undefined;
    setStyles(handle, { left: `${(q.x - 14).toFixed(1)}px`, top: `${(q.y - 14).toFixed(1)}px` });
    setAttributes(handle, {
      'aria-label': `${words.plane.handle}. ${words.plane.handleHint}`,
      'aria-valuemin': 0, 'aria-valuemax': Math.max(10, Math.ceil(size)),
      'aria-valuenow': Number(size.toFixed(3)),
      'aria-valuetext': spokenSentence(words.plane.handleValue, {
        length: number.fixed(size, 2), angle: number.fixed(turned, 0),
      }),
      title: words.plane.handleHint,
    });
    back.hidden = moved === undefined;
    changed.textContent = moved === undefined ? '' : words.plane.changed;
    body.toggleAttribute('data-what-if', moved !== undefined);
  }

  function drawFacts(tip: Point): void {
    const { scope, i, j, key, scale } = canvas.data;
    const keySize = length(key.values);
    const querySize = Math.hypot(tip.x, tip.y);
    const dot = tip.x * keySize;
    const cos = querySize > 0 && keySize > 0 ? tip.x / querySize : 0;
    const node = (name: string, value: number, digits = 2, signed = false): Node =>
      numberNode(context, { address: `${scope}.${name}`, value }, { digits, signed });
    const product = (): Node => node(`dot.${i}.${j}`, dot, number.digits(Math.abs(dot)), true);
    const lines = [
      sentence(words.plane.lengths, { q: node(`|Q|.${i}`, querySize), k: node(`|K|.${j}`, keySize) }),
      sentence(words.plane.angle, {
        angle: node(`angle.${i}.${j}`, (Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI, 0),
        cos: node(`cos.${i}.${j}`, cos, 2, true),
      }),
      sentence(words.plane.product, { dot: product() }),
      sentence(words.plane.score, {
        dot: product(),
        scale: html('span', { 'data-axis': true }, number.fixed(scale, 3)),
        score: node(`S.${i}.${j}`, dot * scale, number.digits(Math.abs(dot * scale)), true),
      }),
    ];
    facts.replaceChildren(...lines.map((nodes) => html('p', {}, ...nodes)));
  }

  return {
    draw,
    destroy(): void {
      if (moved !== undefined) canvas.data.onOverride?.(undefined);
    },
  };
};

export const planeFigure: FigureFactory<PlaneData> = defineFigure<PlaneData>({
  name: 'plane',
  subject: ({ scope, i, j }) => `${scope}.${i}.${j}`,
  build,
  tables: ({ title, scope, i, j, query, key, scale, tokens }, { words }) => {
    const dot = dotProduct(query.values, key.values);
    const sizes = length(query.values) * length(key.values);
    const number = (name: string, value: number) => ({ address: `${scope}.${name}`, value });
    return [
      vectorsTable(title, [{ name: 'q', vector: query }, { name: 'k', vector: key }]),
      {
        caption: `q · k (${spokenToken(tokens[0], words)}, ${spokenToken(tokens[1], words)})`,
        rows: [{ kind: 'token', index: i, text: tokens[0] }],
        columns: ['|q|', '|k|', 'cos', 'q · k', 'S'].map((text) => ({ kind: 'name', text })),
        cells: [[
          number(`|Q|.${i}`, length(query.values)), number(`|K|.${j}`, length(key.values)),
          number(`cos.${i}.${j}`, sizes > 0 ? dot / sizes : 0), number(`dot.${i}.${j}`, dot),
          number(`S.${i}.${j}`, dot * scale),
        ]],
      },
    ];
  },
});
