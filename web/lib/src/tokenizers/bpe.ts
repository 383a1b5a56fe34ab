// SPDX-License-Identifier: MIT
// Byte-level byte pair encoding (Sennrich et al. 2016; on bytes: Radford et al. 2019): frequent sequences of bytes
// are one token, and any text still has ids.

import { describeValue } from '../describe.js';
import { HeedError } from '../errors.js';
import { checkKeys, checkRecord, integer, isAbortSignal, optional } from '../option-checks.js';
import { yieldWhenDue } from '../slice-clock.js';
import { allocate } from '../values.js';
import { type TokenizerJson, tokenizerJsonOf } from './bpe/hugging-face.js';
import { bytes, Merges, mostTokens, pairKey } from './bpe/merges.js';
import { piecesOf } from './bpe/pieces.js';
import { BpeTraining } from './bpe/training.js';
import { checkState, checkText, checkToken, checkTokens } from './check.js';
import type { StreamDecoder, Tokenizer, TokenizerState } from './tokenizer.js';
import { byteLabel, decodeUtf8, utf8Stream } from './utf8-stream.js';

export interface BpeTrainOptions {
  /**
   * Token ids wanted, the 256 bytes among them: 256 to 32768. Training stops earlier where no pair of tokens stands
   * twice in the text.
   * @default 1256
   */
  vocab?: number;
  /** Called a few times a second, and at the end: merges learnt, of those wanted. */
  onProgress?: (done: number, wanted: number) => void;
  /** Ends the training with an `aborted` error. */
  signal?: AbortSignal;
}

/** Pieces looked at before the clock is. */
const piecesAtOnce = 512;
/** Pieces whose tokens are kept while a text is encoded; most of a text are the same few thousand words. */
const keptPieces = 1 << 16;

export class BpeTokenizer implements Tokenizer {
  readonly #merges: Merges;

  private constructor(merges: Merges) {
    this.#merges = merges;
  }

  /**
   * Learns the merges of a text; the same text gives the same merges on every machine. Others get their
   * turn every 30 ms, so a page stays usable. Throws `invalid-argument`, or `aborted` by `signal`.
   */
  static async train(text: string, options: BpeTrainOptions = {}): Promise<BpeTokenizer> {
    checkText(text);
    checkOptions(options);
    const { vocab = 1256, onProgress, signal } = options;
    const pause = async (done: number): Promise<void> => {
      if (await yieldWhenDue()) onProgress?.(done, vocab - bytes);
      if (signal?.aborted === true) {
        throw new HeedError('aborted', 'Training the tokenizer was aborted. Call train() again.');
      }
    };
    await pause(0);
    const training = new BpeTraining(await countPieces(text, () => pause(0)));
    let done = 0;
    while (done < vocab - bytes && training.step()) {
      done += 1;
      await pause(done);
    }
    onProgress?.(done, vocab - bytes);
    return new BpeTokenizer(new Merges(training.merges));
  }

  static fromJSON(state: TokenizerState): BpeTokenizer {
    checkState(state, 'bpe', ['merges']);
    return new BpeTokenizer(new Merges(checkMerges(state['merges'])));
  }

  get vocab(): number {
    return this.#merges.tokens;
  }

  /** Lone surrogates become U+FFFD, as TextEncoder has it; everything else round-trips. */
  encode(text: string): Int32Array {
    checkText(text);
    const encoder = new TextEncoder();
    const kept = new Map<string, Int32Array>();
    // Mostly three bytes a token; what is more is doubled.
    let ids = allocate(text.length >> 1, 'the text', (length) => new Int32Array(length));
    let count = 0;
    for (const piece of piecesOf(text)) {
      let tokens = kept.get(piece);
      if (tokens === undefined) {
        tokens = this.#merges.apply(encoder.encode(piece));
        if (kept.size < keptPieces) kept.set(piece, tokens);
      }
      if (count + tokens.length > ids.length) {
        const room = Math.max(2 * ids.length, count + tokens.length);
        const longer = allocate(room, 'the text', (length) => new Int32Array(length));
        longer.set(ids);
        ids = longer;
      }
      ids.set(tokens, count);
      count += tokens.length;
    }
    return ids.slice(0, count);
  }

  decode(tokens: ArrayLike<number>): string {
    checkTokens(tokens);
    return decodeUtf8(tokens, this.#bytesOf);
  }

  /** Bytes that are only part of a character as `\xE2`. */
  token(id: number): string {
    const all = this.#bytesOf(id);
    try {
      return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(all);
    } catch {
      return Array.from(all, byteLabel).join('');
    }
  }

  stream(): StreamDecoder {
    return utf8Stream(this.#bytesOf);
  }

  /** `merges`: pairs of ids, flat; pair r makes token 256 + r, and ids below are the bytes. */
  toJSON(): TokenizerState {
    return { kind: 'bpe', merges: Array.from(this.#merges.pairs) };
  }

  /** The contents of a `tokenizer.json` with which Hugging Face's `tokenizers` gives the same ids. */
  toTokenizerJSON(): TokenizerJson {
    return tokenizerJsonOf(this.#merges);
  }

  readonly #bytesOf = (token: number): Uint8Array => {
    checkToken(token, this.#merges.tokens);
    return this.#merges.bytesOf(token);
  };
}

async function countPieces(text: string, pause: () => Promise<void>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const piece of piecesOf(text)) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
    if (++seen % piecesAtOnce === 0) await pause();
  }
  return counts;
}

function checkOptions(options: BpeTrainOptions): void {
  checkRecord(options, 'BPE options');
  checkKeys(options, 'BPE options', {
    vocab: integer,
    onProgress: optional('a function', (value) => typeof value === 'function'),
    signal: optional('an AbortSignal', isAbortSignal),
  });
  const { vocab = bytes } = options;
  if (vocab < bytes || vocab > mostTokens) {
    throw new HeedError(
      'invalid-argument',
      `BPE options: vocab is ${bytes} (the bytes alone) to ${mostTokens}, not ${vocab}. ` +
        'Each token more is a merge more to learn.',
    );
  }
}

function checkMerges(value: unknown): Int32Array {
  const refuse = (what: string): HeedError =>
    new HeedError('bad-data', `A saved "bpe" tokenizer ${what}. Pass what its toJSON() returned.`);
  if (!Array.isArray(value) || value.length % 2 !== 0) {
    throw refuse(`has its merges as a list of pairs, not ${describeValue(value)}`);
  }
  if (value.length / 2 > mostTokens - bytes) {
    throw refuse(`has at most ${mostTokens - bytes} merges, not ${value.length / 2}`);
  }
  const seen = new Set<number>();
  value.forEach((id: unknown, i) => {
    const made = bytes + (i >> 1);
    if (!Number.isInteger(id) || (id as number) < 0 || (id as number) >= made) {
      throw refuse(`makes token ${made} of tokens before it, not of ${describeValue(id)}`);
    }
    if (i % 2 === 1) {
      const key = pairKey(value[i - 1] as number, id as number);
      if (seen.has(key)) throw refuse(`merges the pair ${value[i - 1]}, ${id as number} twice`);
      seen.add(key);
    }
  });
  return Int32Array.from(value as number[]);
}
