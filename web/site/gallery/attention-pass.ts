// SPDX-License-Identifier: MIT
// One attention head in double, forward and backward, with the loss of an answer at every position:
// gives the gallery true numbers without an engine. X is embeddings (tied to the output), no
// positions, no norm, no output projection: logits = C E^T.

/** Rows of numbers. */
export type Rows = number[][];

export interface Pass {
  X: Rows;
  Q: Rows;
  K: Rows;
  V: Rows;
  S: Rows;
  A: Rows;
  C: Rows;
  probs: Rows;
  loss: number;
  dC: Rows;
  dA: Rows;
  dS: Rows;
  dQ: Rows;
  dK: Rows;
  dV: Rows;
  dW: { W_Q: Rows; W_K: Rows; W_V: Rows };
}

export interface Weights {
  embed: Rows;
  W_Q: Rows;
  W_K: Rows;
  W_V: Rows;
}

export interface PassOptions {
  /** Added to S, for nudges. */
  nudge?: { i: number; j: number; by: number };
  /** Edge whose share is given to nobody. */
  cut?: { i: number; j: number };
  query?: { i: number; values: ArrayLike<number> };
}

/** Numbers in [-1, 1) that depend on nothing but their seed (a 32-bit mix of the counter). */
export function fixedNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 31 - 1;
  };
}

export function fixedWeights(seed: number, vocab: number, width: number, head: number): Weights {
  const next = fixedNumbers(seed);
  const rows = (count: number, columns: number, size: number): Rows =>
    Array.from({ length: count }, () => Array.from({ length: columns }, () => size * next()));
  return {
    embed: rows(vocab, width, 1.4),
    W_Q: rows(width, head, 1),
    W_K: rows(width, head, 1),
    W_V: rows(width, head, 1),
  };
}

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let c = 0; c < a.length; ++c) sum += a[c]! * b[c]!;
  return sum;
};
const transpose = (m: Rows): Rows => m[0]!.map((_, c) => m.map((row) => row[c]!));
export const multiply = (a: Rows, b: Rows): Rows => {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
};

function softmax(row: number[]): number[] {
  const most = Math.max(...row);
  const exps = row.map((score) => Math.exp(score - most));
  const sum = exps.reduce((total, exp) => total + exp, 0);
  return exps.map((exp) => exp / sum);
}

/** `targets` -1: does not count. Head width equals model width. */
export function attentionPass(
  weights: Weights, tokens: readonly number[], targets: readonly number[],
  options: PassOptions = {},
): Pass {
  const X = tokens.map((token) => weights.embed[token]!);
  const Q = multiply(X, weights.W_Q);
  if (options.query !== undefined) Q[options.query.i] = Array.from(options.query.values);
  const K = multiply(X, weights.W_K);
  const V = multiply(X, weights.W_V);
  const scale = 1 / Math.sqrt(weights.W_Q[0]!.length);
  const S = Q.map((q, i) => K.map((k, j) => (j > i ? -Infinity : dot(q, k) * scale)));
  const { nudge, cut } = options;
  if (nudge !== undefined) S[nudge.i]![nudge.j]! += nudge.by;
  const A = S.map(softmax);
  if (cut !== undefined) A[cut.i]![cut.j] = 0;
  const C = multiply(A, V);
  const probs = C.map((c) => softmax(weights.embed.map((row) => dot(c, row))));
  const counted = targets.filter((target) => target >= 0).length;
  let loss = 0;
  const dlogits = probs.map((row, i) => {
    const target = targets[i]!;
    if (target < 0) return row.map(() => 0);
    loss -= Math.log(row[target]!) / counted;
    return row.map((p, token) => (p - (token === target ? 1 : 0)) / counted);
  });
  const dC = multiply(dlogits, weights.embed);
  const dA = dC.map((g, i) => V.map((v, j) => (j > i ? 0 : dot(g, v))));
  const dS = A.map((row, i) => {
    const mean = dot(row, dA[i]!);
    return row.map((a, j) => a * (dA[i]![j]! - mean));
  });
  const scaled = dS.map((row) => row.map((value) => value * scale));
  const dQ = multiply(scaled, K);
  const dK = multiply(transpose(scaled), Q);
  const dV = multiply(transpose(A), dC);
  const Xt = transpose(X);
  return {
    X, Q, K, V, S, A, C, probs, loss, dC, dA, dS, dQ, dK, dV,
    dW: { W_Q: multiply(Xt, dQ), W_K: multiply(Xt, dK), W_V: multiply(Xt, dV) },
  };
}
