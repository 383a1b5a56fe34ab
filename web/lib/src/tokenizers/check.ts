// SPDX-License-Identifier: MIT
// Checks that the tokenizers share.

import { HeedError } from '../errors.js';
import { describeValue } from '../describe.js';
import type { TokenizerState } from './tokenizer.js';

export function checkText(text: unknown): asserts text is string {
  if (typeof text !== 'string') {
    throw new HeedError(
      'invalid-argument',
      `A tokenizer encodes a string, not ${describeValue(text)}. Pass the text itself.`,
    );
  }
}

export function checkToken(token: unknown, vocab: number): asserts token is number {
  if (!Number.isInteger(token) || (token as number) < 0 || (token as number) >= vocab) {
    throw new HeedError(
      'bad-data',
      `Token ids of this tokenizer are integers from 0 to ${vocab - 1}, not ` +
        `${describeValue(token)}. Decode with the tokenizer that the ids came from.`,
    );
  }
}

export function checkTokens(tokens: unknown): asserts tokens is ArrayLike<number> {
  const list = tokens as { length?: unknown } | null | undefined;
  if (typeof list !== 'object' || list === null || typeof list.length !== 'number') {
    throw new HeedError(
      'invalid-argument',
      `Token ids come as an array or a typed array, not ${describeValue(tokens)}. ` +
        'Pass what encode() returned.',
    );
  }
}

/** The parts every saved tokenizer has; `keys` are the further ones of this kind. */
export function checkState(state: TokenizerState, kind: string, keys: readonly string[]): void {
  if (typeof state !== 'object' || state === null || state.kind !== kind) {
    throw new HeedError(
      'bad-data',
      `Not a saved "${kind}" tokenizer: ${describeValue(state?.kind ?? state)}. ` +
        'Pass what its toJSON() returned.',
    );
  }
  for (const key of Object.keys(state)) {
    if (key !== 'kind' && !keys.includes(key)) {
      throw new HeedError(
        'bad-data',
        `A saved "${kind}" tokenizer has no "${key}". ` +
          'It may come from a newer version of heed; update the package.',
      );
    }
  }
}
