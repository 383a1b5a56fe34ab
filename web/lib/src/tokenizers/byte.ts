// SPDX-License-Identifier: MIT
// The byte tokenizer: the UTF-8 bytes of the text, 256 ids, nothing to train.

import { HeedError } from '../errors.js';
import { allocate } from '../values.js';
import { checkState, checkText, checkToken, checkTokens } from './check.js';
import type { StreamDecoder, Tokenizer, TokenizerState } from './tokenizer.js';

const vocab = 256;

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
    const decoder = this.stream();
    let text = '';
    for (let i = 0; i < tokens.length; ++i) {
      text += decoder.push(tokens[i]!);
    }
    return text + decoder.end();
  }

  /** ASCII as itself; a byte that is only part of a character as `\xE2`. */
  token(id: number): string {
    checkToken(id, vocab);
    return id < 0x80
      ? String.fromCharCode(id)
      : `\\x${id.toString(16).toUpperCase().padStart(2, '0')}`;
  }

  stream(): StreamDecoder {
    // ignoreBOM keeps a leading U+FEFF, which the default would drop.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const byte = new Uint8Array(1);
    let ended = false;
    return {
      push(token) {
        if (ended) {
          throw new HeedError('bad-state', 'push() after end(). Take a new stream().');
        }
        checkToken(token, vocab);
        byte[0] = token;
        return decoder.decode(byte, { stream: true });
      },
      end() {
        ended = true;
        return decoder.decode();
      },
    };
  }

  toJSON(): TokenizerState {
    return { kind: 'byte' };
  }
}
