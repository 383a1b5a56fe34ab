// SPDX-License-Identifier: MIT
// Tasks as options: defaults, checks, and what their token ids stand for. The examples themselves
// are drawn by the engine's core.

import type { TrainingData } from './api.js';
import type { TaskInfo, TaskKind, TaskOptions } from './api-train.js';
import { HeedError } from './errors.js';
import { checkKeys, checkRecord, integer, oneOf } from './option-checks.js';
import type { TaskParams } from './protocol.js';

const kinds: readonly TaskKind[] = ['pointAndShift', 'copy', 'reverse', 'induction', 'sort'];

const longest = 64;
const mostSymbols = 256;
/** An eighth of the examples is for validation: with fewer there would be hardly any. */
const fewestExamples = 64;

/** Whether data is a task rather than tokens. */
export function isTask(data: TrainingData | TaskOptions): data is TaskOptions {
  return typeof data === 'object' && data !== null && 'task' in data;
}

/** Checked, with defaults filled in. */
export function resolveTask(options: TaskOptions): TaskParams {
  checkRecord(options, 'task options');
  checkKeys(options, 'task options', { task: oneOf(...kinds), length: integer, symbols: integer });
  const { task } = options;
  if (task === undefined) {
    throw new HeedError(
      'invalid-argument',
      `task options need "task". Pass one of ${kinds.join(', ')}.`,
    );
  }
  const induction = task === 'induction';
  const { length = induction ? 8 : 6, symbols = induction ? 16 : 8 } = options;
  checkRange('length', length, induction ? 3 : 2, longest);
  checkRange('symbols', symbols, 2, mostSymbols);
  const resolved = { task, length, symbols };
  if (induction && symbols < length) {
    throw new HeedError(
      'invalid-argument',
      `task options: induction draws ${length} different symbols, but there are ${symbols}. ` +
        'Raise symbols or lower length.',
    );
  }
  const count = exampleCount(resolved);
  if (count < fewestExamples) {
    throw new HeedError(
      'invalid-argument',
      `task options: length ${length} and symbols ${symbols} make ${count} different examples; ` +
        `at least ${fewestExamples} are needed. Raise one of them.`,
    );
  }
  return resolved;
}

/**
 * Sizes and token names of a task, without an engine: what a model for it needs.
 *
 * @throws HeedError `invalid-argument` for what `createTrainer` would refuse.
 */
export function describeTask(options: TaskOptions): TaskInfo {
  const { task, length, symbols } = resolveTask(options);
  const labels = Array.from({ length: symbols }, (_, i) => letters(i));
  let context = 2 * length;
  switch (task) {
    case 'pointAndShift':
      labels.push(...Array.from({ length }, (_, place) => `@${place}`));
      context = length + 1;
      break;
    case 'induction':
      context = length + Math.floor(length / 2);
      break;
    default:
      labels.push('|');
  }
  return Object.freeze({ task, length, symbols, vocab: labels.length, context, labels });
}

function checkRange(name: string, value: number, low: number, high: number): void {
  if (value < low || value > high) {
    throw new HeedError(
      'invalid-argument',
      `task options: ${name} is ${value}; it must be a whole number from ${low} to ${high}. ` +
        'Change the value, or leave it out for its default.',
    );
  }
}

function exampleCount({ task, length, symbols }: TaskParams): number {
  if (task === 'induction') {
    let count = length - Math.floor(length / 2);
    for (let i = 0; i < length; ++i) {
      count *= symbols - i;
    }
    return count;
  }
  return symbols ** length * (task === 'pointAndShift' ? length : 1);
}

/** A, B, ..., Z, AA, AB, ... */
function letters(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
