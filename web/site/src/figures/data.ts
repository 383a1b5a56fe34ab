// SPDX-License-Identifier: MIT
// What each figure draws. `scope` is the address of a head (`L0.H0`); numbers that a figure derives
// from what it is given carry the addresses that addresses.ts computes again from a trace.

/** One number of the model. */
export interface AddressedNumber {
  address: string;
  value: number;
}

/** Names one row or column: a token by index and text, a channel by index, or a plain name. */
export type Label =
  | { kind: 'token'; index: number; text: string; expected?: string | undefined }
  | { kind: 'channel'; index: number }
  | { kind: 'step'; index: number }
  /** A place on a scale, written out. */
  | { kind: 'tick'; text: string }
  | { kind: 'name'; text: string };

/** Colour of headers and outlines; cells never use it. */
export type Role = 'query' | 'key' | 'value';

/** The labels along one side of a matrix. Never keyed by text: equal tokens stay apart. */
export interface AxisLabels {
  kind: 'token' | 'channel' | 'name';
  /** One for each row or column; ignored for channels. */
  texts: readonly string[];
  /** What the token of a row should be followed by, where a target counts. */
  expected?: readonly (string | undefined)[];
  role?: Role;
  /** Which part of the selection this side is. */
  selects?: 'i' | 'j' | 'channel';
}

/** A trace's matrix with its labels. Cell (r, c) has address `address.r.c`. */
export interface LabelledMatrix {
  address: string;
  rows: number;
  columns: number;
  /** Row-major. */
  values: ArrayLike<number>;
  rowLabels: AxisLabels;
  columnLabels: AxisLabels;
  /** Cells that cannot be: they show 0 and take no part in a scale. Default none. */
  mask?: 'causal' | undefined;
}

/** A row of a matrix. Entry c has address `address.c`. */
export interface LabelledVector {
  address: string;
  values: ArrayLike<number>;
  labels: AxisLabels;
}

interface Titled {
  title: string;
}

/** Labelled matrix. `ink`: 0 to 1, paper to ink. `signed`: brown to teal around 0. */
export interface MatrixData extends Titled {
  matrix: LabelledMatrix;
  colour: 'ink' | 'signed';
  /** Name for prose and lights, for example `weight`, `score`, `push`. */
  part?: string;
  /** Says "rows look, columns are looked at" (and that rows sum to 1, for `ink`). */
  looks: boolean;
  /** Largest size of the fixed signed scale. Default: the largest seen since the figure was made. */
  limit?: number;
}

/** Two vectors in the plane they span, with true lengths and angle. */
export interface PlaneData extends Titled {
  scope: string;
  i: number;
  j: number;
  query: LabelledVector;
  key: LabelledVector;
  /** Texts of token i and token j. */
  tokens: readonly [string, string];
  /** Multiplies the product: 1 / sqrt(D) as a rule. */
  scale: number;
  /**
   * The reader moved the tip of the query: its components, or undefined on letting go. Without it
   * the tip cannot be moved.
   */
  onOverride?: (query: Float64Array | undefined) => void;
}

/** Products q_c k_c that add up to the score. */
export type ScoreBarsData = Omit<PlaneData, 'onOverride'>;

/** All keys as ticks along the direction of one query. */
export interface KeyRulerData extends Titled {
  scope: string;
  i: number;
  query: LabelledVector;
  /** (T, D), rows labelled by token. */
  keys: LabelledMatrix;
  /** Columns up to this one are visible to row i. */
  visible: number;
  /** Of the scores; when given, the figure says how a distance becomes a score. */
  scale?: number;
}

/** Scores, their exponentials, their shares of 1. */
export interface BudgetData extends Titled {
  scope: string;
  i: number;
  /** Row i of S and of A; -Infinity where masked. */
  scores: LabelledVector;
  weights: LabelledVector;
  /** Row i of dS, for the size of the learning signal. */
  gradient?: LabelledVector;
  /** Pushes one score; undefined on letting go. */
  onNudge?: (column: number, by: number | undefined) => void;
}

/** A direction with a name, for a view of two axes. Need not have unit length. */
export interface NamedDirection {
  name: string;
  direction: ArrayLike<number>;
}

/** A_ij v_j head to tail, ending at c_i. */
export interface MixtureData extends Titled {
  scope: string;
  i: number;
  weights: LabelledVector;
  /** (T, D), rows labelled by token. */
  values: LabelledMatrix;
  mixture: LabelledVector;
  /** Horizontal axis; the vertical one is the largest remainder. Default: the mixture itself. */
  axis?: NamedDirection;
  /** -dC of row i: where the loss wants the mixture to move. */
  push?: LabelledVector;
}

/** Weight and push (minus dS) in the same cell. */
export interface PushMatrixData extends Titled {
  weights: LabelledMatrix;
  push: LabelledMatrix;
  limit?: number;
}

/** What each value would gain (-g.v) beside what the mixture gains (-g.c). */
export interface GainDotsData extends Titled {
  scope: string;
  i: number;
  /** `gain.i.j`, `mean.i`, A and push of the row. */
  gains: LabelledVector;
  mean: AddressedNumber;
  weights: LabelledVector;
  pushes: LabelledVector;
}

/** The query and the arrows push_ij k_j scale that move it. */
export interface QueryPushData extends Titled {
  scope: string;
  i: number;
  query: LabelledVector;
  keys: LabelledMatrix;
  /** Row i of push = -dS. */
  pushes: LabelledVector;
  /** dQ of row i: the arrows end at minus it. */
  gradient: LabelledVector;
  scale: number;
}

/** True loss when one score is pushed, and its tangent. */
export interface NudgeCurveData extends Titled {
  scope: string;
  i: number;
  j: number;
  tokens: readonly [string, string];
  /** Ascending, 0 among them; what is added to the score. */
  by: ArrayLike<number>;
  losses: ArrayLike<number>;
  /** dS of the cell: the slope at 0. */
  slope: AddressedNumber;
  /** Loss at 0. */
  loss: AddressedNumber;
  onMove?: (by: number | undefined) => void;
}

/** What each reader i sends to value j: -A_ij g_i. */
export interface ReadersData extends Titled {
  scope: string;
  j: number;
  value: LabelledVector;
  /** Column j of A, over rows: entry i has address `scope.A.i.j`, so it comes as the matrix. */
  weights: LabelledMatrix;
  /** dC (T, D), rows labelled by token. */
  upstream: LabelledMatrix;
  /** dV of row j. */
  gradient: LabelledVector;
  /** Rows the reader has cut, and what happens on cutting one. */
  cut?: readonly number[];
  onCut?: (row: number, cut: boolean) => void;
}

/** A gradient of a projection as a stack of outer products x_t (x) right_t. */
export interface OuterStackData extends Titled {
  scope: string;
  of: 'W_Q' | 'W_K' | 'W_V';
  /** d of the projection (C, D). */
  gradient: LabelledMatrix;
  /** X (T, C). */
  left: LabelledMatrix;
  /** dQ, dK or dV (T, D). */
  right: LabelledMatrix;
  /** Signed shares by token, `scope.of.share.t`, and by pair. */
  shares: LabelledVector;
  pairs?: LabelledMatrix;
  /** False where the norm is too small for shares to mean something: they are not shown. */
  meaningful: boolean;
}

/** A number before and after something. */
export interface BeforeAfterData extends Titled {
  label: string;
  before: AddressedNumber;
  after: AddressedNumber;
  push?: AddressedNumber;
}

export interface Part {
  label: Label;
  number: AddressedNumber;
  /** Colour of the label only. */
  role?: Role;
  /** Name for prose and lights. */
  part?: string;
}

/** Parts that add up to a total; the sum is shown beside it. */
export interface WaterfallData extends Titled {
  parts: readonly Part[];
  total: Part;
  /** Where the first part starts, for example the score before. Default 0. */
  from?: Part;
}

/** Numbers as bars from a common zero, each with its label. */
export interface BarsData extends Titled {
  parts: readonly Part[];
  /** Half length of the scale. Default: the largest shown. */
  limit?: number;
  total?: Part;
  onChoose?: (index: number) => void;
}

/** Loss ledger of one step. */
export interface LedgerData extends Titled {
  /** Measured: loss change when only this group moves. */
  groups: readonly {
    name: string;
    predicted: AddressedNumber;
    measured: AddressedNumber;
    applied?: boolean;
  }[];
  before: AddressedNumber;
  after: AddressedNumber;
  predicted: AddressedNumber;
  remainder: AddressedNumber;
  onApply?: (name: string, applied: boolean) => void;
}

export interface Series {
  name: string;
  steps: ArrayLike<number>;
  values: ArrayLike<number>;
  /** Point at step s has address `address.s`. */
  address: string;
}

/** Curves over steps, labelled at their ends. */
export interface CurvesData extends Titled {
  series: readonly Series[];
  /** What is drawn upwards, for example "loss". */
  quantity: string;
  /** Fixed upper and lower end; default from the data (with 0). */
  low?: number;
  high?: number;
  /** Level that guessing reaches, for example 1 / 8. */
  reference?: { name: string; value: number };
  onStep?: (step: number) => void;
}

/** Steps to scrub through, with pins. */
export interface TimelineData extends Titled {
  first: number;
  last: number;
  current: number;
  pins: readonly number[];
  /** Drawn small above the rail. */
  series?: readonly Series[];
  onScrub: (step: number) => void;
  onPin?: (step: number, pinned: boolean) => void;
}

/** Every head's weights, small; choosing one moves the selection. */
export interface HeadGridData extends Titled {
  heads: readonly { layer: number; head: number; weights: LabelledMatrix }[];
}

/** Four maps that compete for the word "important", and how far their orders agree. */
export interface ImportancesData extends Titled {
  scope: string;
  weights: LabelledMatrix;
  /** A |v|, `scope.AV`. */
  sizes: LabelledMatrix;
  /** -A dA, `scope.AxdA`. */
  firstOrder: LabelledMatrix;
  /** Loss with the edge cut minus loss, `scope.cut`. NaN where masked. */
  cut: LabelledMatrix;
}
