// SPDX-License-Identifier: MIT
// Follows one run and says what is wrong with it, if anything is.

import type { StepMetrics } from 'heed';
import type { Look } from './exam';
import { findingKinds, ofCourse, ofLooks, ofLoss, ownLooks } from './findings';
import type { Course, Finding, LossState } from './findings';

/** Steps of a mean: one bad batch is no illness. */
const span = 20;
const mostLooks = 8;

export class Doctor {
  #losses: number[] = [];
  #norms: number[] = [];
  #looks: Look[] = [];
  #best = Number.POSITIVE_INFINITY;
  #bestStep = 0;
  #step = 0;
  #warmup = 0;
  #uniform = 0;

  /** A run begins, or goes on under other settings: what was measured before says nothing of it. */
  begin(vocab: number, warmup: number, step: number): void {
    this.#losses = [];
    this.#norms = [];
    this.#looks = [];
    this.#best = Number.POSITIVE_INFINITY;
    this.#bestStep = step;
    this.#step = step;
    this.#warmup = Math.max(warmup, step);
    this.#uniform = Math.log(vocab);
  }

  stepped({ step, loss, gradientNorm }: Pick<StepMetrics, 'step' | 'loss' | 'gradientNorm'>): void {
    this.#step = step;
    this.#losses.push(loss);
    this.#norms.push(gradientNorm);
    if (this.#losses.length <= span) return;
    this.#losses.shift();
    this.#norms.shift();
    const { mean } = this.#state;
    if (mean >= this.#best) return;
    this.#best = mean;
    this.#bestStep = step;
  }

  looked(look: Look): void {
    // During warm-up the rate is not yet what it is to be.
    if (look.step <= this.#warmup) return;
    this.#looks.push(look);
    if (this.#looks.length > mostLooks) this.#looks.shift();
  }

  get last(): Look | undefined {
    return this.#looks.at(-1);
  }

  /** Enough has been seen to say that nothing is wrong. */
  get certain(): boolean {
    return this.#looks.length >= ownLooks;
  }

  get #state(): LossState {
    const mean = this.#losses.reduce((sum, loss) => sum + loss, 0) / this.#losses.length;
    return {
      mean, best: this.#best, bestStep: this.#bestStep, uniform: this.#uniform, norms: this.#norms,
    };
  }

  findings(course: Course): Finding[] {
    if (this.#losses.length < span || this.#step <= this.#warmup) return [];
    const state = this.#state;
    const found = [...ofLoss(state, this.last), ...ofLooks(this.#looks, state), ...ofCourse(course)];
    return found.sort((a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind));
  }
}
