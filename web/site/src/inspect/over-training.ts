// SPDX-License-Identifier: MIT
// Scores of every head in every saved state of a run: on the prompt, and, for induction, on random
// tokens that come twice.

import { headScores, repeatedTokens } from 'heed';
import type { HeadScores, Model } from 'heed';
import type { RunInfo } from '../background/protocol';
import type { States } from './states';

export const scoreKinds = ['entropy', 'distance', 'previous', 'first', 'induction'] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/** (L, H) row-major each. */
export type Scores = Record<ScoreKind, Float64Array>;

export interface ScoredState {
  step: number;
  heads: number;
  scores: Scores;
}

/** Long enough that hitting the right column by chance is rare; fixed, so that states compare. */
const longestPeriod = 16;
const seed = 1;

export async function scoresOf(model: Model, ids: Int32Array): Promise<Scores> {
  const { context, vocab, layers, heads } = model.config;
  const onPrompt: HeadScores = headScores(await model.attention(ids));
  const period = Math.min(longestPeriod, Math.floor(context / 2));
  const none = new Float64Array(layers * heads).fill(Number.NaN);
  const twice = period < 2 ? undefined : headScores(
    await model.attention(repeatedTokens({ vocab, period, repeats: 2, seed })), { period });
  return { ...onPrompt, induction: twice?.induction ?? none };
}

/** One state at a time, oldest first; `signal` ends it between two. */
export async function* scoresOverTraining(
  states: States,
  run: RunInfo,
  ids: Int32Array,
  signal: AbortSignal,
): AsyncGenerator<ScoredState> {
  for (const { step } of run.saves) {
    if (signal.aborted) return;
    const state = await states.read(run, step);
    try {
      const scores = await scoresOf(state.model, ids);
      yield { step: state.step, heads: state.model.config.heads, scores };
    } finally {
      state.model.dispose();
    }
  }
}
