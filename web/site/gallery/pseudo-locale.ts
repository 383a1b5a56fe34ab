// SPDX-License-Identifier: MIT
// English made longer and strange, to see that every word comes from the catalogue and that longer
// languages fit: accents on the vowels, brackets around, two fifths more text.

const accents: Record<string, string> = { a: 'à', e: 'é', i: 'î', o: 'ö', u: 'û' };

function strange(text: string): string {
  const parts = text.split(/(\{\w+\})/);
  const words = parts.map((part) => part.startsWith('{')
    ? part : part.replace(/[aeiou]/g, (vowel) => accents[vowel]!)).join('');
  return `[${words}${'~'.repeat(Math.ceil(text.replace(/\{\w+\}/g, '').length * 0.4))}]`;
}

export function pseudo<T>(catalogue: T): T {
  if (typeof catalogue === 'string') return strange(catalogue) as T;
  return Object.fromEntries(Object.entries(catalogue as object).map(([key, value]) =>
    [key, pseudo(value)])) as T;
}
