// SPDX-License-Identifier: MIT
// How text is cut before any merge: no token reaches across two pieces. Pieces are those of GPT-2's
// tokenizer: a word with the space before it, a run of digits, of other signs, of white space (of which the last
// space goes to the word behind it), English contractions apart. (Radford et al. 2019, section 2.2, says why:
// without it "dog." and "dog!" would become tokens of their own.)

/** `\p{White_Space}`, not `\s`: JavaScript's `\s` has U+FEFF and lacks U+0085, other regex engines not. */
const pattern =
  /'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** The pieces of `text`, in order; joined they are `text`. */
export function* piecesOf(text: string): Generator<string, void, void> {
  for (const [piece] of text.matchAll(pattern)) {
    yield piece;
  }
}
