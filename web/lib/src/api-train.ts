// SPDX-License-Identifier: MIT
// The training half of the contract that is for looking closely: generated tasks, groups of
// tensors, one step taken apart, the past of a run, several runs side by side.

import type { Disposable, Model, RunOptions, StepMetrics, Trainer, TrainOptions } from './api.js';

/**
 * Tasks small enough to check in one's head. `L` is the length, `S` the number of symbols.
 *
 * - `pointAndShift`: L symbols drawn independently, then a pointer to one of them; the answer is
 *   the cyclic successor of the symbol there. Chance is 1 / S.
 * - `copy`, `reverse`, `sort`: L symbols, a separator, then the symbols again: as they were,
 *   backwards, in ascending order.
 * - `induction`: L distinct symbols, then L / 2 of them again from a random place on. Needs two
 *   layers.
 * - `addition`: two numbers of L digits to the base S and their sum, lowest digit first.
 * - `modularAddition`: two numbers below S and their sum modulo S. A fifth of the pairs is held out.
 * - `parity`: L bits; after each, whether there were an odd number of ones so far.
 * - `dyck`: L brackets of S kinds, balanced, at most four deep; wherever one closes, which.
 */
export type TaskKind =
  | 'pointAndShift'
  | 'copy'
  | 'reverse'
  | 'induction'
  | 'sort'
  | 'addition'
  | 'modularAddition'
  | 'parity'
  | 'dyck';

/** Data that is generated: every step draws new examples, by seed, step and row alone. */
export interface TaskOptions {
  task: TaskKind;
  /**
   * Symbols of one example, 2 to 64 (`induction`: from 3; `modularAddition`: 2; `dyck`: even).
   * Default 6; `induction` 8, `addition` 3, `parity` 10, `dyck` 24.
   */
  length?: number;
  /**
   * Different symbols, 2 to 256 (`parity`: 2; `dyck`: from 1); `induction` needs at least `length`.
   * Default 8; `induction` 16, `addition` 10, `modularAddition` 97, `dyck` 2. There must be at least
   * 64 different examples.
   */
  symbols?: number;
}

export interface TaskInfo {
  readonly task: TaskKind;
  readonly length: number;
  readonly symbols: number;
  /** Token ids the task uses; the model's `vocab` is at least this. */
  readonly vocab: number;
  /** Tokens of one example; the model's `context` is at least this. */
  readonly context: number;
  /**
   * One a token id: letters, digits or brackets, `|` for the separator, `@p` for the pointer to place p
   * (from 0), `+` and `=`.
   */
  readonly labels: readonly string[];
}

/** One sequence. A target of -1 does not count. */
export interface Example {
  tokens: Int32Array;
  targets: Int32Array;
}

/** Tensors that belong together: `embeddings`, `positions`, `layers.0.query`, ..., `norm`, `head`. */
export interface GroupInfo {
  name: string;
  parameters: number;
  /** Has no gradient: no share in the norm, no decay, no change to its weights and moments. */
  frozen: boolean;
}

/** L2 norms of one group of tensors. */
export interface GroupNorms {
  name: string;
  /** Of the last step's gradient, before clipping; 0 where frozen. */
  gradient: number;
  /** Of the weights as they are now. */
  weights: number;
}

/** What a step meant for one group. All 0 where it is frozen or was left out. */
export interface GroupReport {
  name: string;
  /** L2 norm of the gradient, before clipping. */
  gradientNorm: number;
  /** L2 norm of the weights' change. */
  change: number;
  /** <gradient, change>: how the loss changes to first order, nats. */
  predicted: number;
}

export interface StepReport {
  metrics: StepMetrics;
  groups: GroupReport[];
}

/**
 * The next step taken apart. Losses are of that step's batch, without dropout; `predicted` rests on
 * the gradient of the training pass, which has it.
 */
export interface Ledger {
  /** Number of the step, from 1. */
  step: number;
  /** Loss before and after the step. */
  before: number;
  after: number;
  /** Sum of the groups' predictions. */
  predicted: number;
  /** after - before - predicted: curvature, and groups that move together. */
  remainder: number;
  /** `measured`: how the loss changes when this group alone takes the step. */
  groups: (GroupReport & { measured: number })[];
}

export interface RecordOptions {
  /** Steps between two snapshots; doubles whenever the room is used up. Default 10. */
  every?: number;
  /** Bytes of engine memory for snapshots, room for two at least. Default 64 MiB. */
  maxBytes?: number;
}

/**
 * The past of a trainer from when `record` was called. Snapshots are kept every so many steps; the
 * steps in between are run again, with the same bits. Weights that `Model.write` changes, partial
 * updates and changes of what is frozen are kept as they happen. Not for a model that two trainers
 * train by turns: a timeline knows of its own trainer's steps only.
 */
export interface Timeline extends Disposable {
  /** First and newest step that can be had. */
  readonly first: number;
  readonly last: number;
  /** Steps that are kept and need no running again, the newest among them. */
  kept(): Promise<number[]>;
  /**
   * The weights exactly as they were after `step`. The model is the timeline's: the next `at`
   * changes it, and `dispose` frees it.
   */
  at(step: number): Promise<Model>;
  /**
   * A new trainer with a model of its own that goes on from `step`, with other options where given;
   * without any it makes the same bits as the recorded run. A new `learningRate` brings a tenth of
   * it as `minLearningRate` unless that is given; a new optimizer starts with empty moments.
   */
  branch(step: number, train?: TrainOptions): Promise<Trainer>;
}

/** Trainers in lock-step on identical batches. */
export interface Twins {
  readonly trainers: readonly Trainer[];
  /**
   * One step of each at a time; yields the metrics of all, in the trainers' order. Ends where the
   * shortest run does. When one meets a NaN or an infinity, none of them moves.
   */
  run(options?: RunOptions): AsyncIterableIterator<StepMetrics[]>;
}
