// SPDX-License-Identifier: MIT
// Checks of the options of the lens, of cut heads, of patches and of next tokens.

import type { CutHeadsOptions, LensOptions, NextOptions, PatchOptions } from './api-inspect.js';
import { HeedError } from './errors.js';
import { checkKeys, checkRecord, integer, number, oneOf } from './option-checks.js';

/** The number of tokens to list. */
export function checkLensOptions(options: LensOptions, vocab: number): number {
  checkRecord(options, 'lens options');
  checkKeys(options, 'lens options', { top: integer });
  const { top = Math.min(5, vocab) } = options;
  if (top < 1 || top > vocab) {
    throw new HeedError(
      'invalid-argument',
      `lens options: top is 1 to ${vocab} (the vocabulary), not ${top}. ` +
        'Leave it out for its default.',
    );
  }
  return top;
}

export function checkCutHeadsOptions(options: CutHeadsOptions): void {
  checkRecord(options, 'cut options');
  checkKeys(options, 'cut options', { to: oneOf('zero', 'mean') });
}

export function checkPatchOptions(options: PatchOptions): void {
  const what = 'patch options';
  checkRecord(options, what);
  checkKeys(options, what, {
    what: oneOf('stream', 'attention', 'feedForward', 'head'),
    row: integer,
    target: integer,
    rival: integer,
  });
  for (const key of ['what', 'row', 'target', 'rival'] as const) {
    if (options[key] === undefined) {
      throw new HeedError('invalid-argument', `${what} need "${key}". Pass one.`);
    }
  }
}

export function checkNextOptions(options: NextOptions): void {
  checkRecord(options, 'next options');
  checkKeys(options, 'next options', {
    temperature: number,
    topK: integer,
    topP: number,
    seed: integer,
    index: integer,
  });
}
