// SPDX-License-Identifier: MIT
// The gallery's numbers: passes of one small attention head on tokens that are hard to show, gradient
// descent on it, and each figure's data from them.

import type { LabelledMatrix, LabelledVector, NumberSource, Series } from '../src/figures';
import { readNumber } from '../src/figures';
import { rowVector } from '../src/figures/core/labels';
import {
  attentionPass, dot, fixedWeights, type Pass, type PassOptions, type Rows, type Weights,
} from './attention-pass';
import { labelled, scope, type Labelled } from './trace-of-pass';

/** Equal tokens, whitespace, markup, an emoji of several code points, Arabic, a word. */
const texts = {
  odd: ['a', 'a', ' ', '\n', '<b>', '👩‍🚀', 'ab', 'مرحبا', '</b>'],
  plain: ['D', 'A', 'F', 'A', 'C', 'B', 'p2', '?', 'E'],
};
export type TokenChoice = keyof typeof texts;

export interface Sample {
  now: Labelled;
  before: Labelled;
  weights: Weights;
  texts: string[];
  tokens: number[];
  targets: number[];
  /** Row and column that single-row figures are about. */
  i: number;
  j: number;
  run(options?: PassOptions): Pass;
}

const width = 6;

/** Weights after a plain gradient step of the projections in `names`. */
function stepped(weights: Weights, pass: Pass, rate: number, names: (keyof Pass['dW'])[]): Weights {
  const next = { ...weights };
  for (const name of names) {
    next[name] = weights[name].map((row, c) => row.map((w, d) => w - rate * pass.dW[name][c]![d]!));
  }
  return next;
}

export function makeSample(choice: TokenChoice, descents = 3): Sample {
  const tokenTexts = texts[choice];
  const vocabulary = [...new Set(tokenTexts)];
  const tokens = tokenTexts.map((text) => vocabulary.indexOf(text));
  // Each position's answer is the next token; the last one has none.
  const targets = tokens.map((_, at) => tokens[at + 1] ?? -1);
  const expected = targets.map((target) => vocabulary[target]);
  const label = (pass: Pass): Labelled => labelled(pass, tokenTexts, expected);
  let weights = fixedWeights(7, vocabulary.length, width, width);
  let before = weights;
  for (let step = 0; step < descents; ++step) {
    before = weights;
    weights = stepped(weights, attentionPass(weights, tokens, targets), 1, ['W_Q', 'W_K', 'W_V']);
  }
  return {
    now: label(attentionPass(weights, tokens, targets)),
    before: label(attentionPass(before, tokens, targets)),
    weights, texts: tokenTexts, tokens, targets, i: 6, j: 2,
    run: (options) => attentionPass(weights, tokens, targets, options),
  };
}

export const row = (from: Labelled, name: string, index: number): LabelledVector =>
  rowVector(from.matrix(name), index);

const number = (source: NumberSource, name: string) => {
  const address = `${scope}.${name}`;
  return { address, value: readNumber(source, address) };
};

/** Losses with each visible edge cut, minus the loss. */
export function cutCosts({ now, run }: Sample): LabelledMatrix {
  const shape = now.matrix('A');
  const values = Array.from(shape.values, (_, cell) => {
    const [i, j] = [Math.floor(cell / shape.columns), cell % shape.columns];
    return j > i ? Number.NaN : run({ cut: { i, j } }).loss - now.pass.loss;
  });
  return { ...shape, address: `${scope}.cut`, values };
}

export function nudges({ now, run, i, j }: Sample): { by: number[]; losses: number[] } {
  const by = Array.from({ length: 33 }, (_, at) => (at - 16) / 4);
  return { by, losses: by.map((amount) => (amount === 0 ? now.pass.loss
    : run({ nudge: { i, j, by: amount } }).loss)) };
}

/** Signed shares of dW_Q by row, <part, gradient> / <gradient, gradient>. */
export function shares({ now: { pass } }: Sample): { tokens: number[]; pairs: number[] } {
  const { X, K, dS, dQ, dW } = pass;
  const flat = dW.W_Q.flat();
  const whole = dot(flat, flat);
  const share = (x: number[], right: number[]): number =>
    dot(x.flatMap((a) => right.map((b) => a * b)), flat) / whole;
  const scale = 1 / Math.sqrt(width);
  return {
    tokens: X.map((x, i) => share(x, dQ[i]!)),
    pairs: X.flatMap((x, i) => X.map((_, j) =>
      (j > i ? 0 : share(x, K[j]!.map((k) => k * dS[i]![j]! * scale))))),
  };
}

/** Score of (i, j) before and after, split into query moved, key moved, both. */
export function scoreChange({ now, before, i, j }: Sample): { parts: number[]; total: number } {
  const scale = 1 / Math.sqrt(width);
  const minus = (a: Rows, b: Rows, at: number): number[] => a[at]!.map((x, c) => x - b[at]![c]!);
  const [dq, dk] = [minus(now.pass.Q, before.pass.Q, i), minus(now.pass.K, before.pass.K, j)];
  const [q, k] = [before.pass.Q[i]!, before.pass.K[j]!];
  return {
    parts: [dot(dq, k), dot(q, dk), dot(dq, dk)].map((part) => part * scale),
    total: now.pass.S[i]![j]! - before.pass.S[i]![j]!,
  };
}

/** One more step: predicted and measured loss change by projection. */
export function ledgerOf({ now: { pass }, weights, tokens, targets }: Sample) {
  const rate = 1;
  const names = ['W_Q', 'W_K', 'W_V'] as const;
  const lossOf = (moved: readonly (keyof Pass['dW'])[]): number =>
    attentionPass(stepped(weights, pass, rate, [...moved]), tokens, targets).loss;
  const groups = names.map((name) => {
    const flat = pass.dW[name].flat();
    return { name, predicted: -rate * dot(flat, flat), measured: lossOf([name]) - pass.loss };
  });
  const predicted = groups.reduce((sum, group) => sum + group.predicted, 0);
  const after = lossOf(names);
  return { groups, predicted, before: pass.loss, after, remainder: after - pass.loss - predicted };
}

/** Losses of gradient descent on all projections, and on some of them. */
export function twinCurves({ tokens, targets, weights }: Sample): Series[] {
  const twins: [string, (keyof Pass['dW'])[]][] = [
    ['all', ['W_Q', 'W_K', 'W_V']], ['W_V alone', ['W_V']], ['W_Q, W_K alone', ['W_Q', 'W_K']],
  ];
  return twins.map(([name, moved], twin) => {
    let now = weights;
    const values = Array.from({ length: 41 }, () => {
      const pass = attentionPass(now, tokens, targets);
      now = stepped(now, pass, 0.5, moved);
      return pass.loss;
    });
    return { name, steps: values.map((_, step) => step), values, address: `twin${twin}.loss` };
  });
}

export { number as numberOf };
