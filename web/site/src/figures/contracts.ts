// SPDX-License-Identifier: MIT
// What a figure is: a plain module that draws data into a host element and obeys one selection.
// Nothing here knows Svelte, a run or the engine; figures get numbers with their addresses and hand
// them on unchanged.
//
// Of every text with a digit in a figure, one of these holds, and a test goes through the page for
// it: it is in an element with `data-addr` (a number of the model: its text is the rounded value to
// `data-digits` places, `data-value` the value in full), with `data-index` (an index of a row,
// column, channel, head or step), or with `data-axis` (a tick of a scale, no number of the model).

import type { figureWords } from '../text/en/figures';
import type { AddressedNumber, Label } from './data';

export * from './data';

/** Where the reader is. Rows look (i), columns are looked at (j). */
export interface Selection {
  /** Names a run; '' when there is only one. */
  run: string;
  step: number;
  example: number;
  layer: number;
  head: number;
  i: number;
  j: number;
  channel: number;
  /** The number in question, for the inspector; undefined when a row or a head is meant. */
  address?: string | undefined;
}

/**
 * One selection for all figures. A preview lasts as long as the pointer or focus; while something is
 * pinned, previews are ignored and `current` stays.
 */
export interface SelectionStore {
  /** What figures show: the preview if there is one, else what was moved to or pinned. */
  readonly current: Readonly<Selection>;
  readonly pinned: boolean;
  /** Pointing at something; undefined when the pointer leaves. */
  preview(part: Partial<Selection> | undefined): void;
  /** Moves without pinning, as arrow keys do; keeps a pin that exists and moves it along. */
  move(part: Partial<Selection>): void;
  /** Pins `part`; pinning what is pinned releases it. */
  pin(part: Partial<Selection>): void;
  release(): void;
  /** Calls `listener` after each change; returns the way to stop. */
  subscribe(listener: (selection: Readonly<Selection>, pinned: boolean) => void): () => void;
}

/**
 * What prose, formula and figure have in common: parts by name (`query`, `key`, `value`, `score`,
 * `weight`, `mixture`, `push`, `gain`, `mean`, `tangent`, …). Pointing at one lights it everywhere.
 */
export interface Lights {
  readonly lit: string | undefined;
  light(part: string | undefined): void;
  subscribe(listener: (part: string | undefined) => void): () => void;
}

/** Every word a figure says. Strings hold `{name}` where a number, a token or a word goes. */
export type FigureWords = typeof figureWords;

/** How numbers are written; the same in a figure, its table, and the tests. */
export interface NumberFormat {
  /** `value` to `digits` places; `signed` writes + and \u2212 (a true minus sign). Never "-0". */
  fixed(value: number, digits: number, signed?: boolean): string;
  /** All of a float32, for the inspector. */
  full(value: number): string;
  /** Places that give the largest of `limit` two significant digits: 2 to 6. */
  digits(limit: number): number;
  /** Whole numbers: indices, steps. */
  integer(value: number): string;
}

export type Rgb = readonly [number, number, number];

/** Colours as theme.css has them, read from the host so that an embedded figure follows its page. */
export interface FigureTheme {
  paper: Rgb;
  ink: Rgb;
  /** Below and above zero: brown and teal. */
  less: Rgb;
  more: Rgb;
}

export interface FigureContext {
  readonly words: FigureWords;
  readonly number: NumberFormat;
  readonly selection: SelectionStore;
  readonly lights: Lights;
  /** True when nothing may move: states are swapped. */
  readonly reducedMotion: () => boolean;
  /** Calls back when light or dark changes. */
  readonly onTheme: (listener: () => void) => () => void;
  /**
   * Says something through the page's one live region; figures call it on a reader's action only.
   */
  readonly announce: (text: string) => void;
  /** Extra buttons at a figure's foot ("copy as code", "link to this"). */
  readonly tools?: readonly FigureTool[];
}

export interface FigureTool {
  id: string;
  label: string;
  run(figure: { name: string; export(): FigureExport; selection: Readonly<Selection> }): void;
}

/** Numbers under headings: what a figure's table view, its CSV and its JSON show. */
export interface FigureTable {
  /** Plain text. */
  caption: string;
  rows: readonly Label[];
  columns: readonly Label[];
  /** `cells[row][column]`; undefined where there is no number. */
  cells: readonly (readonly (AddressedNumber | undefined)[])[];
}

export interface FigureExport {
  /** Stem for file names, for example `matrix-L0.H0.A`. */
  name: string;
  title: string;
  tables: readonly FigureTable[];
  /** Header line, then one line a row: labels as `index token`, numbers in full. RFC 4180. */
  csv(): string;
  /** Title, and every table with labels, addresses and numbers in full. */
  json(): string;
  /** The figure as it is drawn now, free-standing. */
  svg(): string;
  png(scale?: number): Promise<Blob>;
}

export interface Figure<Data> {
  /** Redraws soon and in place: focus, pins and scroll stay. Until then the figure is `data-stale`. */
  update(data: Data): void;
  destroy(): void;
  export(): FigureExport;
}

/** Draws into `host`, which it owns until `destroy`. */
export type FigureFactory<Data> = (
  host: HTMLElement, data: Data, context: FigureContext,
) => Figure<Data>;
