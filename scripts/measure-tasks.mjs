// SPDX-License-Identifier: MIT
// How long each task's preset takes until 99 % of the held-out examples are exactly right, in a worker
// of headless Chromium or in Node, from the built package. Prints a JSON line a run.
//
//   node scripts/measure-tasks.mjs [--task NAME] [--seeds 1,2,3] [--seconds 60] [--host chromium]
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../tests/package/support/serve.mjs';
import { launchChromium } from './lib/browser.mjs';
import { lib } from './lib/paths.mjs';

const { values } = parseArgs({
  options: {
    task: { type: 'string' },
    seeds: { type: 'string', default: '1,2,3' },
    seconds: { type: 'string' },
    host: { type: 'string', default: 'chromium' },
    // JSON that is laid over the preset's model and training, to look for better ones.
    model: { type: 'string', default: '{}' },
    train: { type: 'string', default: '{}' },
  },
});

/** The tasks that may take five minutes; the others have one. */
const long = new Set(['addition', 'modularAddition']);

/** Known to be hard for attention: its figure is stated, and no failure. */
const hard = new Set(['parity']);

/** Runs in either host; `heed` is the package's module. */
async function solve(heed, { task, seed, seconds, model, train }) {
  const engine = await heed.createEngine();
  const preset = heed.taskPresets[task];
  const { vocab, context } = heed.describeTask(preset.data);
  const trainer = await engine.createTrainer({
    model: { ...preset.model, vocab, context, ...model },
    train: { ...preset.train, seed, ...train },
    data: preset.data,
  });
  const start = performance.now();
  const passed = () => (performance.now() - start) / 1000;
  let evaluation = await trainer.evaluate();
  while (evaluation.exact < 0.99 && trainer.step < trainer.config.steps && passed() < seconds) {
    for await (const _ of trainer.run({ steps: 100, every: 100 }));
    evaluation = await trainer.evaluate();
  }
  const result = {
    task,
    seed,
    seconds: Number(passed().toFixed(1)),
    steps: trainer.step,
    exact: evaluation.exact,
    accuracy: evaluation.accuracy,
    parameters: trainer.model.parameters,
  };
  await engine.dispose();
  return result;
}

/** A way to run `solve` in the host, and to leave it. */
async function hostOf(name) {
  if (name === 'node') {
    const heed = await import(pathToFileURL(resolve(lib, 'dist', 'node.js')).href);
    return { run: (options) => solve(heed, options), close: () => {} };
  }
  const server = await serve(join(lib, 'dist'));
  const browser = await launchChromium({ whole: true });
  const page = await browser.newPage();
  // Any page of the origin will do, the server's "not found" too.
  await page.goto(`${server.address}blank`);
  return {
    run: (options) =>
      page.evaluate(
        `import('/index.js').then((heed) => (${solve})(heed, ${JSON.stringify(options)}))`,
      ),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

const { taskPresets } = await import(pathToFileURL(resolve(lib, 'dist', 'node.js')).href);
const tasks = values.task?.split(',') ?? Object.keys(taskPresets);
const host = await hostOf(values.host);
let solved = true;
try {
  for (const task of tasks) {
    for (const seed of values.seeds.split(',').map(Number)) {
      const seconds = Number(values.seconds ?? (long.has(task) ? 300 : 60));
      const model = JSON.parse(values.model);
      const train = JSON.parse(values.train);
      const result = await host.run({ task, seed, seconds, model, train });
      solved &&= result.exact >= 0.99 || hard.has(task);
      console.log(JSON.stringify(result));
    }
  }
} finally {
  await host.close();
}
process.exitCode = solved ? 0 : 1;
