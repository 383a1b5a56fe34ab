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
import { HeedError } from './errors.js';
import {
  checkKeys,
  checkRecord,
  integer,
  number,
  oneOf,
  optional,
  string,
} from './option-checks.js';
import { isTyped } from './values.js';

export function checkRunOptions(options: RunOptions): void {
  checkRecord(options, 'run options');
  checkKeys(options, 'run options', {
    steps: integer,
    every: integer,
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
  checkData(options.data);
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
      'data needs "tokens". Pass the Int32Array that a tokenizer\'s encode() returns.',
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

export function checkMetadata(metadata: Record<string, string>): void {
  checkRecord(metadata, 'metadata');
  const checks = Object.fromEntries(Object.keys(metadata).map((key) => [key, string]));
  checkKeys(metadata, 'metadata', checks);
}

function isArrayLike(value: unknown): boolean {
  return typeof value === 'object' && typeof (value as { length?: unknown }).length === 'number';
}

function isAbortSignal(value: unknown): boolean {
  const signal = value as Partial<AbortSignal>;
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}

function isBytes(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return ArrayBuffer.isView(value) || tag === '[object ArrayBuffer]';
}
