// SPDX-License-Identifier: MIT
// A pretended language for tests: every word longer and accented, so that clipped text and words
// that are in no catalogue can be seen.

const accents: Record<string, string> = {
  a: 'á', e: 'é', i: 'î', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', y: 'ý',
  A: 'Á', E: 'É', I: 'Î', O: 'Ö', U: 'Ü', C: 'Ç', N: 'Ñ',
};

const withAccents = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter);

/** `{part|words}`: the words are words, the part is code, as is all of `{part:formula}`. */
const markedWords = /^\{([a-z]*)\|(.*)\}$/;

/** Letters of words, but not of `{symbols}`, which are code. */
function accented(text: string): string {
  const letters = text
    .split(/(\{(?:[^{}]|\{[^{}]*\})*\})/)
    .map((part, index) => {
      if (index % 2 === 0) return withAccents(part);
      const [, name, words] = markedWords.exec(part) ?? [];
      return words === undefined ? part : `{${name}|${withAccents(words)}}`;
    })
    .join('');
  // English grows by about a third in translation.
  const more = Math.ceil(text.length / 3);
  return `${letters}${' ~~~'.repeat(Math.ceil(more / 4)).slice(0, more)}`;
}

/** The catalogue with every string, also those its functions make, in the pretended language. */
export function pseudo<Text>(text: Text): Text {
  if (typeof text === 'string') return accented(text) as Text;
  if (typeof text === 'function') {
    return ((...args: unknown[]) => pseudo((text as (...a: unknown[]) => unknown)(...args))) as Text;
  }
  if (Array.isArray(text)) return text.map((member: unknown) => pseudo(member)) as Text;
  if (typeof text === 'object' && text !== null) {
    const entries = Object.entries(text).map(([key, member]) => [key, pseudo(member)]);
    return Object.fromEntries(entries) as Text;
  }
  return text;
}
