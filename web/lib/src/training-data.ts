// SPDX-License-Identifier: MIT
// Data and examples on their way to the engine: checked, and copied so that the copies can be
// transferred to a worker while the caller keeps the originals.

import type { TrainingData } from './api.js';
import type { Example, TaskOptions } from './api-train.js';
import { checkData } from './call-options.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { checkRecord } from './option-checks.js';
import type { DataParams } from './protocol.js';
import { isTask, resolveTask } from './tasks.js';
import { allocate, tokensOf } from './values.js';

export function dataParams(data: TrainingData | TaskOptions): DataParams {
  checkRecord(data, 'data');
  if (isTask(data)) {
    return resolveTask(data);
  }
  checkData(data);
  const { tokens, lossMask } = data;
  return {
    tokens: allocate(tokens.length, 'the tokens', () => tokens.slice()),
    lossMask:
      lossMask && allocate(lossMask.length, 'the loss mask', () => lossMask.slice()),
  };
}

export function dataBuffers(data: DataParams | undefined): Transferable[] {
  if (data === undefined || 'task' in data) {
    return [];
  }
  const { tokens, lossMask } = data;
  const views = lossMask === undefined ? [tokens] : [tokens, lossMask];
  return views.map((view) => view.buffer as ArrayBuffer);
}

/** Sequences of one length, one after the other. */
export function packExamples(examples: readonly Example[]): {
  tokens: Int32Array<ArrayBuffer>;
  targets: Int32Array<ArrayBuffer>;
  sequences: number;
} {
  if (!Array.isArray(examples) || examples.length === 0) {
    throw new HeedError(
      'invalid-argument',
      `examples must be a non-empty array of { tokens, targets }, not ${describeValue(examples)}. ` +
        'Pass what Trainer.batch() returns.',
    );
  }
  const rows = (examples as readonly Example[]).map((example, i) => {
    checkRecord(example, `examples[${i}]`);
    const tokens = tokensOf(example.tokens, `examples[${i}].tokens`);
    const targets = tokensOf(example.targets, `examples[${i}].targets`);
    return { tokens, targets };
  });
  const time = rows[0]!.tokens.length;
  for (const [i, { tokens, targets }] of rows.entries()) {
    if (tokens.length !== time || targets.length !== time) {
      throw new HeedError(
        'invalid-argument',
        `examples[${i}] has ${tokens.length} tokens and ${targets.length} targets, but the first ` +
          `example has ${time} tokens. Give all examples one length, with a target (or -1) for ` +
          'every token.',
      );
    }
  }
  const join = (of: 'tokens' | 'targets') => {
    const all = allocate(rows.length * time, `the ${of}`, (length) => new Int32Array(length));
    rows.forEach((row, i) => all.set(row[of], i * time));
    return all;
  };
  return { tokens: join('tokens'), targets: join('targets'), sequences: rows.length };
}
