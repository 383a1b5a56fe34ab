// SPDX-License-Identifier: MIT
// Fills of cells. Weights are ink on paper from 0 to 1; signed numbers run from brown through paper
// to teal, the same size of number having the same strength on both sides.

import type { FigureTheme, Rgb } from '../contracts';

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const at = Math.max(0, Math.min(1, share));
  return from.map((start, channel) =>
    Math.round(start + (to[channel]! - start) * at)) as unknown as Rgb;
};

export const inkFill = (theme: FigureTheme, weight: number): Rgb =>
  mix(theme.paper, theme.ink, weight);

/** `limit` and beyond are full brown or teal; a limit of 0 leaves paper. */
export const signedFill = (theme: FigureTheme, value: number, limit: number): Rgb =>
  mix(theme.paper, value < 0 ? theme.less : theme.more, limit > 0 ? Math.abs(value) / limit : 0);

export const css = ([red, green, blue]: Rgb): string => `rgb(${red}, ${green}, ${blue})`;

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Black or white, whichever reads better: at least 4.58 : 1 on any fill. Ink would give 4.35. */
export const textOn = (fill: Rgb): Rgb =>
  luminance(fill) > 0.179 ? [0, 0, 0] : [255, 255, 255];

/** `#rgb`, `#rrggbb` or `rgb(r, g, b)`, as style sheets and minifiers write them. */
export function parseColour(text: string): Rgb {
  const trimmed = text.trim();
  if (!trimmed.startsWith('#')) {
    const [red, green, blue] = (trimmed.match(/[\d.]+/g) ?? []).map(Number);
    return [red ?? 0, green ?? 0, blue ?? 0];
  }
  const digits = trimmed.slice(1);
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function readTheme(host: Element): FigureTheme {
  const style = getComputedStyle(host);
  const colour = (name: string): Rgb => parseColour(style.getPropertyValue(name));
  return {
    paper: colour('--paper'), ink: colour('--ink'), less: colour('--less'), more: colour('--more'),
  };
}
