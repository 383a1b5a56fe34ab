// SPDX-License-Identifier: MIT
// What the package asks of a tokenizer; any object with these members will do.

/** Serialised form: `kind` names the class, the rest is its own. */
export interface TokenizerState {
  kind: string;
  [key: string]: unknown;
}

export interface StreamDecoder {
  /** Text that is complete after this token; an unfinished character waits for its other bytes. */
  push(token: number): string;
  /** What is left, malformed bytes as U+FFFD. */
  end(): string;
}

export interface Tokenizer {
  /** Number of distinct ids; ids are 0 to vocab - 1. */
  readonly vocab: number;
  /** Throws `bad-data` naming the characters that have no id. */
  encode(text: string): Int32Array;
  decode(tokens: ArrayLike<number>): string;
  /** One token as text for a label: whitespace and control characters are shown as themselves. */
  token(id: number): string;
  stream(): StreamDecoder;
  toJSON(): TokenizerState;
}
