// SPDX-License-Identifier: MIT
// Checks of what is passed to a call: options, data, metadata.

import type {
  CreateTrainerOptions,
  EngineOptions,
  EvaluateOptions,
  GenerateOptions,
  RunOptions,
  TrainingData,
} from './api.js';
import type { RecordOptions } from './api-train.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import {
  boolean,
  checkKeys,
  checkRecord,
  integer,
  isAbortSignal,
  isStringArray,
  number,
  oneOf,
  optional,
  string,
} from './option-checks.js';
import { isTask, resolveTask } from './tasks.js';
import { isTyped } from './values.js';

export function checkRunOptions(options: RunOptions): void {
  checkRecord(options, 'run options');
  checkKeys(options, 'run options', {
    steps: integer,
    every: integer,
    report: boolean,
    signal: optional('an AbortSignal', isAbortSignal),
  });
  const { steps = 0, every = 1 } = options;
  if (steps < 0 || every < 1) {
    throw new HeedError(
      'invalid-argument',
      `run options: steps is at least 0 and every at least 1, not ${steps} and ${every}. ` +
        'Leave an option out for its default.',
    );
  }
}

export function checkEvaluateOptions(options: EvaluateOptions): void {
  checkRecord(options, 'evaluate options');
  checkKeys(options, 'evaluate options', {
    split: oneOf('train', 'validation'),
    maxWindows: integer,
    signal: optional('an AbortSignal', isAbortSignal),
  });
  if (options.maxWindows !== undefined && options.maxWindows < 1) {
    throw new HeedError(
      'invalid-argument',
      `evaluate options: maxWindows is at least 1, not ${options.maxWindows}. ` +
        'Leave it out to use the whole split.',
    );
  }
}

export function checkGenerateOptions(options: GenerateOptions): void {
  checkRecord(options, 'generate options');
  checkKeys(options, 'generate options', {
    prompt: optional('an array of token ids', isArrayLike),
    tokens: integer,
    temperature: number,
    topK: integer,
    topP: number,
    seed: integer,
    stop: optional('an array of token ids', isArrayLike),
    signal: optional('an AbortSignal', isAbortSignal),
  });
  if (options.tokens === undefined || options.tokens < 0) {
    throw new HeedError(
      'invalid-argument',
      `generate options need "tokens", how many to generate, not ${String(options.tokens)}. ` +
        'Pass a whole number from 0 up.',
    );
  }
}

export function checkEngineOptions(options: EngineOptions): void {
  checkRecord(options, 'engine options');
  checkKeys(options, 'engine options', {
    where: oneOf('thread', 'worker'),
    wasmUrl: optional('a URL', (value) => typeof value === 'string' || value instanceof URL),
    workerUrl: optional('a URL', (value) => typeof value === 'string' || value instanceof URL),
    wasmBinary: optional('an ArrayBuffer or a typed array', isBytes),
    memoryLimit: integer,
  });
}

export function checkTrainerOptions(options: CreateTrainerOptions): void {
  checkRecord(options, 'trainer options');
  checkKeys(options, 'trainer options', {
    model: optional('model options or a Model', (value) => typeof value === 'object'),
    train: optional('train options', (value) => typeof value === 'object'),
    data: optional('training data', (value) => typeof value === 'object'),
  });
  if (options.model === undefined || options.model === null) {
    throw new HeedError(
      'invalid-argument',
      'trainer options need "model". Pass model options or a Model of this engine.',
    );
  }
  if (isTask(options.data)) {
    resolveTask(options.data);
  } else {
    checkData(options.data);
  }
}

export function checkData(data: TrainingData): void {
  checkRecord(data, 'data');
  checkKeys(data, 'data', {
    tokens: optional('an Int32Array', (value) => isTyped(value, 'Int32Array')),
    lossMask: optional('a Uint8Array', (value) => isTyped(value, 'Uint8Array')),
  });
  if (data.tokens === undefined) {
    throw new HeedError(
      'invalid-argument',
      'data needs "tokens" or "task". Pass the Int32Array that a tokenizer\'s encode() returns, ' +
        'or the name of a task.',
    );
  }
  if (data.lossMask !== undefined && data.lossMask.length !== data.tokens.length) {
    throw new HeedError(
      'invalid-argument',
      `data.lossMask has ${data.lossMask.length} entries and data.tokens ` +
        `${data.tokens.length}. Make them the same length.`,
    );
  }
}

export function checkRecordOptions(options: RecordOptions): void {
  checkRecord(options, 'record options');
  checkKeys(options, 'record options', { every: integer, maxBytes: integer });
  const { every = 1, maxBytes = 1 } = options;
  if (every < 1 || maxBytes < 1) {
    throw new HeedError(
      'invalid-argument',
      `record options: every and maxBytes are at least 1, not ${every} and ${maxBytes}. ` +
        'Leave an option out for its default.',
    );
  }
}

/** Names of groups; which there are depends on the model. A copy. */
export function groupNames(names: unknown, what: string): string[] {
  if (!isStringArray(names)) {
    throw new HeedError(
      'invalid-argument',
      `${what} must be an array of group names, not ${describeValue(names)}. ` +
        "Trainer.groups() lists them; 'query' stands for that of all layers.",
    );
  }
  return [...names];
}

/** A number of a step or an example, where only the engine knows the upper end. */
export function checkNumber(value: unknown, what: string, low: number): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < low) {
    throw new HeedError(
      'invalid-argument',
      `${what} must be a whole number from ${low} up, not ${describeValue(value)}. ` +
        'Change the value.',
    );
  }
}

export function checkSplit(split: unknown): asserts split is 'train' | 'validation' {
  checkKeys({ split }, 'example', { split: oneOf('train', 'validation') });
}

export function checkMetadata(metadata: Record<string, string>): void {
  checkRecord(metadata, 'metadata');
  const checks = Object.fromEntries(Object.keys(metadata).map((key) => [key, string]));
  checkKeys(metadata, 'metadata', checks);
}

function isArrayLike(value: unknown): boolean {
  return typeof value === 'object' && typeof (value as { length?: unknown }).length === 'number';
}

function isBytes(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return ArrayBuffer.isView(value) || tag === '[object ArrayBuffer]';
}
