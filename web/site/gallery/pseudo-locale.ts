// SPDX-License-Identifier: MIT
// English made longer and strange, to see that every word comes from the catalogue and that longer
// languages fit: accents on the vowels, brackets around, two fifths more text.

const accents: Record<string, string> = { a: 'à', e: 'é', i: 'î', o: 'ö', u: 'û' };

function strange(text: string): string {
  const parts = text.split(/(\{\w+\})/);
  const words = parts.map((part) => part.startsWith('{')
    ? part : part.replace(/[aeiou]/g, (vowel) => accents[vowel]!)).join('');
  const letters = text.replace(/\{\w+\}/g, '').replace(/[^\p{L}]/gu, '').length;
  // Templates of numbers alone stay as they are.
  return letters < 3 ? text : `[${words}${' ~~~'.repeat(Math.ceil(letters / 10))}]`;
}

export function pseudo<T>(catalogue: T): T {
  if (typeof catalogue === 'string') return strange(catalogue) as T;
  return Object.fromEntries(Object.entries(catalogue as object).map(([key, value]) =>
    [key, pseudo(value)])) as T;
}
