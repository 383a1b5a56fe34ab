// SPDX-License-Identifier: MIT
// The byte tokenizer: the UTF-8 bytes of the text, 256 ids, nothing to train.

import { allocate } from '../values.js';
import { checkState, checkText, checkToken, checkTokens } from './check.js';
import type { StreamDecoder, Tokenizer, TokenizerState } from './tokenizer.js';
import { byteLabel, decodeUtf8, utf8Stream } from './utf8-stream.js';

const vocab = 256;

function byteOf(token: number): Uint8Array {
  checkToken(token, vocab);
  return Uint8Array.of(token);
}

export class ByteTokenizer implements Tokenizer {
  readonly vocab = vocab;

  static fromJSON(state: TokenizerState): ByteTokenizer {
    checkState(state, 'byte', []);
    return new ByteTokenizer();
  }

  /** Lone surrogates become U+FFFD, as TextEncoder has it; everything else round-trips. */
  encode(text: string): Int32Array {
    checkText(text);
    const bytes = new TextEncoder().encode(text);
    const ids = allocate(bytes.length, 'the text', (length) => new Int32Array(length));
    ids.set(bytes);
    return ids;
  }

  decode(tokens: ArrayLike<number>): string {
    checkTokens(tokens);
    return decodeUtf8(tokens, byteOf);
  }

  /** ASCII as itself; a byte that is only part of a character as `\xE2`. */
  token(id: number): string {
    checkToken(id, vocab);
    return byteLabel(id);
  }

  stream(): StreamDecoder {
    return utf8Stream(byteOf);
  }

  toJSON(): TokenizerState {
    return { kind: 'byte' };
  }
}
