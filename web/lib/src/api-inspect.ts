// SPDX-License-Identifier: MIT
// The inspecting part of the contract: what the head would say on the way, heads cut in turn,
// activations of one prompt in the pass of another, and what the next token is drawn from.

export interface LensOptions {
  /** How many of the likeliest tokens, 1 to the vocabulary's size. Default 5, or all of fewer. */
  top?: number;
}

/**
 * The logit lens (nostalgebraist 2020): the model's final norm, where it has one, and its head
 * applied to every place of the residual stream. P places, T rows, row-major. Likeliest is by logit,
 * equal ones by id. At the last place the probabilities are those of the trace (`probs`) in every
 * bit.
 */
export interface Lens {
  /**
   * In order of the forward pass: `L0.R`, `L0.M`, `L1.R`, ..., `last`. Without feed-forward layers M
   * is the next layer's R, and left out.
   */
  places: string[];
  /** Tokens of each row. */
  top: number;
  /** (P, T, top), likeliest first. */
  ids: Int32Array;
  /** (P, T, top) of these ids. */
  probabilities: Float32Array;
  /** (P, T) probability of the row's target; NaN where no target counts. */
  target: Float64Array;
  /** (P, T) rank of the row's target, 1 for the likeliest; 0 where no target counts. */
  rank: Int32Array;
  /** (P, T) entropy of the whole distribution, nats. */
  entropy: Float64Array;
}

export interface CutHeadsOptions {
  /** What the head's output C becomes: zero, or its mean over the rows. Default 'zero'. */
  to?: 'zero' | 'mean';
}

export interface HeadCuts {
  /** With nothing cut; mean over the counted targets, nats. */
  loss: number;
  /** (L, H) with one head cut. */
  losses: Float64Array;
}

export interface PatchOptions {
  /**
   * What is replaced, in each layer in turn. Of one position at a time: `'stream'` the residual
   * stream coming in (R), `'attention'` attention's output (Y), `'feedForward'` the feed-forward
   * layer's (Z). `'head'`: one head's mixed values (C), and so its part of Y (O), at all positions.
   */
  what: 'stream' | 'attention' | 'feedForward' | 'head';
  /** The row whose logits are compared. */
  row: number;
  /** Token ids: the difference is logits[row][target] - logits[row][rival]. */
  target: number;
  rival: number;
}

/** Differences of two logits under activation patching (Meng et al. 2022, Wang et al. 2022). */
export interface Patches {
  /** In this trace, with nothing replaced. */
  own: number;
  /** In the trace that the activations come from. */
  from: number;
  /** With one activation replaced: (L, T) by layer and position; for `'head'` (L, H). */
  differences: Float64Array;
}

export interface NextOptions {
  /** As in `GenerateOptions`, with the same defaults. */
  temperature?: number;
  topK?: number;
  topP?: number;
  seed?: number;
  /** Which token of a generation this is, from 0. Default 0. */
  index?: number;
}

/** The distribution of one next token. */
export interface NextToken {
  /** The tokens that can be drawn, likeliest first, equal ones by id. */
  ids: Int32Array;
  /** Of each id: after temperature, top-k and top-p, in this order; they sum to 1. */
  probabilities: Float32Array;
  /** Of each id: the softmax of the model's own logits, at temperature 1 and nothing cut. */
  raw: Float32Array;
  /** The token drawn. */
  token: number;
}
