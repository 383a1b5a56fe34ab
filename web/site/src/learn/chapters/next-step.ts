// SPDX-License-Identifier: MIT
// The next step of training, made, traced and undone: what it does to one example.

import type { Example, Ledger, Trace, Trainer } from 'heed';

/** What C10 reads of a trace, kept after the trace itself is freed. */
export interface HeadState {
  Q: Float32Array;
  K: Float32Array;
  V: Float32Array;
  S: Float32Array;
  A: Float32Array;
  C: Float32Array;
  time: number;
  headWidth: number;
}

export interface NextStep {
  ledger: Ledger;
  before: HeadState;
  after: HeadState;
  /** Gradient at the scores before. */
  dS: Float32Array;
}

function stateOf(trace: Trace, scope: string): HeadState {
  const of = (name: string): Float32Array => trace.matrix(`${scope}.${name}`).values;
  return {
    Q: of('Q'), K: of('K'), V: of('V'), S: of('S'), A: of('A'), C: of('C'),
    time: trace.time, headWidth: trace.matrix(`${scope}.Q`).columns,
  };
}

/** Leaves the trainer as it was, to the bit. */
export async function nextStep(
  trainer: Trainer,
  { tokens, targets }: Example,
  scope: string,
): Promise<NextStep> {
  const ledger = await trainer.ledger();
  const first = await trainer.model.trace(tokens, targets);
  const before = stateOf(first, scope);
  const dS = first.matrix(`${scope}.dS`).values;
  first.dispose();
  await trainer.forward();
  await trainer.backward();
  await trainer.update();
  try {
    const second = await trainer.model.trace(tokens, targets, { gradients: false });
    const after = stateOf(second, scope);
    second.dispose();
    return { ledger, before, after, dS };
  } finally {
    await trainer.undo();
  }
}

export interface ScoreParts {
  query: number;
  key: number;
  both: number;
  total: number;
}

/** sqrt(D) ΔS_ij = Δq·k + q·Δk + Δq·Δk, each divided by sqrt(D). */
export function scoreParts({ before, after }: NextStep, i: number, j: number): ScoreParts {
  const { headWidth } = before;
  const parts = { query: 0, key: 0, both: 0 };
  for (let c = 0; c < headWidth; ++c) {
    const q = before.Q[i * headWidth + c]!;
    const k = before.K[j * headWidth + c]!;
    const dq = after.Q[i * headWidth + c]! - q;
    const dk = after.K[j * headWidth + c]! - k;
    parts.query += dq * k;
    parts.key += q * dk;
    parts.both += dq * dk;
  }
  const scale = 1 / Math.sqrt(headWidth);
  const scaled = {
    query: parts.query * scale, key: parts.key * scale, both: parts.both * scale,
  };
  return { ...scaled, total: scaled.query + scaled.key + scaled.both };
}

export interface MixtureParts {
  routing: number;
  content: number;
  both: number;
  total: number;
}

/** Δc_i = Σ ΔA v + Σ A Δv + Σ ΔA Δv, along `direction`. */
export function mixtureParts(
  { before, after }: NextStep,
  i: number,
  direction: ArrayLike<number>,
): MixtureParts {
  const { headWidth, time } = before;
  const along = (state: HeadState, j: number): number => {
    let sum = 0;
    for (let c = 0; c < headWidth; ++c) sum += state.V[j * headWidth + c]! * direction[c]!;
    return sum;
  };
  const parts = { routing: 0, content: 0, both: 0 };
  for (let j = 0; j <= i; ++j) {
    const weight = before.A[i * time + j]!;
    const dWeight = after.A[i * time + j]! - weight;
    const value = along(before, j);
    const dValue = along(after, j) - value;
    parts.routing += dWeight * value;
    parts.content += weight * dValue;
    parts.both += dWeight * dValue;
  }
  return { ...parts, total: parts.routing + parts.content + parts.both };
}

/** Visible scores with a push, and how many of them the step moved that way. */
export function followed({ before, after, dS }: NextStep): { with: number; of: number } {
  const { time } = before;
  const count = { with: 0, of: 0 };
  for (let i = 0; i < time; ++i) {
    for (let j = 0; j <= i; ++j) {
      const push = -dS[i * time + j]!;
      if (push === 0) continue;
      count.of += 1;
      if (push * (after.S[i * time + j]! - before.S[i * time + j]!) > 0) count.with += 1;
    }
  }
  return count;
}
