// SPDX-License-Identifier: MIT
// Curves as the chart takes them: one common row of steps, null where a line has no point.

import type { CurvesState } from './curves';

/** A line by itself; steps rise. */
export interface Row {
  steps: readonly number[];
  values: readonly number[];
}

export interface Merged {
  steps: number[];
  /** In the order of the rows. */
  values: (number | null)[][];
}

/** Points of a line that is only compared with; ten runs would else be ten thousand to draw. */
const mostPoints = 160;

export function mergeRows(rows: readonly Row[]): Merged {
  const steps = [...new Set(rows.flatMap((row) => row.steps))].sort((a, b) => a - b);
  const values = rows.map((row) => {
    let next = 0;
    return steps.map((step) => (row.steps[next] === step ? row.values[next++]! : null));
  });
  return { steps, values };
}

export const trainingRow = ({ steps, columns }: Readonly<CurvesState>): Row =>
  ({ steps, values: columns.loss });

export const validationRow = ({ validationSteps, validation }: Readonly<CurvesState>): Row =>
  ({ steps: validationSteps, values: validation });

/** What a run is compared by: its validation, or its training where that was hardly ever looked at. */
export function comparedRow(curves: Readonly<CurvesState>): Row {
  const enough = curves.validation.length >= 3;
  const { steps, values } = enough ? validationRow(curves) : trainingRow(curves);
  const stride = Math.ceil(steps.length / mostPoints);
  const keep = (_: number, i: number): boolean => (steps.length - 1 - i) % stride === 0;
  return { steps: steps.filter(keep), values: values.filter(keep) };
}
