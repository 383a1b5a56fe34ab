// SPDX-License-Identifier: MIT
// The packed package in Node: imported, required, typed, run from the command line.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../../scripts/lib/paths.mjs';
import { must, run } from '../../scripts/lib/run.mjs';
import { makeConsumer, trainThreeSteps } from './support/consumer.mjs';

let consumer;
before(async () => {
  consumer = await makeConsumer();
  consumer.write('three-steps.mjs', trainThreeSteps);
});
after(() => consumer?.remove());

const node = (...args) => must(process.execPath, args, { cwd: consumer.folder, seconds: 60 });

test('the tarball holds what it should and nothing else', () => {
  const { files } = consumer;
  for (const path of [
    'package.json', 'README.md', 'LICENSE', 'CHANGELOG.md',
    'dist/index.js', 'dist/index.d.ts', 'dist/node.js', 'dist/worker.js', 'dist/heed.wasm',
    'dist/worker-node.js', 'dist/cli/main.js',
    'dist/generated/heed.mjs', 'dist/generated/heed.d.mts',
  ]) {
    assert.ok(files.includes(path), `${path} is missing`);
  }
  const strays = files.filter(
    (path) => !/^(dist\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(path),
  );
  assert.deepEqual(strays, []);
});

test('nothing packed names a path of this machine', () => {
  const telling = consumer.files.filter((path) => {
    const content = readFileSync(join(consumer.installed, path), 'latin1');
    return content.includes(root) || content.includes(process.env.HOME ?? '/nowhere');
  });
  assert.deepEqual(telling, []);
});

test('every file that exports and types name is there', () => {
  const manifest = JSON.parse(readFileSync(join(consumer.installed, 'package.json'), 'utf8'));
  const { exports, bin, types, sideEffects } = manifest;
  const named = JSON.stringify([exports, bin, types, sideEffects]).match(/\.\/dist\/[\w./-]+/g);
  assert.ok(named.length > 8);
  for (const path of named) {
    assert.ok(existsSync(join(consumer.installed, path)), `${path} is missing`);
  }
  for (const conditions of Object.values(manifest.exports)) {
    if (typeof conditions === 'object') {
      assert.equal(Object.keys(conditions)[0], 'types', 'types come first');
    }
  }
  assert.equal(manifest.dependencies, undefined);
});

test('three steps, in this thread and in a worker thread, end with the same bits', async () => {
  consumer.write(
    'run.mjs',
    `import * as heed from 'heed';
     import { trainThreeSteps } from './three-steps.mjs';
     for (const where of ['thread', 'worker']) {
       console.log(JSON.stringify(await trainThreeSteps(heed, { where })));
     }`,
  );
  const lines = (await node('run.mjs')).trim().split('\n');
  const [thread, worker] = lines.map((line) => JSON.parse(line));
  assert.equal(thread.where, 'thread');
  assert.equal(worker.where, 'worker');
  assert.equal(thread.losses.length, 3);
  assert.ok(thread.losses.every((loss) => loss > 0 && loss < 4));
  assert.deepEqual(worker.losses, thread.losses);
  assert.equal(worker.weightsHash, thread.weightsHash);
});

test('K05 R031: importing does nothing, not even load the core', async () => {
  consumer.write(
    'import.mjs',
    `const before = Object.keys(globalThis).length;
     const { performance } = globalThis;
     const compile = WebAssembly.compile;
     WebAssembly.compile = () => { throw new Error('compiled on import'); };
     const heed = await import('heed');
     WebAssembly.compile = compile;
     console.log(Object.keys(globalThis).length - before, typeof heed.createEngine);`,
  );
  assert.equal((await node('import.mjs')).trim(), '0 function');
});

test('a process whose engines are idle ends by itself, in either place', async () => {
  consumer.write(
    'idle.mjs',
    `import { createEngine } from 'heed';
     for (const where of ['thread', 'worker']) {
       const engine = await createEngine({ where });
       await engine.createModel({ vocab: 5 });
     }
     console.log('idle');`,
  );
  assert.equal((await node('idle.mjs')).trim(), 'idle');
});

test('K05 R028: require() of the ES module works where Node has it', async (t) => {
  if (!process.features.require_module) {
    t.skip(`Node ${process.version} has no require(esm)`);
    return;
  }
  consumer.write(
    'required.cjs',
    `const heed = require('heed');
     import('./three-steps.mjs')
       .then(({ trainThreeSteps }) => trainThreeSteps(heed))
       .then(({ losses }) => console.log(losses.length));`,
  );
  assert.equal((await node('--no-warnings', 'required.cjs')).trim(), '3');
});

test('the command is installed and trains', async () => {
  consumer.write('text.txt', 'to be or not to be\n'.repeat(50));
  const heed = join(consumer.folder, 'node_modules', '.bin', 'heed');
  const args = ['train', 'text.txt', '--preset', 'toy', '--steps', '3', '--json'];
  const output = await must(heed, args, { cwd: consumer.folder, seconds: 60 });
  const last = JSON.parse(output.trim().split('\n').at(-1));
  assert.equal(last.event, 'done');
  assert.equal(last.steps, 3);
});

test('the types hold for both ways TypeScript resolves packages, all checked', async () => {
  consumer.write(
    'typed.ts',
    `import { createEngine, CharTokenizer, HeedError, presets, type StepMetrics } from 'heed';
     const tokenizer = CharTokenizer.fromText('abc');
     const engine = await createEngine({ where: 'worker', memoryLimit: 2 ** 30 });
     using trainer = await engine.createTrainer({
       model: { ...presets['nanogpt-cpu'].model, vocab: tokenizer.vocab, norm: 'rms' },
       data: { tokens: tokenizer.encode('abc') },
     });
     for await (const metrics of trainer.run({ every: 10 })) {
       const known: StepMetrics = metrics;
       console.log(known.loss);
     }
     try {
       // @ts-expect-error: an option that there is not
       await engine.createModel({ vocab: 3, colour: 1 });
       // @ts-expect-error: a name that there is not
       await engine.createModel({ vocab: 3, norm: 'batch' });
     } catch (error) {
       if (error instanceof HeedError && error.code === 'invalid-argument') {
         const code: 'invalid-argument' = error.code;
         console.log(code);
       }
     }`,
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module,
      moduleResolution: resolution,
    };
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const args = [tsc, '-p', 'tsconfig.json'];
    const options = { cwd: consumer.folder, seconds: 120 };
    const { code, output } = await run(process.execPath, args, options);
    assert.equal(code, 0, `${resolution}:\n${output}`);
  }
});
