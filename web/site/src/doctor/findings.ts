// SPDX-License-Identifier: MIT
// What can be found wrong with a run, and from which readings. Every limit stands between what ten runs
// that go wrong and the presets and usual settings that go well were measured to read
// (tests/site/doctor.test.mjs); what they read is beside it.

import type { Look } from './exam';

export interface HeadPlace {
  layer: number;
  head: number;
}

export type Finding =
  /** The loss climbs: its mean now, its lowest mean, and when that was. */
  | { kind: 'diverging'; mean: number; best: number; bestStep: number }
  /** Heads write `written` times the length of the stream, or steps raise the loss of their own batch. */
  | { kind: 'rateHigh'; written?: number; layer?: number; raised?: number; looks?: number }
  /** A step lowers the loss of its own batch by this share of it. */
  | { kind: 'rateLow'; share: number; loss: number; uniform: number }
  | { kind: 'overfitting'; best: number; bestStep: number; now: number; training: number }
  /** Layers whose gradient, beside their weights, is `ratio` of the strongest layer's. */
  | { kind: 'vanishing'; layers: number[]; ratio: number; strongest: number }
  /** So many of the last steps had a gradient beyond all measure; the layer with most of it at the last look. */
  | { kind: 'exploding'; norm: number; surges: number; steps: number; layer: number }
  /** Softmax gives these heads one column and lets nothing back through. */
  | { kind: 'saturated'; heads: HeadPlace[]; peak: number; passed: number }
  /** Heads that write nothing. */
  | { kind: 'silent'; heads: HeadPlace[]; written: number }
  /** Layers whose heads learn nothing about where to look. */
  | { kind: 'unsteered'; layers: number[]; steering: number };

export type FindingKind = Finding['kind'];

/** In this order they are told: what explains the others comes first. */
export const findingKinds: readonly FindingKind[] = [
  'diverging', 'rateHigh', 'exploding', 'vanishing', 'rateLow', 'overfitting', 'saturated', 'silent',
  'unsteered',
];

/** Good runs write up to 11 times the stream (an induction head's layer), rates too high 20 to 3000. */
const mostWritten = 16;
/** A head without any effect; the least in a good run is 0.004. */
const leastWritten = 1e-4;
/** Of rows that see four columns or more. */
const sharpPeak = 0.98;
/** What softmax lets through: 0.04 to 0.5 in good runs that still learn, below 1e-3 where it is stuck. */
const leastPassed = 1e-3;
/** Weakest layer's pull over the strongest's: from 0.02 in good runs, 1e-6 where gradients vanish. */
const leastPull = 1e-3;
/** Gradient of W_Q and W_K over that of W_V: from 0.02 in good runs, 1e-6 with scores that do nothing. */
const leastSteering = 5e-4;
/** Gradient norms are below 10 in good runs, with spikes to 40; those that explode come in bursts. */
const mostGradient = 100;
const surgesThatCount = 3;
/** Share by which a step lowers its own batch's loss: 0.002 to 0.3 in good runs, even on a plateau. */
const leastGain = 2.5e-4;
/** Looks that have to agree: one example, or one batch, may be a strange one. */
export const looksThatAgree = 3;
/** Steps whose own batch is compared: one may rise by chance. */
export const ownLooks = 5;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** How the loss stands: means over the last steps. */
export interface LossState {
  mean: number;
  best: number;
  bestStep: number;
  /** Loss of guessing evenly. */
  uniform: number;
  /** Global gradient norms of the last steps. */
  norms: readonly number[];
}

export function ofLoss({ mean, best, bestStep, uniform, norms }: LossState, last: Look | undefined): Finding[] {
  const found: Finding[] = [];
  // Half a nat is ten times what the mean of twenty batches wavers by.
  if (mean > best + Math.max(0.5, 0.1 * uniform)) found.push({ kind: 'diverging', mean, best, bestStep });
  const surges = norms.filter((norm) => norm > mostGradient).length;
  if (surges >= surgesThatCount && last !== undefined && last.layers.length > 0) {
    const gradients = last.layers.map(({ gradient }) => gradient);
    found.push({
      kind: 'exploding', norm: Math.max(...norms), surges, steps: norms.length,
      layer: gradients.indexOf(Math.max(...gradients)),
    });
  }
  return found;
}

/** Heads of which all these looks say the same. */
function headsWhere(looks: readonly Look[], test: (head: Look['heads'][0][0]) => boolean): HeadPlace[] {
  const [first] = looks;
  return (first?.heads ?? []).flatMap((heads, layer) => heads.flatMap((_, head) =>
    looks.every((look) => test(look.heads[layer]![head]!)) ? [{ layer, head }] : []));
}

function layersWhere(looks: readonly Look[], test: (look: Look, layer: number) => boolean): number[] {
  const [first] = looks;
  return (first?.layers ?? []).flatMap((_, layer) =>
    looks.every((look) => test(look, layer)) ? [layer] : []);
}

const strongestOf = ({ layers }: Look): number =>
  Math.max(0, ...layers.map(({ pull }) => pull).filter((pull) => !Number.isNaN(pull)));

/** From looks, oldest first. */
export function ofLooks(looks: readonly Look[], { mean, uniform }: LossState): Finding[] {
  const last = looks.at(-1);
  const recent = looks.slice(-looksThatAgree);
  if (last === undefined || recent.length < looksThatAgree) return [];
  const found: Finding[] = [];
  // A task that is as good as solved has sharp heads and weak gradients, and nothing is wrong with it.
  const learning = mean > 0.45 * uniform;

  const written = recent.map(({ heads }) => heads.map((layer) => Math.max(...layer.map((h) => h.written))));
  const loud = layersWhere(recent, (look, layer) =>
    Math.max(...(look.heads[layer] ?? []).map((head) => head.written)) > mostWritten);
  const own = looks.slice(-ownLooks).flatMap((look) => (look.own === undefined ? [] : [look.own]));
  const raised = own.filter(({ before, after }) => after > before).length;
  if (learning && loud.length > 0) {
    const layer = loud[0]!;
    found.push({ kind: 'rateHigh', layer, written: written.at(-1)![layer]! });
  } else if (learning && own.length >= ownLooks && raised >= 3) {
    found.push({ kind: 'rateHigh', raised, looks: own.length });
  }

  const share = median(own.map(({ before, after }) => (before - after) / before));
  if (own.length >= ownLooks && mean > 0.85 * uniform && share >= 0 && share < leastGain) {
    found.push({ kind: 'rateLow', share, loss: mean, uniform });
  }

  const faint = layersWhere(recent, (look, layer) =>
    look.layers[layer]!.pull < leastPull * strongestOf(look));
  if (learning && faint.length > 0) {
    const pulls = last.layers.map(({ pull }) => pull);
    const strongest = strongestOf(last);
    const weakest = Math.min(...faint.map((layer) => pulls[layer]!));
    found.push({
      kind: 'vanishing', layers: faint, ratio: weakest / strongest, strongest: pulls.indexOf(strongest),
    });
  }

  const stuck = headsWhere(recent, ({ peak, passed }) => peak > sharpPeak && passed < leastPassed);
  // Weights thrown far make sharp heads: then the rate is what to change, and that is said already.
  if (learning && stuck.length > 0 && found.every(({ kind }) => kind !== 'rateHigh')) {
    const { layer, head } = stuck[0]!;
    const { peak, passed } = last.heads[layer]![head]!;
    found.push({ kind: 'saturated', heads: stuck, peak, passed });
  }
  const silent = headsWhere(recent, (head) => head.written < leastWritten);
  if (silent.length > 0) {
    const { layer, head } = silent[0]!;
    found.push({ kind: 'silent', heads: silent, written: last.heads[layer]![head]!.written });
  }
  // Where gradients vanish there is nothing to steer with, and that is said already.
  const blind = layersWhere(recent, (look, layer) => look.layers[layer]!.steering < leastSteering)
    .filter((layer) => !faint.includes(layer));
  if (learning && blind.length > 0) {
    found.push({ kind: 'unsteered', layers: blind, steering: last.layers[blind[0]!]!.steering });
  }
  return found;
}

/** A run's course, as its curves keep it. */
export interface Course {
  steps: readonly number[];
  loss: readonly number[];
  validationSteps: readonly number[];
  validation: readonly number[];
}

const pointsOfMean = 16;

/** Validation has been getting worse while training got better. */
export function ofCourse({ steps, loss, validationSteps, validation }: Course): Finding[] {
  const best = Math.min(...validation);
  const at = validation.indexOf(best);
  const since = validation.slice(at + 1).slice(-looksThatAgree);
  if (since.length < looksThatAgree) return [];
  // Measured on the same windows each time, so it wavers far less than training's batches do.
  if (since.some((one) => one < best + Math.max(0.05, 0.03 * best))) return [];
  const around = (step: number): number => {
    const reached = steps.filter((one) => one <= step).length;
    const points = loss.slice(Math.max(0, reached - pointsOfMean), reached);
    return points.reduce((sum, one) => sum + one, 0) / points.length;
  };
  const bestStep = validationSteps[at]!;
  // The means below must not overlap.
  if (steps.length - steps.filter((step) => step <= bestStep).length < 2 * pointsOfMean) return [];
  const training = around(steps.at(-1) ?? 0);
  if (!(training < around(bestStep) - 0.05)) return [];
  return [{ kind: 'overfitting', best, bestStep, now: validation.at(-1)!, training }];
}
