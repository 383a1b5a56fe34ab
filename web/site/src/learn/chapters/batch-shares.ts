// SPDX-License-Identifier: MIT
// How much each example of a batch adds to the batch's gradient of one projection.

import type { ProjectionName, Trace } from 'heed';
import type { LearnRun } from '../run/learn-run';

export interface BatchShares {
  /** <part, whole> / <whole, whole>; they add up to 1. */
  shares: number[];
  losses: number[];
  /** Whether the whole is large enough for shares to mean something. */
  meaningful: boolean;
}

/** Norms below this are noise of float32 sums; the package uses the same floor for one example. */
const floor = 1e-12;

export async function batchShares(
  run: LearnRun,
  of: ProjectionName,
  scope: string,
  progress: (done: number, all: number) => void,
): Promise<BatchShares> {
  const batch = await run.askTrainer((trainer) => trainer.batch());
  const parts: Float32Array[] = [];
  const losses: number[] = [];
  for (const { tokens, targets } of batch) {
    // One at a time: the page's other questions get their turn in between.
    const trace: Trace = await run.ask((model) => model.trace(tokens, targets));
    parts.push(trace.matrix(`${scope}.d${of}`).values);
    losses.push(trace.loss);
    trace.dispose();
    progress(losses.length, batch.length);
  }
  const whole = new Float64Array(parts[0]!.length);
  for (const part of parts) part.forEach((value, at) => (whole[at]! += value));
  const squared = whole.reduce((sum, value) => sum + value * value, 0);
  const shares = parts.map((part) =>
    part.reduce((sum, value, at) => sum + value * whole[at]!, 0) / squared);
  return { shares, losses, meaningful: squared > floor * floor };
}
