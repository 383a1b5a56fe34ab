// SPDX-License-Identifier: MIT
// One run in Node and in a worker of headless Chromium, from the built package: prints each one's
// hash of the weights and whether they are equal. The long form of what tests/package checks.
//
//   node scripts/reproduce.mjs FILE [--preset nanogpt-cpu] [--steps 2000] [--seed 1337]
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../tests/package/support/serve.mjs';
import { launchChromium } from './lib/browser.mjs';
import { lib } from './lib/paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    preset: { type: 'string', default: 'nanogpt-cpu' },
    steps: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1337' },
  },
});
const [file] = positionals;
if (!file || !existsSync(file)) {
  console.error('usage: node scripts/reproduce.mjs FILE [--preset NAME] [--steps N] [--seed N]');
  process.exit(2);
}
const options = {
  preset: values.preset,
  steps: Number(values.steps),
  seed: Number(values.seed),
  text: readFileSync(file, 'utf8'),
};

/** Runs in either host; `heed` is the package's module. */
async function trainOnce(heed, { preset, steps, seed, text }) {
  const engine = await heed.createEngine();
  const tokenizer = heed.CharTokenizer.fromText(text);
  const { model, train } = heed.presets[preset];
  const trainer = await engine.createTrainer({
    model: { ...model, vocab: tokenizer.vocab },
    train: { ...train, steps, seed },
    data: { tokens: tokenizer.encode(text) },
  });
  const started = performance.now();
  let loss = NaN;
  for await (const metrics of trainer.run({ every: 100 })) loss = metrics.loss;
  const seconds = (performance.now() - started) / 1000;
  const weightsHash = await trainer.model.weightsHash();
  const { wasmHash, where } = engine.info;
  await engine.dispose();
  return { steps, loss, seconds, weightsHash, wasmHash, where };
}

async function inChromium() {
  const server = await serve(join(lib, 'dist'));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    // Any page of the origin will do, the server's "not found" too.
    await page.goto(`${server.address}blank`);
    return await page.evaluate(
      `import('/index.js').then((heed) => (${trainOnce})(heed, ${JSON.stringify(options)}))`,
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

const node = await trainOnce(
  await import(pathToFileURL(resolve(lib, 'dist', 'node.js')).href),
  options,
);
console.log(JSON.stringify({ host: 'node', ...node }));
const chromium = await inChromium();
console.log(JSON.stringify({ host: 'chromium', ...chromium }));
const equal = node.weightsHash === chromium.weightsHash;
console.log(equal ? 'equal in every bit' : 'DIFFERENT');
process.exit(equal ? 0 : 1);
