// SPDX-License-Identifier: MIT
// The packed package in pages: bundled by Vite and by esbuild, and not bundled at all.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { findChromium, launchChromium } from '../../scripts/lib/browser.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { must } from '../../scripts/lib/run.mjs';
import { makeConsumer, trainThreeSteps } from './support/consumer.mjs';
import { serve } from './support/serve.mjs';

/** The strictest policy that WebAssembly can run under; no page below needs more. */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
  "connect-src 'self'; img-src data:";

const page =
  '<!doctype html><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">';
const main = (where) => `
  import * as heed from 'heed';
  import { trainThreeSteps } from './three-steps.mjs';
  trainThreeSteps(heed, ${JSON.stringify(where ? { where } : {})}).then(
    (result) => { globalThis.result = result; },
    (error) => { globalThis.result = { failed: String(error && error.stack || error) }; },
  );`;

const skip = skipReason();
let consumer;
let browser;
let expected;

before(async () => {
  consumer = await makeConsumer();
  consumer.write('three-steps.mjs', trainThreeSteps);
  consumer.write(
    'node.mjs',
    `import * as heed from 'heed';
     import { trainThreeSteps } from './three-steps.mjs';
     console.log(JSON.stringify(await trainThreeSteps(heed)));`,
  );
  const output = await must(process.execPath, ['node.mjs'], { cwd: consumer.folder, seconds: 60 });
  expected = JSON.parse(output);
  if (!skip) browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  consumer?.remove();
});

function skipReason() {
  if (findChromium() !== undefined) return false;
  if (process.env.CI) throw new Error('No Chromium found, and CI has to have one: scripts/setup.');
  return 'no Chromium found (set HEED_CHROMIUM, or run scripts/setup)';
}

/** Opens a page and returns what it computed; nothing may be reported on the way. */
async function resultOf(address) {
  const context = await browser.newContext();
  try {
    const tab = await context.newPage();
    const reports = [];
    tab.on('pageerror', (error) => reports.push(`page error: ${error}`));
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) reports.push(message.text());
    });
    await tab.goto(address);
    await tab.waitForFunction(() => globalThis.result !== undefined);
    const result = await tab.evaluate(() => globalThis.result);
    assert.equal(result.failed, undefined);
    assert.deepEqual(reports, []);
    return result;
  } finally {
    await context.close();
  }
}

function checkResult(result, where) {
  assert.equal(result.where, where);
  assert.deepEqual(result.losses, expected.losses);
  assert.equal(result.weightsHash, expected.weightsHash, 'page and Node compute the same bits');
}

async function serving(folder, options, use) {
  const server = await serve(folder, options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Vite of the workspace, on the consumer's folder. */
const vite = () => import(createRequire(join(root, 'web/site/package.json')).resolve('vite'));

function writeViteProject(name, where) {
  consumer.write(`${name}/index.html`, `${page}<script type="module" src="./main.mjs"></script>`);
  consumer.write(`${name}/main.mjs`, main(where));
  consumer.write(`${name}/three-steps.mjs`, trainThreeSteps);
  return join(consumer.folder, name);
}

for (const where of ['worker', 'thread']) {
  test(`K05 R023, K06 R033: a Vite build, ${where}, under a strict policy`, { skip }, async () => {
    const folder = writeViteProject(`vite-${where}`, where === 'worker' ? undefined : where);
    const { build } = await vite();
    await build({ root: folder, base: './', configFile: false, logLevel: 'error' });
    const dist = join(folder, 'dist');
    const files = readdirSync(dist, { recursive: true });
    assert.equal(files.filter((file) => file.endsWith('.wasm')).length, 1, 'one .wasm is emitted');
    await serving(dist, { headers: { 'content-security-policy': policy } }, async (server) => {
      checkResult(await resultOf(server.address), where);
      assert.ok(server.requests.some((path) => path.endsWith('.wasm')));
    });
  });
}

test('K05 R023: the Vite development server, with the one documented line', { skip }, async () => {
  const folder = writeViteProject('vite-dev');
  const { createServer } = await vite();
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(folder, '.cache'),
    optimizeDeps: { exclude: ['heed'] },
    server: { host: '127.0.0.1', port: 0, fs: { allow: [consumer.folder] } },
  });
  try {
    await server.listen();
    checkResult(await resultOf(server.resolvedUrls.local[0]), 'worker');
  } finally {
    await server.close();
  }
});

test('K05 R027: a bundle of esbuild with the two files copied beside it', { skip }, async () => {
  const folder = join(consumer.folder, 'esbuild');
  consumer.write('esbuild/index.html', `${page}<script type="module" src="./main.js"></script>`);
  consumer.write('esbuild-main.mjs', main());
  const esbuild = createRequire(join(root, 'web/lib/package.json'))('esbuild');
  const { warnings } = await esbuild.build({
    entryPoints: [join(consumer.folder, 'esbuild-main.mjs')],
    outfile: join(folder, 'main.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  assert.deepEqual(warnings, []);
  for (const file of ['worker.js', 'heed.wasm']) {
    cpSync(join(consumer.installed, 'dist', file), join(folder, file));
  }
  await serving(folder, { headers: { 'content-security-policy': policy } }, async (server) => {
    checkResult(await resultOf(server.address), 'worker');
  });
});

test('K06 R034: a plain script, from a server that does not know .wasm', { skip }, async () => {
  consumer.write('plain.html', `${page}<script type="module" src="./plain.mjs"></script>`);
  consumer.write('plain.mjs', main().replace("'heed'", "'./node_modules/heed/dist/index.js'"));
  await serving(consumer.folder, { wasmType: 'application/octet-stream' }, async (server) => {
    checkResult(await resultOf(`${server.address}plain.html`), 'worker');
  });
});

test('K06 R034: a missing .wasm is one typed error in the page', { skip }, async () => {
  consumer.write('missing.html', `${page}<script type="module" src="./missing.mjs"></script>`);
  consumer.write(
    'missing.mjs',
    `import { createEngine } from './node_modules/heed/dist/index.js';
     createEngine({ wasmUrl: './gone/heed.wasm' }).then(
       () => { globalThis.result = { code: 'none' }; },
       ({ code, message }) => { globalThis.result = { code, message }; });`,
  );
  await serving(consumer.folder, {}, async (server) => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(`${server.address}missing.html`);
    await tab.waitForFunction(() => globalThis.result !== undefined);
    const { code, message } = await tab.evaluate(() => globalThis.result);
    await context.close();
    assert.equal(code, 'load-failed');
    for (const word of [`${server.address}gone/heed.wasm`, 'status 404', 'text/html', '18 bytes']) {
      assert.ok(message.includes(word), `${word} in: ${message}`);
    }
  });
});

test('K07 R038: a page of another origin gets a typed error, and a way', { skip }, async () => {
  consumer.write('other/index.html', `${page}<script type="module" src="./main.mjs"></script>`);
  const cors = { 'access-control-allow-origin': '*' };
  await serving(consumer.folder, { headers: cors }, async (cdn) => {
    consumer.write(
      'other/main.mjs',
      `import * as heed from '${cdn.address}node_modules/heed/dist/index.js';
       import { trainThreeSteps } from '${cdn.address}three-steps.mjs';
       const refused = await heed.createEngine().then(() => 'none', ({ code }) => code);
       const result = await trainThreeSteps(heed, { where: 'thread' });
       globalThis.result = { ...result, refused };`,
    );
    await serving(join(consumer.folder, 'other'), {}, async (server) => {
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(server.address);
      await tab.waitForFunction(() => globalThis.result !== undefined);
      const result = await tab.evaluate(() => globalThis.result);
      await context.close();
      assert.equal(result.refused, 'load-failed');
      checkResult(result, 'thread');
    });
  });
});

test('the size of what a page downloads is stated', () => {
  const size = (file) => readFileSync(join(consumer.installed, 'dist', file)).length;
  // Raw bytes of the worker's half; the budget leaves room for what later issues add.
  const total = size('worker.js') + size('heed.wasm');
  console.log(`worker.js ${size('worker.js')}, heed.wasm ${size('heed.wasm')} bytes`);
  assert.ok(total < 1_000_000, `${total} bytes`);
});
