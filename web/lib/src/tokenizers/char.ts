// SPDX-License-Identifier: MIT
// The character tokenizer: one id for each code point that occurs in a text, in code point order.

import { HeedError } from '../errors.js';
import { describeValue } from '../describe.js';
import { allocate } from '../values.js';
import { checkState, checkText, checkToken, checkTokens } from './check.js';
import type { StreamDecoder, Tokenizer, TokenizerState } from './tokenizer.js';

const replacement = 0xfffd;
const basic = 0x10000;
/** Unseen characters an error lists before it only counts them. */
const listed = 10;

export class CharTokenizer implements Tokenizer {
  readonly #characters: readonly string[];
  /**
   * Ids of the basic plane by code point, -1 for none; as long as the largest needs. A table and not
   * a map: reading a book is the longest part of a page's start, and a lookup is most of it.
   */
  readonly #basic: Int32Array;
  readonly #others = new Map<number, number>();

  private constructor(codePoints: readonly number[]) {
    this.#characters = codePoints.map((point) => String.fromCodePoint(point));
    const inPlane = codePoints.filter((point) => point < basic);
    this.#basic = new Int32Array(inPlane.reduce((most, point) => Math.max(most, point + 1), 0)).fill(-1);
    codePoints.forEach((point, id) => {
      if (point < basic) {
        this.#basic[point] = id;
      } else {
        this.#others.set(point, id);
      }
    });
  }

  /** A vocabulary of the distinct code points of `text`. A lone surrogate counts as U+FFFD. */
  static fromText(text: string): CharTokenizer {
    checkText(text);
    const seen = new Uint8Array(basic);
    const others = new Set<number>();
    for (let i = 0; i < text.length; ++i) {
      const point = codePointAt(text, i);
      if (point < basic) {
        seen[point] = 1;
      } else {
        ++i;
        others.add(point);
      }
    }
    if (text.length === 0) {
      throw new HeedError(
        'bad-data',
        'The text is empty, so it has no characters to make a vocabulary of. ' +
          'Pass a text with at least one character.',
      );
    }
    const points: number[] = [];
    for (let point = 0; point < basic; ++point) {
      if (seen[point] === 1) {
        points.push(point);
      }
    }
    return new CharTokenizer([...points, ...[...others].sort((a, b) => a - b)]);
  }

  static fromJSON(state: TokenizerState): CharTokenizer {
    checkState(state, 'char', ['characters']);
    const { characters } = state;
    if (typeof characters !== 'string' || characters === '') {
      throw new HeedError(
        'bad-data',
        'A saved "char" tokenizer has its characters as one string, not ' +
          `${describeValue(characters)}. Pass what its toJSON() returned.`,
      );
    }
    const points = Array.from(characters, (character) => codePointAt(character, 0));
    if (new Set(points).size !== points.length) {
      throw new HeedError(
        'bad-data',
        'A saved "char" tokenizer lists a character twice, so its ids are ambiguous. ' +
          'Pass what its toJSON() returned.',
      );
    }
    return new CharTokenizer(points);
  }

  get vocab(): number {
    return this.#characters.length;
  }

  encode(text: string): Int32Array {
    checkText(text);
    // At most one id a UTF-16 unit; the copy at the end trims what surrogate pairs left over.
    const ids = allocate(text.length, 'the text', (length) => new Int32Array(length));
    const unseen = new Set<number>();
    let count = 0;
    for (let i = 0; i < text.length; ++i) {
      const point = codePointAt(text, i);
      if (point >= basic) {
        ++i;
      }
      const id = this.#id(point);
      if (id < 0) {
        unseen.add(point);
      } else {
        ids[count++] = id;
      }
    }
    if (unseen.size > 0) {
      throw unseenError([...unseen]);
    }
    return count === ids.length ? ids : ids.slice(0, count);
  }

  #id(point: number): number {
    return point < this.#basic.length ? this.#basic[point]! : (this.#others.get(point) ?? -1);
  }

  decode(tokens: ArrayLike<number>): string {
    checkTokens(tokens);
    let text = '';
    for (let i = 0; i < tokens.length; ++i) {
      text += this.token(tokens[i]!);
    }
    return text;
  }

  token(id: number): string {
    checkToken(id, this.vocab);
    return this.#characters[id]!;
  }

  stream(): StreamDecoder {
    // Every id is a whole character, so nothing ever waits.
    return { push: (token) => this.token(token), end: () => '' };
  }

  toJSON(): TokenizerState {
    return { kind: 'char', characters: this.#characters.join('') };
  }
}

/** A lone surrogate reads as U+FFFD. */
function codePointAt(text: string, at: number): number {
  const point = text.codePointAt(at)!;
  return point >= 0xd800 && point <= 0xdfff ? replacement : point;
}

function unseenError(points: readonly number[]): HeedError {
  const names = points.slice(0, listed).map((point) => {
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    return point < 0x20 || point === 0x7f ? code : `"${String.fromCodePoint(point)}" (${code})`;
  });
  const rest = points.length > listed ? ` and ${points.length - listed} more` : '';
  return new HeedError(
    'bad-data',
    `The vocabulary has no ${points.length === 1 ? 'character' : 'characters'} ` +
      `${names.join(', ')}${rest}. Leave them out, or train on a text that contains them.`,
  );
}
