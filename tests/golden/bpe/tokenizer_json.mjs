// SPDX-License-Identifier: MIT
// Prints the tokenizer.json that Heed makes of a text.
//
//   node tokenizer_json.mjs FILE VOCAB
import { readFile } from 'node:fs/promises';
import { BpeTokenizer } from '../../../web/lib/dist/node.js';

const [, , file, vocab] = process.argv;
const tokenizer = await BpeTokenizer.train(await readFile(file, 'utf8'), { vocab: Number(vocab) });
process.stdout.write(JSON.stringify(tokenizer.toTokenizerJSON()));
