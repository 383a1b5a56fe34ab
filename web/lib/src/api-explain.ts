// SPDX-License-Identifier: MIT
// The explaining half of the contract: every number of one example's forward and backward pass,
// what-ifs, and who is responsible for a gradient.
//
// Row convention: row i looks, column j is looked at. For one head, X the input of the projections:
//   Q = X W_Q, K = X W_K, V = X W_V, S = Q K^T / sqrt(D), A = softmax of each row of S, C = A V.

import type { Disposable } from './api.js';
import type {
  CutHeadsOptions,
  HeadCuts,
  Lens,
  LensOptions,
  PatchOptions,
  Patches,
} from './api-inspect.js';

/** One number of a pass that is set or scaled to something else than the model would compute. */
export type WhatIf =
  /** Component `channel` of the query, key or value vector of `row` (after RoPE, where it is used). */
  | { set: 'q' | 'k' | 'v'; layer: number; head: number; row: number; channel: number; to: number }
  /** The scaled score S[row][column]; no effect where it is masked. */
  | { set: 'score'; layer: number; head: number; row: number; column: number; to: number }
  | { add: 'score'; layer: number; head: number; row: number; column: number; by: number }
  /** Multiplies all scores of a head: 1 is as trained, 0 makes the row uniform. */
  | { set: 'scale'; layer: number; head: number; to: number }
  /** Lets every row of a head see every column, or only those up to itself. */
  | { set: 'mask'; layer: number; head: number; to: 'none' | 'causal' }
  /** Removes A[row][column]; `renormalise` gives its share to the rest of the row. */
  | { cut: 'edge'; layer: number; head: number; row: number; column: number; renormalise: boolean }
  /** Replaces the head's output C by zero, or by its mean over the rows. */
  | { cut: 'head'; layer: number; head: number; to: 'zero' | 'mean' }
  /** One weight of the model, for this pass only. */
  | { set: 'weight'; tensor: string; row: number; column: number; to: number };

export interface TraceOptions {
  /** Gradients of everything, too. Default true. */
  gradients?: boolean;
  whatIf?: readonly WhatIf[];
}

/**
 * What a trace holds, by name. T rows (positions), C width, H heads, D head width, F feed-forward
 * width, V vocabulary. Each has a gradient `d…` of the same shape when gradients were asked for
 * (for example `L0.H1.dS`), unless said otherwise; gradients are of the example's mean loss over
 * its counted targets.
 *
 * Of the model: `E` (T, C) embedding rows, `P` (T, C) position rows (absent without positions; for
 * sinusoidal ones without gradient), `last` (T, C) the residual stream after all layers, `N` (T, C)
 * what the head reads, `logits` (T, V); without gradient `probs` (T, V) and `loss` (T, 1), which is
 * 0 where no target counts.
 *
 * Of layer l, addressed `L<l>.name`: `R` (T, C) the residual stream coming in, `X` (T, C) the input
 * of the projections (after the norm, if there is one before), `Y` (T, C) attention's output, `M`
 * (T, C) the stream after attention, `U` (T, C) input of the feed-forward layer, `ffnIn`, `ffnGate`,
 * `ffnHidden` (T, F), `Z` (T, C) its output, `W_Q` (C, H D), `W_K`, `W_V` (C, Hk D), `W_O` (H D, C),
 * `b_Q`, `b_K`, `b_V`, `b_O` (1, …).
 *
 * Of head h, addressed `L<l>.H<h>.name`: `Q`, `K` (after RoPE), `V`, `C` (T, D), `S` (T, T) the
 * scores that softmax reads, before the mask (scaled, capped, less ALiBi's part), `A` (T, T) weights, `O` (T, C) the head's part of Y; and the head's columns
 * of the projections `W_Q`, `W_K`, `W_V` (C, D) and rows of `W_O` (D, C). Gradients of masked cells of
 * S and A are 0. Query heads that share a key head share its K, V, and their gradients. The same
 * names without a head are the matrices of all heads: side by side, or for S, A and O one below the
 * other. With `uniformAttention` there are no Q, K and S.
 *
 * Any other tensor by its own name, for example `layers.0.ffn.in.weight`, `embed.weight`; its
 * gradient with `d:` before the name.
 */
export interface TraceMatrix {
  readonly address: string;
  readonly rows: number;
  readonly columns: number;
  /** Row-major copy. */
  readonly values: Float32Array;
}

export type ProjectionName = 'W_Q' | 'W_K' | 'W_V';

/** A gradient as the sum of what tokens and pairs of tokens add to it. */
export interface Contributions {
  /** Squared Frobenius norm of the head's gradient. */
  squaredNorm: number;
  /** Whether the norm is large enough for shares to mean something; shares are 0 when not. */
  meaningful: boolean;
  /**
   * Signed share of each row's token, <part, gradient> / <gradient, gradient>; they sum to 1. For
   * W_Q by the row that looks, for W_K and W_V by the column that is looked at.
   */
  tokens: Float64Array;
  /** Signed share of pair (i, j), T x T row-major; they sum to 1. */
  pairs: Float64Array;
}

/** Where a difference of two logits at one row comes from; all terms sum to `difference`. */
export interface LogitParts {
  difference: number;
  /** By head and column of the layer asked for, H x T row-major. */
  edges: Float64Array;
  /** Embedding and positions. */
  embedding: number;
  /** Whole outputs of the other layers' attention and of all feed-forward layers. */
  attention: Float64Array;
  feedForward: Float64Array;
  /** Biases (of the layer's output projection, and of the final norm). */
  bias: number;
}

export interface Trace extends Disposable {
  readonly layers: number;
  readonly heads: number;
  readonly time: number;
  readonly tokens: Int32Array;
  readonly targets: Int32Array;
  /** Mean over the counted targets, nats. */
  readonly loss: number;
  readonly gradients: boolean;
  /** Every address `matrix` knows. */
  names(): string[];
  /** Throws `invalid-argument` when there is none of that address. */
  matrix(address: string): TraceMatrix;
  /**
   * One number by address: a matrix's address, `.row` and `.column`, for example `L0.H1.dS.5.2`.
   * Besides what `matrix` knows, derived per head: `push.i.j` = -dS, `cos.i.j` between q_i and k_j,
   * `entropy.i` of row i of A in nats, `AV.i.j` = A |v_j|, `gain.i.j` = -dC_i.v_j, `mean.i` =
   * -dC_i.C_i, `|Q|.i`, `|K|.i`, `|V|.i` lengths, `AX.i.c` the mixed input rows.
   */
  read(address: string): number;
  contributions(of: ProjectionName, layer: number, head: number): Promise<Contributions>;
  /**
   * Parts of logits[row][target] - logits[row][rival], the final norm's scale held at its present
   * value. Refused for post-norm models, whose norms rescale every part again.
   */
  logitParts(layer: number, row: number, target: number, rival: number): Promise<LogitParts>;
  /** The loss with each of `by` added to one scaled score, on the trace's own weights. */
  sweep(options: SweepOptions): Promise<Float64Array>;
  /** The loss with each edge of a layer cut in turn, on the trace's own weights. */
  cutEdges(options: CutOptions): Promise<EdgeCuts>;
  /** The loss with each head of every layer cut in turn, on the trace's own weights. */
  cutHeads(options?: CutHeadsOptions): Promise<HeadCuts>;
  /**
   * What the head would say at every place of the residual stream. Errors: `invalid-argument` (top),
   * `non-finite` (logits of a place leave the range of 32-bit floats).
   */
  lens(options?: LensOptions): Promise<Lens>;
  /**
   * This trace's pass, what-ifs included, with one activation at a time replaced by that of `from`'s
   * pass: a trace of the same engine and length, of a model of the same shape. With `from` this trace
   * itself every difference is `own`, in every bit. Errors: `invalid-argument` (what does not fit, and
   * models without what is to be replaced), `disposed` (either trace), `non-finite`.
   */
  patch(from: Trace, options: PatchOptions): Promise<Patches>;
}

export interface SweepOptions {
  layer: number;
  head: number;
  row: number;
  column: number;
  /** What is added to the scaled score, one pass each. */
  by: ArrayLike<number>;
}

export interface CutOptions {
  layer: number;
  /** Only edges of this head, or of this row; all others are then NaN. Default: all of the layer. */
  head?: number;
  row?: number;
  /** Gives the edge's share to the rest of its row. Default false. */
  renormalise?: boolean;
}

export interface EdgeCuts {
  /** With nothing cut. */
  loss: number;
  /** With one edge cut, for every edge of the layer, H x T x T row-major; NaN where masked. */
  losses: Float64Array;
}

/** A matrix of the caller's own. */
export interface Matrix {
  rows: number;
  columns: number;
  /** Row-major. */
  values: ArrayLike<number>;
}

export interface AttentionInput {
  /** (T, C) */
  x: Matrix;
  /** (C, D) */
  wQ: Matrix;
  wK: Matrix;
  /** (C, Dv); omitted: V = X. */
  wV?: Matrix;
  /** Which columns a row may look at: T x T of 0 and 1, each row with at least one 1. Default causal. */
  mask?: 'causal' | 'none' | ArrayLike<number>;
  /** Multiplies Q K^T. Default 1 / sqrt(D). */
  scale?: number;
}

export interface AttentionOutput {
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  /** Scaled; -Infinity where masked. */
  scores: Float32Array;
  weights: Float32Array;
  /** (T, Dv) */
  out: Float32Array;
}

export interface AttentionGradients {
  x: Float32Array;
  wQ: Float32Array;
  wK: Float32Array;
  wV: Float32Array;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  scores: Float32Array;
  weights: Float32Array;
}
