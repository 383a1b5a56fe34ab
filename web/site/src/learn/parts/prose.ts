// SPDX-License-Identifier: MIT
// Cuts a sentence of a catalogue into text, formulas and words that light up.

export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'formula' | 'word'; part: string; text: string };

/** `{part:formula}` or `{part|words}`; formulas may hold braces one level deep. */
const mark = /\{([a-z]*)([:|])((?:[^{}]|\{[^{}]*\})*)\}/g;

export function pieces(sentence: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of sentence.matchAll(mark)) {
    if (match.index > end) found.push({ kind: 'text', text: sentence.slice(end, match.index) });
    const kind = match[2] === ':' ? 'formula' : 'word';
    found.push({ kind, part: match[1]!, text: match[3]! });
    end = match.index + match[0].length;
  }
  if (end < sentence.length) found.push({ kind: 'text', text: sentence.slice(end) });
  return found;
}
