// SPDX-License-Identifier: MIT
// What all figures have in common: title, table view, saving, redrawing on data, size, selection and
// theme, lit parts, and Esc.

import type {
  Figure, FigureContext, FigureExport, FigureFactory, FigureTable, FigureTheme,
} from '../contracts';
import { exportFigure } from '../export/figure-export';
import { saveBlob } from '../export/save';
import { readTheme } from './colour';
import { html, setText } from './dom';
import { DrawQueue } from './draw-queue';
import { tableNode } from './table-view';

export interface Canvas<Data> {
  /** Where the drawing goes. */
  readonly body: HTMLElement;
  readonly context: FigureContext;
  readonly data: Data;
  /** Of the body, in CSS pixels. */
  readonly width: number;
  readonly theme: FigureTheme;
  redraw(): void;
}

export interface Drawing {
  draw(): void;
  destroy?(): void;
}

interface Definition<Data> {
  name: string;
  /** Names the file when saved, for example the matrix's address. */
  subject?(data: Data): string;
  build(canvas: Canvas<Data>): Drawing;
  tables(data: Data, context: FigureContext): FigureTable[];
}

/** One for the page: all figures share its thread. */
const queue = new DrawQueue();

export function defineFigure<Data extends { title: string }>(
  definition: Definition<Data>,
): FigureFactory<Data> {
  return (host, first, context) => {
    const { words } = context;
    let data = first;
    let theme: FigureTheme | undefined;
    let asTable = false;

    const title = html('figcaption', { class: 'figure-title' });
    const body = html('div', { class: 'figure-body' });
    const tables = html('div', { class: 'figure-tables', tabindex: 0, role: 'group' });
    const root = html('figure', { class: 'figure', 'data-figure': definition.name }, title, body);
    const toggle = html('button', { type: 'button', 'aria-pressed': false }, words.frame.table);
    root.append(tables, tools());
    tables.hidden = true;
    host.replaceChildren(root);
    // Kept, not asked for at each draw: asking makes the browser lay out the page once more.
    let width = body.clientWidth;

    const canvas: Canvas<Data> = {
      body,
      context,
      get data() {
        return data;
      },
      get width() {
        return width;
      },
      get theme() {
        return (theme ??= readTheme(root));
      },
      redraw,
    };
    const drawing = definition.build(canvas);
    // Until the observer has looked, as if it were seen.
    const drawable = { inSight: true, draw: redraw };
    const sight = new IntersectionObserver((entries) => {
      drawable.inSight = entries.at(-1)!.isIntersecting;
      if (drawable.inSight) queue.now(drawable);
    });

    function redrawSoon(): void {
      root.dataset['stale'] = '';
      queue.ask(drawable);
    }

    function redraw(): void {
      queue.forget(drawable);
      delete root.dataset['stale'];
      setText(title, data.title);
      tables.setAttribute('aria-label', data.title);
      if (asTable) {
        tables.replaceChildren(
          ...definition.tables(data, context).map((table) => tableNode(table, context)));
      } else if (width > 0) {
        drawing.draw();
      }
      showLit(context.lights.lit);
    }

    function showLit(part: string | undefined): void {
      for (const element of root.querySelectorAll<HTMLElement>('[data-part]')) {
        element.classList.toggle('lit', element.dataset['part'] === part);
      }
    }

    function tools(): HTMLElement {
      toggle.addEventListener('click', () => {
        asTable = !asTable;
        toggle.setAttribute('aria-pressed', String(asTable));
        body.hidden = asTable;
        tables.hidden = !asTable;
        width = body.clientWidth || width;
        redraw();
      });
      const formats = (['png', 'svg', 'csv', 'json'] as const).map((format) => {
        const button = html('button', { type: 'button', 'data-save': format }, words.frame[format]);
        button.addEventListener('click', () => void save(format));
        return button;
      });
      const extra = (context.tools ?? []).map((tool) => {
        const button = html('button', { type: 'button', 'data-tool': tool.id }, tool.label);
        button.addEventListener('click', () => tool.run({
          name: definition.name, export: exported, selection: context.selection.current,
        }));
        return button;
      });
      return html('div', { class: 'figure-tools', role: 'group', 'aria-label': words.frame.tools },
        toggle,
        html('details', {}, html('summary', {}, words.frame.save),
          html('div', { class: 'figure-formats' }, ...formats)),
        ...extra);
    }

    function exported(): FigureExport {
      queue.now(drawable);
      const subject = definition.subject?.(data);
      return exportFigure({
        name: subject === undefined ? definition.name : `${definition.name}-${subject}`,
        title: data.title,
        tables: definition.tables(data, context),
        drawing: asTable ? tables : body,
      });
    }

    async function save(format: 'png' | 'svg' | 'csv' | 'json'): Promise<void> {
      const made = exported();
      const types = { svg: 'image/svg+xml', csv: 'text/csv', json: 'application/json' };
      const blob = format === 'png'
        ? await made.png()
        : new Blob([made[format]()], { type: types[format] });
      saveBlob(blob, `${made.name}.${format}`);
    }

    root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) context.selection.release();
    });
    root.addEventListener('pointerover', (event) => {
      const target = event.target instanceof Element ? event.target.closest('[data-part]') : null;
      context.lights.light(target?.getAttribute('data-part') ?? undefined);
    });
    root.addEventListener('pointerleave', () => context.lights.light(undefined));

    const resize = new ResizeObserver(() => {
      if (asTable || body.clientWidth === width) return;
      width = body.clientWidth;
      redraw();
    });
    resize.observe(root);
    const stops = [
      // A table marks nothing, so that the selection is nothing to it.
      context.selection.subscribe(() => {
        if (asTable) return;
        // The reader's keys and pointer are answered at once where they can see it.
        if (drawable.inSight) redraw();
        else redrawSoon();
      }),
      context.lights.subscribe(showLit),
      context.onTheme(() => {
        theme = undefined;
        redraw();
      }),
    ];
    sight.observe(root);
    redraw();

    const figure: Figure<Data> = {
      update(next) {
        data = next;
        redrawSoon();
      },
      destroy() {
        resize.disconnect();
        sight.disconnect();
        queue.forget(drawable);
        for (const stop of stops) stop();
        drawing.destroy?.();
        root.remove();
      },
      export: exported,
    };
    return figure;
  };
}
