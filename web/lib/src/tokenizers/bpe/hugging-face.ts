// SPDX-License-Identifier: MIT
// `tokenizer.json` as Hugging Face's `tokenizers` reads it.

import type { Merges } from './merges.js';

/**
 * Byte-level vocabularies are written as text: each byte has a visible character. Bytes that are one in Latin-1
 * stand for themselves, the others get U+0100 and up in their order (Radford et al. 2019, their encoder.py).
 */
const characters: readonly string[] = (() => {
  let other = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const visible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCharCode(visible ? byte : other++);
  });
})();

export interface TokenizerJson {
  version: '1.0';
  model: { type: 'BPE'; vocab: Record<string, number>; merges: string[]; [option: string]: unknown };
  [part: string]: unknown;
}

export function tokenizerJsonOf(merges: Merges): TokenizerJson {
  const written = (token: number): string =>
    Array.from(merges.bytesOf(token), (byte) => characters[byte]!).join('');
  const vocab: Record<string, number> = {};
  for (let token = 0; token < merges.tokens; ++token) vocab[written(token)] = token;
  const pairs: string[] = [];
  for (let i = 0; i < merges.pairs.length; i += 2) {
    // A space can stand between them: as a byte of theirs it is written otherwise.
    pairs.push(`${written(merges.pairs[i]!)} ${written(merges.pairs[i + 1]!)}`);
  }
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges: pairs,
    },
  };
}
