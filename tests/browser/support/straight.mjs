// SPDX-License-Identifier: MIT
// The run of the settings `tiny`, made by the package in Node: what the page has to show.

import { readFile } from 'node:fs/promises';
import { CharTokenizer, createEngine } from '../../../web/lib/dist/node.js';

const textFile = new URL('../../../web/site/generated/texts/sonnets.txt', import.meta.url);

// The page's choices for what its form leaves out, written a second time on purpose.
const model = {
  layers: 1, heads: 2, kvHeads: 2, width: 32, headWidth: 16, ffn: 64, context: 32,
  position: 'rope', norm: 'layer', normPosition: 'pre', activation: 'geluErf', bias: false,
  tied: true, dropout: 0,
};
const train = {
  steps: 100000, batch: 4, accumulation: 1, seed: 1337, optimizer: 'adamw', schedule: 'cosine',
  learningRate: 0.004, minLearningRate: 0.0004, warmup: 50, beta1: 0.9, beta2: 0.99,
  epsilon: 1e-8, weightDecay: 0.1, clip: 1, valFraction: 0.1,
};

/** An engine with a fresh trainer; disposing the engine disposes it too. */
export async function straightRun() {
  const engine = await createEngine();
  const text = await readFile(textFile, 'utf8');
  const tokenizer = CharTokenizer.fromText(text);
  const trainer = await engine.createTrainer({
    model: { vocab: tokenizer.vocab, ...model }, train, data: { tokens: tokenizer.encode(text) },
  });
  return { engine, tokenizer, trainer };
}

/** Metrics of step `step` of the straight run. */
export async function straightStep(step) {
  const { engine, trainer } = await straightRun();
  let last;
  for await (const metrics of trainer.run({ steps: step, every: step })) last = metrics;
  engine.dispose();
  return last;
}
