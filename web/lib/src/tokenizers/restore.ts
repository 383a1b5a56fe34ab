// SPDX-License-Identifier: MIT
// A tokenizer from its saved form, and its place in a checkpoint's metadata.

import { describeValue } from '../describe.js';
import { HeedError } from '../errors.js';
import { BpeTokenizer } from './bpe.js';
import { ByteTokenizer } from './byte.js';
import { CharTokenizer } from './char.js';
import type { Tokenizer, TokenizerState } from './tokenizer.js';

/** The metadata entry that holds the tokenizer as JSON. */
export const tokenizerKey = 'tokenizer';

export function tokenizerFromJSON(state: TokenizerState): Tokenizer {
  switch (state?.kind) {
    case 'byte':
      return ByteTokenizer.fromJSON(state);
    case 'bpe':
      return BpeTokenizer.fromJSON(state);
    case 'char':
      return CharTokenizer.fromJSON(state);
    default:
      throw new HeedError(
        'bad-data',
        `A saved tokenizer is of kind "byte", "char" or "bpe", not ${describeValue(state?.kind)}. ` +
          'Restore a tokenizer of your own with your own code.',
      );
  }
}

/** For `save()`: the entry that lets a checkpoint carry its tokenizer. */
export function tokenizerMetadata(tokenizer: Tokenizer): Record<string, string> {
  return { [tokenizerKey]: JSON.stringify(tokenizer.toJSON()) };
}

/** The tokenizer a checkpoint carries, or null when it was saved without one. */
export function tokenizerFromMetadata(metadata: Record<string, string>): Tokenizer | null {
  const text = metadata[tokenizerKey];
  if (text === undefined) {
    return null;
  }
  let state: TokenizerState;
  try {
    state = JSON.parse(text) as TokenizerState;
  } catch {
    throw new HeedError(
      'bad-data',
      `The checkpoint's "${tokenizerKey}" entry is not JSON (${describeValue(text)}). ` +
        'Save the checkpoint again with tokenizerMetadata(tokenizer).',
    );
  }
  return tokenizerFromJSON(state);
}
