// SPDX-License-Identifier: MIT
// The numbers of the run as the page shows them. Metrics arrive at every step and are kept in plain
// fields; the reactive ones change only when the ticker lets them.

import type { StepMetrics } from 'heed';
import { Curves } from './curves';
import type { CurvesState } from './curves';

/** Weight of the newest step in the smoothed step time that "time left" rests on. */
const smoothing = 0.05;

/** Curves cost more to draw than numbers and change less. */
const drawMs = 300;

export interface Shown {
  step: number;
  loss: number | undefined;
  validation: number | undefined;
  validationStep: number;
  /** Share of a task's held-out examples that are exactly right. */
  exact: number | undefined;
  learningRate: number | undefined;
  gradientNorm: number | undefined;
  tokensPerSecond: number | undefined;
  tokens: number;
  secondsLeft: number | undefined;
}

const nothing: Shown = {
  step: 0, loss: undefined, validation: undefined, validationStep: 0, exact: undefined, learningRate: undefined,
  gradientNorm: undefined, tokensPerSecond: undefined, tokens: 0, secondsLeft: undefined,
};

export class Live {
  shown: Shown = $state.raw(nothing);
  /** Changes whenever the curves have new points to draw. */
  drawn = $state(0);
  readonly curves = new Curves();
  #now: Shown = nothing;
  #plannedSteps = 0;
  #lastAt = 0;
  #secondsPerStep = 0;
  #drawnAt = 0;

  get now(): Readonly<Shown> {
    return this.#now;
  }

  /** A trainer begins, or goes on under settings that make each step quicker or slower. */
  begin(plannedSteps: number): void {
    this.#plannedSteps = plannedSteps;
    this.#lastAt = 0;
    this.#secondsPerStep = 0;
  }

  restore(curves: CurvesState, step: number, tokens: number): void {
    // An older save than the newest: the curves have gone on since.
    this.curves.restore(curves);
    this.curves.cut(step);
    const { state } = this.curves;
    const last = (column: keyof CurvesState['columns']): number | undefined =>
      state.columns[column].at(-1);
    this.#now = {
      ...nothing,
      step,
      tokens,
      loss: last('loss'),
      learningRate: last('learningRate'),
      gradientNorm: last('gradientNorm'),
      tokensPerSecond: last('tokensPerSecond'),
      validation: state.validation.at(-1),
      validationStep: state.validationSteps.at(-1) ?? 0,
    };
  }

  /** Forgets what came after `step`. */
  goBack({ step, tokens }: { step: number; tokens: number }): void {
    this.restore(this.curves.state, step, tokens);
  }

  clear(): void {
    this.curves.clear();
    this.#now = nothing;
  }

  /** The clock of "time left" does not run while training rests. */
  rest(): void {
    this.#lastAt = 0;
  }

  stepped(metrics: StepMetrics): void {
    const { step } = metrics;
    this.curves.add(step, metrics);
    const at = performance.now();
    if (this.#lastAt > 0) {
      // Wall time between steps, so that samples and validations count as well.
      const seconds = (at - this.#lastAt) / 1000;
      this.#secondsPerStep += (seconds - this.#secondsPerStep) *
        (this.#secondsPerStep === 0 ? 1 : smoothing);
    }
    this.#lastAt = at;
    const left = this.#plannedSteps - step;
    this.#now = {
      ...this.#now,
      step,
      loss: metrics.loss,
      learningRate: metrics.learningRate,
      gradientNorm: metrics.gradientNorm,
      tokensPerSecond: metrics.tokensPerSecond,
      tokens: metrics.tokens,
      secondsLeft: this.#secondsPerStep === 0 ? undefined : left * this.#secondsPerStep,
    };
  }

  validated(loss: number, exact?: number): void {
    this.curves.addValidation(this.#now.step, loss);
    this.#now = { ...this.#now, validation: loss, validationStep: this.#now.step, exact };
  }

  /** `complete`: the curves as well, even if they were drawn just now. */
  flush(complete: boolean): void {
    if (this.shown === this.#now && !complete) return;
    this.shown = this.#now;
    const at = performance.now();
    if (!complete && at - this.#drawnAt < drawMs) return;
    this.#drawnAt = at;
    this.drawn += 1;
  }
}
