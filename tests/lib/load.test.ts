// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEngine } from 'heed';

import { createEngineIn } from '../../web/lib/dist/create-engine.js';
import type { Environment, FetchedFile } from '../../web/lib/dist/env.js';
import { fetchFile } from '../../web/lib/dist/fetch-file.js';
import { knownAnswers, verifyAnswers } from '../../web/lib/dist/self-test.js';
import { digest, sha256 } from '../../web/lib/dist/sha256.js';
import { failure } from './support.js';

const wasm = new Uint8Array(readFileSync(new URL('../../web/lib/dist/heed.wasm', import.meta.url)));

/** A server that answers every request with `file`. */
function serving(file: Partial<FetchedFile> | Error): Environment {
  return {
    defaultWhere: 'thread',
    baseUrl: () => 'https://example.test/page/',
    async fetchFile() {
      if (file instanceof Error) {
        throw file;
      }
      return { bytes: wasm, status: 200, contentType: 'application/wasm', ...file };
    },
    startWorker() {
      throw new Error('not in this test');
    },
  };
}

const load = (file: Partial<FetchedFile> | Error) =>
  createEngineIn(serving(file), { wasmUrl: 'lib/heed.wasm' });

afterEach(() => vi.unstubAllGlobals());

describe('K06 R034: the file is judged by its bytes', () => {
  test('a wrong content type works', async () => {
    const engine = await load({ contentType: 'application/octet-stream' });
    expect(engine.info.wasmHash).toBe(createHash('sha256').update(wasm).digest('hex'));
    engine.dispose();
  });

  test('a page that says 404 is one error naming URL, status, type and bytes', async () => {
    const bytes = new TextEncoder().encode('<html>Not found</html>');
    await failure(
      () => load({ bytes, status: 404, contentType: 'text/html' }),
      'load-failed',
      'https://example.test/page/lib/heed.wasm',
      'status 404',
      'type text/html',
      '22 bytes',
      'wasmUrl',
    );
  });

  test('a page with status 200 is not taken for WebAssembly', async () => {
    const bytes = new TextEncoder().encode('<!doctype html>');
    await failure(
      () => load({ bytes, contentType: 'text/html' }),
      'load-failed',
      'not a WebAssembly file',
      '15 bytes',
    );
    await failure(() => load({ bytes: new Uint8Array(0) }), 'load-failed', '0 bytes');
  });

  test('a file cut short at any place is refused before it is compiled', async () => {
    for (const length of [1, 4, 8, 1000, wasm.length - 1]) {
      const bytes = wasm.slice(0, length);
      await failure(() => load({ bytes }), 'load-failed', `${length} bytes`);
    }
  });

  test('a damaged or stale file of the right length is refused', async () => {
    const bytes = wasm.slice();
    bytes[bytes.length >> 1]! ^= 1;
    await failure(() => load({ bytes }), 'load-failed', 'SHA-256');
  });

  test('a network that fails is an error with the reason', async () => {
    await failure(() => load(new TypeError('fetch failed')), 'load-failed', 'fetch failed');
  });
});

test('the binary can be given as bytes or by URL', async () => {
  const fromBytes = await createEngine({ wasmBinary: wasm });
  const padded = new Uint8Array(wasm.length + 7);
  padded.set(wasm, 5);
  const fromView = await createEngine({ wasmBinary: padded.subarray(5, 5 + wasm.length) });
  const url = new URL('../../web/lib/dist/heed.wasm', import.meta.url);
  const fromUrl = await createEngine({ wasmUrl: url });
  expect(fromView.info.wasmHash).toBe(fromBytes.info.wasmHash);
  expect(fromUrl.info.wasmHash).toBe(fromBytes.info.wasmHash);
  for (const engine of [fromBytes, fromView, fromUrl]) {
    engine.dispose();
  }
  const missing = new URL('./missing.wasm', import.meta.url);
  await failure(() => createEngine({ wasmUrl: missing }), 'load-failed', 'missing.wasm');
  await failure(() => createEngine({ wasmUrl: 'http://[' }), 'invalid-argument', 'wasmUrl');
});

test('K08 R044: without SIMD nothing is downloaded and the versions are named', async () => {
  const validate = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  const environment = serving({});
  const fetchFile = vi.spyOn(environment, 'fetchFile');
  await failure(
    () => createEngineIn(environment, {}),
    'unsupported',
    'Chrome or Edge 91',
    'Firefox 114',
    'Safari 17',
  );
  expect(fetchFile).not.toHaveBeenCalled();
  validate.mockRestore();
});

describe('K08 R045: the start-up test', () => {
  const right = () => Float32Array.from(knownAnswers());

  test('takes right answers, within the rounding of floats', () => {
    expect(() => verifyAnswers(right(), knownAnswers())).not.toThrow();
    const near = right().map((value) => value * (1 + 1e-6));
    expect(() => verifyAnswers(near, knownAnswers())).not.toThrow();
  });

  test('refuses a wrong value at any place, a NaN and a missing one', async () => {
    for (let i = 0; i < knownAnswers().length; ++i) {
      for (const wrong of [right()[i]! + 1e-3, Number.NaN, Infinity]) {
        const answers = right();
        answers[i] = wrong;
        await failure(() => verifyAnswers(answers, knownAnswers()), 'unsupported', `value ${i} `);
      }
    }
    await failure(() => verifyAnswers(right().slice(1), knownAnswers()), 'unsupported');
  });
});

describe('K03 R012: memory maxima are tried downwards', () => {
  const refuseAbove = (limit: number) => {
    const Memory = WebAssembly.Memory;
    const Picky = function (descriptor: WebAssembly.MemoryDescriptor) {
      if ((descriptor.maximum ?? 0) * 65_536 > limit) {
        throw new RangeError('could not allocate memory');
      }
      return new Memory(descriptor);
    };
    vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Memory: { value: Picky } }));
  };

  test('a system that takes at most 1 GiB gets 1 GiB, and info says so', async () => {
    refuseAbove(2 ** 30);
    const engine = await load({});
    expect(engine.info.memoryLimit).toBe(2 ** 30);
    engine.dispose();
  });

  test('a system that takes nothing gets a typed error', async () => {
    refuseAbove(0);
    await failure(() => load({}), 'out-of-memory', 'WebAssembly memory');
  });

  test('a limit is kept, and one out of range refused', async () => {
    const engine = await createEngine({ memoryLimit: 100 * 2 ** 20 });
    expect(engine.info.memoryLimit).toBe(100 * 2 ** 20);
    engine.dispose();
    await failure(() => createEngine({ memoryLimit: 1 }), 'invalid-argument', 'memoryLimit');
    await failure(() => createEngine({ memoryLimit: 2 ** 33 }), 'invalid-argument', 'memoryLimit');
  });
});

describe('SHA-256', () => {
  test('agrees with Node for every padding, with and without the runtime', async () => {
    for (let length = 0; length < 200; ++length) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff);
      const expected = createHash('sha256').update(bytes).digest('hex');
      expect(digest(bytes)).toBe(expected);
      expect(await sha256(bytes)).toBe(expected);
    }
    const shifted = new Uint8Array(100).fill(7).subarray(3, 90);
    expect(digest(shifted)).toBe(createHash('sha256').update(shifted).digest('hex'));
    expect(await sha256(shifted)).toBe(digest(shifted));
  });

  test('a page without crypto.subtle loads all the same', async () => {
    vi.stubGlobal('crypto', {});
    const engine = await load({});
    expect(engine.info.wasmHash).toBe(digest(wasm));
    engine.dispose();
  });
});

describe('a module that was compiled while it arrived', () => {
  test('is used', async () => {
    const compile = vi.spyOn(WebAssembly, 'compile');
    const engine = await load({ compiled: WebAssembly.compile(wasm) });
    expect(compile).toHaveBeenCalledTimes(1);
    engine.dispose();
    compile.mockRestore();
  });

  test('and failed is compiled from its bytes', async () => {
    const engine = await load({ compiled: Promise.reject(new TypeError('wrong type')) });
    engine.dispose();
  });

  test('does not count when the bytes are others', async () => {
    const bytes = wasm.slice();
    bytes[bytes.length >> 1]! ^= 1;
    const compiled = WebAssembly.compile(wasm);
    await failure(() => load({ bytes, compiled }), 'load-failed', 'SHA-256');
  });

  test('only of the right type and status', async () => {
    const streaming = vi.spyOn(WebAssembly, 'compileStreaming');
    const served = async (status: number, type: string) => {
      streaming.mockClear();
      vi.stubGlobal('fetch', async () => new Response(wasm, { status, headers: { 'content-type': type } }));
      const file = await fetchFile(new URL('https://example.test/heed.wasm'));
      expect(digest(file.bytes)).toBe(digest(wasm));
      expect(file.compiled !== undefined).toBe(streaming.mock.calls.length === 1);
      await file.compiled;
      return file.compiled !== undefined;
    };
    expect(await served(200, 'application/wasm')).toBe(true);
    expect(await served(200, 'application/octet-stream')).toBe(false);
    expect(await served(404, 'application/wasm')).toBe(false);
    streaming.mockRestore();
  });
});

describe('what is shipped', () => {
  /** The matches of `pattern` in built files, with where they are; short, for a failure's sake. */
  const found = (pattern: RegExp, ...files: string[]) =>
    files.flatMap((file) => {
      const url = new URL(`../../web/lib/dist/${file}`, import.meta.url);
      const code = readFileSync(url, 'utf8');
      return [...code.matchAll(pattern)].map(
        (match) => `${file}: ${code.slice(match.index, match.index + 60)}`,
      );
    });

  test('K06 R033: nothing makes code from strings', () => {
    const files = ['generated/heed.mjs', 'worker.js', 'load.js', 'core.js'];
    expect(found(/\beval\(|new Function\b/g, ...files)).toEqual([]);
  });

  test('K05 R026: what a page loads names no module of Node', () => {
    const files = ['generated/heed.mjs', 'worker.js', 'index.js', 'env-web.js', 'local-backend.js'];
    const modules = /(from|import\(?|require\()\s*["'](node:|fs|path|worker_threads|module)/g;
    expect(found(modules, ...files)).toEqual([]);
    expect(found(/\brequire\(/g, ...files)).toEqual([]);
  });

  test('K05 R024: the worker starts no worker and imports nothing at run time', () => {
    expect(found(/new Worker\b|\bimport\(|\bfrom\s*["']|^import\b/gm, 'worker.js')).toEqual([]);
  });

  test('K05 R027: the .wasm is named once in each half, as a literal with a leading ./', () => {
    const url = /new URL\([^)]*\)/g;
    expect(found(url, 'generated/heed.mjs')).toEqual([]);
    const wasmUrl = /new URL\(["']\.\/heed\.wasm["'],\s*import\.meta\.url\)/g;
    expect(found(wasmUrl, 'worker.js').length).toBe(1);
    expect(found(wasmUrl, 'load.js').length).toBe(1);
    const worker = /new Worker\(new URL\('\.\/worker\.js', import\.meta\.url\), \{ type/g;
    expect(found(worker, 'env-web.js').length).toBe(1);
  });
});
