// SPDX-License-Identifier: MIT
// One example measured at many steps of a run's past.

import type { Example } from 'heed';
import type { LearnRun } from '../run/learn-run';

export interface Measured {
  scope: string;
  row: number;
  steps: number[];
  entropy: number[];
  /** Sum of |dS| over the row. */
  signal: number[];
  loss: number[];
  /** Probability of the right answer at the row; 0 where none is asked for. */
  answer: number[];
}

/** A curve needs no more points than a figure has room for. */
const mostPoints = 60;

/** Up to `mostPoints` whole steps, denser at the start, where most happens. */
export function spread(first: number, last: number): number[] {
  const steps = new Set<number>();
  for (let point = 0; point < mostPoints; ++point) {
    const share = point / (mostPoints - 1);
    steps.add(Math.round(first + (last - first) * share * share));
  }
  return [...steps];
}

/** Each step is asked on its own, so that the page's other questions get their turn. */
export async function measureRun(
  run: LearnRun,
  { tokens, targets }: Example,
  { scope, row }: { scope: string; row: number },
  steps: number[],
  progress: (done: number) => void,
): Promise<Measured> {
  const measured: Measured = {
    scope, row, steps, entropy: [], signal: [], loss: [], answer: [],
  };
  const target = targets[row]!;
  for (const step of steps) {
    const trace = await run.traceAt(step, tokens, targets);
    const slopes = trace.matrix(`${scope}.dS`);
    const from = row * slopes.columns;
    const signal = slopes.values.subarray(from, from + slopes.columns)
      .reduce((sum, value) => sum + Math.abs(value), 0);
    measured.entropy.push(trace.read(`${scope}.entropy.${row}`));
    measured.signal.push(signal);
    measured.loss.push(trace.loss);
    measured.answer.push(target < 0 ? 0 : trace.read(`probs.${row}.${target}`));
    trace.dispose();
    progress(measured.loss.length);
  }
  return measured;
}

/** The weights of one head at each of some steps. */
export async function weightsAt(
  run: LearnRun,
  { tokens, targets }: Example,
  scope: string,
  steps: readonly number[],
): Promise<Float32Array[]> {
  const found: Float32Array[] = [];
  for (const step of steps) {
    const trace = await run.traceAt(step, tokens, targets);
    found.push(trace.matrix(`${scope}.A`).values);
    trace.dispose();
  }
  return found;
}
