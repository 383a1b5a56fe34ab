// SPDX-License-Identifier: MIT
// What kind a head is, from its attention weights, and the repeated random tokens on which induction
// heads show.

import type { AttentionMaps } from './api.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { checkKeys, checkRecord, integer } from './option-checks.js';
import { allocate } from './values.js';

export interface HeadScoresOptions {
  /** Tokens after which the sequence repeats itself, 1 to T - 1; adds `induction`. */
  period?: number;
}

/**
 * Scores of every head, (L, H) row-major, read from the engine's weights A (row i looks at column j).
 * They are for causal models: row i counts as seeing i + 1 columns, so with a window `entropy` stays
 * below 1, and where later columns are seen `distance` subtracts them and `entropy` may exceed 1. A
 * mean over no rows (T = 1) is NaN.
 */
export interface HeadScores {
  /**
   * Mean over rows of the row's entropy as a share of the largest there can be, ln of the columns it
   * sees: 0 looks at one token, 1 at all alike. The first row, which sees one column, is left out.
   */
  entropy: Float64Array;
  /** Mean over rows of how far back the row looks, sum_j A_ij (i - j), in tokens. */
  distance: Float64Array;
  /** Mean of A[i][i-1] over i >= 1: the previous-token score (Olsson et al. 2022). */
  previous: Float64Array;
  /** Mean of A[i][0] over i >= 1: weight on the first token, the sink (Xiao et al. 2023). */
  first: Float64Array;
  /** Mean of A[i][i] over i >= 1. */
  self: Float64Array;
  /**
   * With `period` p alone: mean of A[i][i-p+1] over i >= p, the token after the same one a period
   * earlier (the prefix-matching score of Olsson et al. 2022).
   */
  induction?: Float64Array;
}

/** Scores of the heads of `Model.attention`. Errors: `invalid-argument` (period, sizes). */
export function headScores(maps: AttentionMaps, options: HeadScoresOptions = {}): HeadScores {
  checkMaps(maps);
  checkRecord(options, 'head score options');
  checkKeys(options, 'head score options', { period: integer });
  const { layers, heads, time, weights } = maps;
  const { period } = options;
  if (period !== undefined && (period < 1 || period >= time)) {
    throw new HeedError(
      'invalid-argument',
      `head score options: period is 1 to ${time - 1} (the sequence has ${time} tokens), not ` +
        `${period}. Pass a longer sequence, or the period that it has.`,
    );
  }
  const ofHeads = (score: (at: (i: number, j: number) => number) => number) =>
    Float64Array.from({ length: layers * heads }, (_, head) =>
      score((i, j) => weights[(head * time + i) * time + j]!),
    );
  const meanAt = (from: number, column: (row: number) => number) =>
    ofHeads((at) => mean(from, time, (i) => at(i, column(i))));
  return {
    entropy: ofHeads((at) => mean(1, time, (i) => entropyOf(time, at, i) / Math.log(i + 1))),
    distance: ofHeads((at) => mean(0, time, (i) => sum(time, (j) => at(i, j) * (i - j)))),
    previous: meanAt(1, (i) => i - 1),
    first: meanAt(1, () => 0),
    self: meanAt(1, (i) => i),
    ...(period === undefined ? {} : { induction: meanAt(period, (i) => i - period + 1) }),
  };
}

function sum(end: number, term: (index: number) => number): number {
  let total = 0;
  for (let index = 0; index < end; ++index) total += term(index);
  return total;
}

const mean = (from: number, end: number, term: (row: number) => number): number =>
  sum(end - from, (n) => term(from + n)) / (end - from);

const entropyOf = (time: number, at: (i: number, j: number) => number, i: number): number =>
  sum(time, (j) => {
    const weight = at(i, j);
    return weight > 0 ? -weight * Math.log(weight) : 0;
  });

function checkMaps(maps: AttentionMaps): void {
  checkRecord(maps, 'attention maps');
  const { layers, heads, time, weights } = maps;
  const cells = layers * heads * time * time;
  const whole = [layers, heads, time].every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!whole || !ArrayBuffer.isView(weights) || weights.length !== cells) {
    throw new HeedError(
      'invalid-argument',
      `attention maps have layers x heads x time x time weights, here ${cells}, not ` +
        `${describeValue(weights)}. Pass what Model.attention returned.`,
    );
  }
}

export interface RepeatedTokensOptions {
  /** Tokens are below this, at least 1. */
  vocab: number;
  /** Tokens of the block, at least 1. */
  period: number;
  /** How often it stands there, at least 1. */
  repeats: number;
  /** A whole number from 0. Default 0. */
  seed?: number;
}

/**
 * A random block of `period` tokens, `repeats` times: on such a sequence nothing but what came before
 * tells the next token (Olsson et al. 2022). No token occurs again in the block before every token of
 * the vocabulary has occurred. Equal options give equal tokens everywhere: output number n (from 1) of
 * SplitMix64 (Steele, Lea and Flood 2014) from `seed`, its upper 32 bits u, draws number
 * floor(u left / 2^32) of the `left` tokens that remain. Errors: `invalid-argument`, `out-of-memory`.
 */
export function repeatedTokens(options: RepeatedTokensOptions): Int32Array {
  const what = 'repeated token options';
  checkRecord(options, what);
  const checks = { vocab: integer, period: integer, repeats: integer, seed: integer };
  checkKeys(options, what, checks);
  const { vocab, period, repeats, seed = 0 } = options;
  const limits = { vocab: [vocab, 1], period: [period, 1], repeats: [repeats, 1], seed: [seed, 0] };
  for (const [name, [value, least]] of Object.entries(limits)) {
    if (value === undefined || value < least! || (name === 'vocab' && value > 1_000_000)) {
      throw new HeedError(
        'invalid-argument',
        `${what}: ${name} is a whole number from ${least} up (vocab to 1000000), not ${value}. ` +
          'Change the value.',
      );
    }
  }
  const tokens = allocate(period * repeats, 'the tokens', (length) => new Int32Array(length));
  const pool = Int32Array.from({ length: vocab }, (_, id) => id);
  for (let n = 0; n < period; ++n) {
    // The drawn ones gather behind the first `left`.
    const left = vocab - (n % vocab);
    const drawn = Number((splitMix64(seed, n + 1) >> 32n) * BigInt(left) >> 32n);
    tokens[n] = pool[drawn]!;
    pool[drawn] = pool[left - 1]!;
    pool[left - 1] = tokens[n]!;
  }
  for (let n = period; n < tokens.length; ++n) tokens[n] = tokens[n - period]!;
  return tokens;
}

/** Number `counter` of the generator's stream, 64 bits. */
function splitMix64(seed: number, counter: number): bigint {
  let z = BigInt.asUintN(64, BigInt(seed) + BigInt(counter) * 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}
