// SPDX-License-Identifier: MIT
// Tasks as options: defaults, checks, and what their token ids stand for. The examples themselves
// are drawn by the engine's core.

import type { TrainingData } from './api.js';
import type { TaskInfo, TaskKind, TaskOptions } from './api-train.js';
import { HeedError } from './errors.js';
import { checkKeys, checkRecord, integer, oneOf } from './option-checks.js';
import type { TaskParams } from './protocol.js';

/** Defaults and bounds of a task; `of` counts the tokens of an example and its different examples. */
interface Shape {
  length: number;
  symbols: number;
  lengths?: readonly [number, number];
  mostSymbols?: number;
  fewestSymbols?: number;
  context(length: number): number;
  count(length: number, symbols: number): number;
}

const words = (length: number, symbols: number): number => symbols ** length;
const transcription: Shape = { length: 6, symbols: 8, context: (length) => 2 * length, count: words };

const shapes: Readonly<Record<TaskKind, Shape>> = {
  pointAndShift: {
    length: 6,
    symbols: 8,
    context: (length) => length + 1,
    count: (length, symbols) => length * symbols ** length,
  },
  copy: transcription,
  reverse: transcription,
  induction: {
    length: 8,
    symbols: 16,
    lengths: [3, 64],
    context: (length) => length + Math.floor(length / 2),
    count: placements,
  },
  sort: transcription,
  addition: {
    length: 3,
    symbols: 10,
    context: (length) => 3 * length + 2,
    count: (length, symbols) => symbols ** (2 * length),
  },
  modularAddition: { length: 2, symbols: 97, lengths: [2, 2], context: () => 3, count: words },
  parity: { length: 10, symbols: 2, mostSymbols: 2, context: (length) => length, count: words },
  dyck: {
    length: 24,
    symbols: 2,
    fewestSymbols: 1,
    context: (length) => length - 1,
    count: (length, symbols) => nestings(length) * symbols ** (length / 2),
  },
};
const kinds = Object.keys(shapes) as TaskKind[];

const longest = 64;
const mostSymbols = 256;
const deepest = 4;
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
  const shape = shapes[task];
  const { length = shape.length, symbols = shape.symbols } = options;
  checkRange('length', length, ...(shape.lengths ?? ([2, longest] as const)));
  checkRange('symbols', symbols, shape.fewestSymbols ?? 2, shape.mostSymbols ?? mostSymbols);
  const resolved = { task, length, symbols };
  if (task === 'induction' && symbols < length) {
    throw new HeedError(
      'invalid-argument',
      `task options: induction draws ${length} different symbols, but there are ${symbols}. ` +
        'Raise symbols or lower length.',
    );
  }
  if (task === 'dyck' && length % 2 !== 0) {
    throw new HeedError(
      'invalid-argument',
      `task options: length is ${length}; balanced brackets come in pairs. Use an even number.`,
    );
  }
  const count = shape.count(length, symbols);
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
  const labels = labelsOf(task, length, symbols);
  const context = shapes[task].context(length);
  return Object.freeze({ task, length, symbols, vocab: labels.length, context, labels });
}

function labelsOf(task: TaskKind, length: number, symbols: number): string[] {
  const each = (name: (i: number) => string, count = symbols): string[] =>
    Array.from({ length: count }, (_, i) => name(i));
  switch (task) {
    case 'pointAndShift':
      return [...each(letters), ...each((place) => `@${place}`, length)];
    case 'induction':
      return each(letters);
    case 'addition':
      return [...each(String), '+', '='];
    case 'modularAddition':
      return [...each(String), '='];
    case 'parity':
      return each(String);
    case 'dyck':
      return [...each((kind) => bracket('([{<', kind)), ...each((kind) => bracket(')]}>', kind))];
    default:
      return [...each(letters), '|'];
  }
}

/** A kind's own bracket while there are any, then the round one with the kind's number. */
const bracket = (own: string, kind: number): string => own[kind] ?? `${own[0]}${kind}`;

function checkRange(name: string, value: number, low: number, high: number): void {
  if (value < low || value > high) {
    throw new HeedError(
      'invalid-argument',
      `task options: ${name} is ${value}; it must be a whole number from ${low} to ${high}. ` +
        'Change the value, or leave it out for its default.',
    );
  }
}

/** Lists of `length` different symbols, times the places to continue from. */
function placements(length: number, symbols: number): number {
  let count = length - Math.floor(length / 2);
  for (let i = 0; i < length; ++i) {
    count *= symbols - i;
  }
  return count;
}

/** Ways to nest brackets of one kind, by their number at each depth. */
function nestings(length: number): number {
  let at = [1, ...Array<number>(deepest).fill(0)];
  for (let i = 0; i < length; ++i) {
    at = at.map((_, depth) => (at[depth - 1] ?? 0) + (at[depth + 1] ?? 0));
  }
  return at[0]!;
}

/** A, B, ..., Z, AA, AB, ... */
function letters(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
