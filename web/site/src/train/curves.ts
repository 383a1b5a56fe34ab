// SPDX-License-Identifier: MIT
// The course of a run at bounded size: when there are too many points, neighbours are averaged in
// pairs. Drawing, memory and saving then cost the same after a million steps as after a thousand.

import type { StepMetrics } from 'heed';

/** Twice the widest chart's pixels would show no more. */
const maxPoints = 1024;

export const columns = ['loss', 'learningRate', 'gradientNorm', 'tokensPerSecond'] as const;
export type Column = (typeof columns)[number];
export type Row = Record<Column, number>;

export interface CurvesState {
  /** Steps a point is the mean of. */
  stride: number;
  /** Last step of each point. */
  steps: number[];
  columns: Record<Column, number[]>;
  validationSteps: number[];
  validation: number[];
}

export const emptyCurves = (): CurvesState => ({
  stride: 1,
  steps: [],
  columns: { loss: [], learningRate: [], gradientNorm: [], tokensPerSecond: [] },
  validationSteps: [],
  validation: [],
});

const isNumbers = (value: unknown, length: number): value is number[] =>
  Array.isArray(value) && value.length === length && value.length <= maxPoints
  && value.every((one) => typeof one === 'number');

/** Curves from a file, if they are what `Curves` makes. */
export function checkedCurves(value: unknown): CurvesState | undefined {
  const { stride, steps, columns: given, validationSteps, validation } =
    (value ?? {}) as Partial<Record<keyof CurvesState, unknown>>;
  if (!Number.isSafeInteger(stride) || (stride as number) < 1) return undefined;
  if (!Array.isArray(steps) || !Array.isArray(validationSteps)) return undefined;
  const named = (given ?? {}) as Record<string, unknown>;
  const whole = isNumbers(steps, steps.length)
    && columns.every((column) => isNumbers(named[column], steps.length))
    && isNumbers(validationSteps, validationSteps.length)
    && isNumbers(validation, validationSteps.length);
  return whole ? (value as CurvesState) : undefined;
}

const emptyRow = (): Row => ({ loss: 0, learningRate: 0, gradientNorm: 0, tokensPerSecond: 0 });

export class Curves {
  #state: CurvesState = emptyCurves();
  /** Steps added to the sums of the point that is still open. */
  #open = 0;
  #sums = emptyRow();

  get state(): Readonly<CurvesState> {
    return this.#state;
  }

  clear(): void {
    this.restore(emptyCurves());
  }

  restore(state: CurvesState): void {
    this.#state = structuredClone(state);
    this.#open = 0;
    this.#sums = emptyRow();
  }

  /** Drops the points after `step`. */
  cut(step: number): void {
    const state = this.#state;
    const count = state.steps.filter((at) => at <= step).length;
    const validations = state.validationSteps.filter((at) => at <= step).length;
    const kept = structuredClone(state);
    kept.steps.length = count;
    for (const column of columns) kept.columns[column].length = count;
    kept.validationSteps.length = validations;
    kept.validation.length = validations;
    this.restore(kept);
  }

  add(step: number, metrics: Pick<StepMetrics, Column>): void {
    for (const column of columns) this.#sums[column] += metrics[column];
    this.#open += 1;
    if (this.#open < this.#state.stride) return;
    this.#state.steps.push(step);
    for (const column of columns) {
      this.#state.columns[column].push(this.#sums[column] / this.#open);
    }
    this.#open = 0;
    this.#sums = emptyRow();
    if (this.#state.steps.length >= maxPoints) this.#halve();
  }

  addValidation(step: number, loss: number): void {
    const { validationSteps, validation } = this.#state;
    if (validationSteps.at(-1) === step) {
      validation[validation.length - 1] = loss;
      return;
    }
    validationSteps.push(step);
    validation.push(loss);
    if (validation.length < maxPoints) return;
    // Validation points are samples, not means: every other one is kept, the last always.
    const keep = (_: number, index: number): boolean => index % 2 === 1;
    this.#state.validationSteps = validationSteps.filter(keep);
    this.#state.validation = validation.filter(keep);
  }

  #halve(): void {
    const { steps } = this.#state;
    this.#state.steps = steps.filter((_, index) => index % 2 === 1);
    for (const column of columns) {
      const values = this.#state.columns[column];
      this.#state.columns[column] = this.#state.steps.map(
        (_, index) => (values[2 * index]! + values[2 * index + 1]!) / 2,
      );
    }
    this.#state.stride *= 2;
  }
}
