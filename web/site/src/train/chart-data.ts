// SPDX-License-Identifier: MIT
// Curves as the chart takes them: one common row of steps, null where a line has no point.

import type { CurvesState } from './curves';

export interface LossData {
  steps: number[];
  training: (number | null)[];
  validation: (number | null)[];
}

/** Merges the two rising rows of steps. */
export function lossData(state: Readonly<CurvesState>): LossData {
  const { steps, columns, validationSteps, validation } = state;
  const data: LossData = { steps: [], training: [], validation: [] };
  let i = 0;
  let j = 0;
  while (i < steps.length || j < validationSteps.length) {
    const trained = steps[i] ?? Infinity;
    const validated = validationSteps[j] ?? Infinity;
    const step = Math.min(trained, validated);
    data.steps.push(step);
    data.training.push(trained === step ? columns.loss[i++]! : null);
    data.validation.push(validated === step ? validation[j++]! : null);
  }
  return data;
}
