// SPDX-License-Identifier: MIT
// Curves over steps: finding a point, and one table for series that need not share their steps.

import type { AddressedNumber, FigureTable, Series } from '../contracts';

/** Index of the last point at or before `step`; -1 before the first. */
export function pointAt({ steps }: Series, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const numberAt = (series: Series, index: number): AddressedNumber => ({
  address: `${series.address}.${series.steps[index]}`, value: series.values[index]!,
});

export const stepsOf = (all: readonly Series[]): number[] =>
  [...new Set(all.flatMap(({ steps }) => Array.from(steps)))].sort((a, b) => a - b);

export const seriesTable = (caption: string, all: readonly Series[]): FigureTable => {
  const steps = stepsOf(all);
  return {
    caption,
    rows: steps.map((step) => ({ kind: 'step', index: step })),
    columns: all.map(({ name }) => ({ kind: 'name', text: name })),
    cells: steps.map((step) => all.map((series) => {
      const at = pointAt(series, step);
      return at >= 0 && series.steps[at] === step ? numberAt(series, at) : undefined;
    })),
  };
};
