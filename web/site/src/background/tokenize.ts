// SPDX-License-Identifier: MIT
// A text's tokenizer and its tokens.

import { BpeTokenizer, ByteTokenizer, CharTokenizer, HeedError } from 'heed';
import type { Tokenizer } from 'heed';
import { BackgroundError } from './protocol';
import type { PrepareRequest } from './protocol';

export interface Watch {
  signal: AbortSignal;
  /** Merges learnt, of those wanted. */
  onProgress(done: number, wanted: number): void;
}

function tokenizerFor(
  text: string,
  { tokenizer, vocabulary }: Pick<PrepareRequest, 'tokenizer' | 'vocabulary'>,
  watch: Watch,
): Tokenizer | Promise<Tokenizer> {
  switch (tokenizer) {
    case 'byte':
      return new ByteTokenizer();
    case 'char':
      return CharTokenizer.fromText(text);
    case 'bpe':
      return BpeTokenizer.train(text, { vocab: vocabulary, ...watch });
  }
}

/** Throws `tokenizer` with the package's words, or `aborted`. */
export async function tokenize(
  text: string,
  wanted: Pick<PrepareRequest, 'tokenizer' | 'vocabulary'>,
  watch: Watch,
): Promise<{ tokenizer: Tokenizer; tokens: Int32Array }> {
  try {
    const tokenizer = await tokenizerFor(text, wanted, watch);
    return { tokenizer, tokens: tokenizer.encode(text) };
  } catch (error) {
    if (!(error instanceof HeedError)) throw error;
    if (error.code === 'aborted') throw new BackgroundError('aborted');
    throw new BackgroundError('tokenizer', { message: error.message });
  }
}
