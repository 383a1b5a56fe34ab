// SPDX-License-Identifier: MIT
// Text from tokens that stand for bytes; a character may be spread over several of them.

import { HeedError } from '../errors.js';
import type { StreamDecoder } from './tokenizer.js';

/** `bytesOf` throws for an id that is none. */
export function utf8Stream(bytesOf: (token: number) => Uint8Array): StreamDecoder {
  // ignoreBOM keeps a leading U+FEFF, which the default would drop.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let ended = false;
  return {
    push(token) {
      if (ended) {
        throw new HeedError('bad-state', 'push() after end(). Take a new stream().');
      }
      return decoder.decode(bytesOf(token), { stream: true });
    },
    end() {
      ended = true;
      return decoder.decode();
    },
  };
}

/** A whole list of tokens at once. */
export function decodeUtf8(tokens: ArrayLike<number>, bytesOf: (token: number) => Uint8Array): string {
  const stream = utf8Stream(bytesOf);
  let text = '';
  for (let i = 0; i < tokens.length; ++i) {
    text += stream.push(tokens[i]!);
  }
  return text + stream.end();
}

/** ASCII as itself; a byte that is only part of a character as `\xE2`. */
export function byteLabel(byte: number): string {
  return byte < 0x80
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
