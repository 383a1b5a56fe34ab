// SPDX-License-Identifier: MIT
// Runs heed_bench natively, in Node, and in a worker of headless Chromium.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from './browser.mjs';
import { buildPreset } from './build.mjs';
import { run } from './run.mjs';

const target = { targets: ['heed_bench'] };
const parse = (text) => JSON.parse(text.slice(text.indexOf('{')));
const failed = (where, code, text) => new Error(`heed_bench (${where}): exit code ${code}\n${text}`);

export async function runNative(args) {
  const folder = await buildPreset('release', target);
  const { code, output } = await run(join(folder, 'cpp', 'bench', 'heed_bench'), args);
  if (code !== 0) throw failed('native', code, output);
  return parse(output);
}

const moduleFolder = async () => join(await buildPreset('wasm-simd', target), 'cpp', 'bench');

export async function runInNode(args) {
  const folder = await moduleFolder();
  const { default: createHeedBench } = await import(pathToFileURL(join(folder, 'heed_bench.mjs')).href);
  const lines = [];
  const errors = [];
  const module = await createHeedBench({
    print: (line) => lines.push(line),
    printErr: (line) => errors.push(line),
  });
  const code = module.callMain(args);
  if (code !== 0) throw failed('Node', code, errors.join('\n'));
  return parse(lines.join('\n'));
}

const worker = `
import createHeedBench from './heed_bench.mjs';
const lines = [], errors = [];
onmessage = async ({ data }) => {
  try {
    const module = await createHeedBench({
      print: (line) => lines.push(line),
      printErr: (line) => errors.push(line),
    });
    const code = module.callMain(data);
    postMessage({ code, text: (code === 0 ? lines : errors).join('\\n') });
  } catch (error) {
    postMessage({ code: 1, text: String(error) });
  }
};
postMessage('ready');
`;

/** Serves the module and a worker that runs it, on loopback and with isolation (fine clocks). */
async function serve(folder) {
  const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };
  const made = { '/': '<!doctype html><title>bench</title>', '/worker.js': worker };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const headers = {
      'Content-Type': types[pathname.split('.')[1] ?? 'html'] ?? 'text/plain',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    if (made[pathname]) return response.writeHead(200, headers).end(made[pathname]);
    if (/^\/heed_bench\.(mjs|wasm)$/.test(pathname)) {
      return response.writeHead(200, headers).end(await readFile(join(folder, pathname)));
    }
    return response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export async function runInBrowser(args) {
  const server = await serve(await moduleFolder());
  const browser = await launchChromium({ whole: true });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { code, text } = await page.evaluate(
      (list) =>
        new Promise((resolve, reject) => {
          const thread = new Worker('/worker.js', { type: 'module' });
          thread.onerror = (event) => reject(new Error(event.message));
          thread.onmessage = ({ data }) => (data === 'ready' ? thread.postMessage(list) : resolve(data));
        }),
      args,
    );
    if (code !== 0) throw failed('Chromium', code, text);
    return parse(text);
  } finally {
    await browser.close();
    server.close();
  }
}
