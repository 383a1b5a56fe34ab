// SPDX-License-Identifier: MIT
// heed sample: continues a prompt with a saved run.

import { createEngine } from '../node.js';
import { HeedError } from '../errors.js';
import { tokenizerFromMetadata } from '../tokenizers/restore.js';
import { loadRun } from './run-folder.js';
import { onlyPositional, parse, realNumber, text, wholeNumber } from './usage.js';

export const sampleUsage =
  'heed sample DIR [--prompt TEXT] [--tokens N] [--seed N] [--temperature X] [--top-k N]\n' +
  '              [--top-p X]';

export async function sample(args: string[]): Promise<number> {
  const { positionals, values } = parse(args, {
    prompt: { type: 'string' },
    tokens: { type: 'string' },
    seed: { type: 'string' },
    temperature: { type: 'string' },
    'top-k': { type: 'string' },
    'top-p': { type: 'string' },
  });
  const folder = onlyPositional(positionals, 'DIR');
  const tokens = wholeNumber(values, 'tokens', 0) ?? 200;
  const seed = wholeNumber(values, 'seed', 0) ?? 1337;
  const temperature = realNumber(values, 'temperature') ?? 1;
  const topK = wholeNumber(values, 'top-k', 0) ?? 0;
  const topP = realNumber(values, 'top-p') ?? 1;

  const engine = await createEngine();
  try {
    const { model, metadata } = await engine.loadModel(loadRun(folder));
    const tokenizer = tokenizerFromMetadata(metadata);
    if (tokenizer === null) {
      throw new HeedError(
        'bad-data',
        `The run in ${folder} was saved without its tokenizer. Save it with "heed train --out".`,
      );
    }
    // Without a prompt a line break starts the text, as if one had just ended.
    const prompt = text(values, 'prompt') ?? '';
    const start = prompt === '' ? startOf(tokenizer) : tokenizer.encode(prompt);
    const stream = tokenizer.stream();
    process.stdout.write(prompt);
    const options = { prompt: start, tokens, seed, temperature, topK, topP };
    for await (const token of model.generate(options)) {
      process.stdout.write(stream.push(token));
    }
    process.stdout.write(`${stream.end()}\n`);
    return 0;
  } finally {
    engine.dispose();
  }
}

function startOf(tokenizer: { encode(text: string): Int32Array }): ArrayLike<number> {
  try {
    return tokenizer.encode('\n');
  } catch {
    // A vocabulary without line breaks starts with its first character.
    return [0];
  }
}
