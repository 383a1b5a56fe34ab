// SPDX-License-Identifier: MIT
// Finds heed.wasm, makes sure it is the one this script was built with, compiles it and starts it.

import type { FetchFile } from './env.js';
import { HeedError } from './errors.js';
import { buildInfo } from './generated/build-info.js';
import createHeedModule, { type HeedModule } from './generated/heed.mjs';
import type { StartOptions } from './protocol.js';
import { sha256 } from './sha256.js';

export interface LoadedModule {
  module: HeedModule;
  memory: WebAssembly.Memory;
  /** Bytes the memory may grow to. */
  memoryLimit: number;
  wasmHash: string;
}

const pageBytes = 65_536;
const largestLimit = 4 * 2 ** 30;
const smallestLimit = 32 * 2 ** 20;

export async function loadModule(
  fetchFile: FetchFile,
  options: StartOptions,
): Promise<LoadedModule> {
  const limit = checkLimit(options.memoryLimit);
  const { bytes, source, compiled: arriving } = await findBytes(fetchFile, options);
  checkStart(bytes, source);
  // At the same time: hashing and compiling take about as long as each other.
  const compiling = compile(bytes, source, arriving);
  compiling.catch(() => undefined);
  const wasmHash = await checkHash(bytes, source);
  const compiled = await compiling;
  const { memory, memoryLimit } = makeMemory(limit);
  let fail!: (reason: unknown) => void;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const started = createHeedModule({
    wasmMemory: memory,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(compiled, imports).then(done, fail);
      return {};
    },
  });
  try {
    return { module: await Promise.race([started, failure]), memory, memoryLimit, wasmHash };
  } catch (cause) {
    throw loadError(source, `could not be started (${messageOf(cause)})`, cause);
  }
}

interface Found {
  bytes: Uint8Array<ArrayBuffer>;
  /** For messages: where the bytes are from, with status, type and length. */
  source: string;
  compiled?: Promise<WebAssembly.Module> | undefined;
}

async function findBytes(
  fetchFile: FetchFile,
  { wasmBinary, wasmUrl }: StartOptions,
): Promise<Found> {
  if (wasmBinary !== undefined) {
    return {
      bytes: wasmBinary as Uint8Array<ArrayBuffer>,
      source: `wasmBinary (${wasmBinary.length} bytes)`,
    };
  }
  // Bundlers find the file by this very form, so it stays a literal.
  const url = wasmUrl === undefined ? new URL('./heed.wasm', import.meta.url) : new URL(wasmUrl);
  let file;
  try {
    file = await fetchFile(url);
  } catch (cause) {
    throw loadError(url.href, `could not be read (${messageOf(cause)})`, cause);
  }
  const { bytes, status, contentType, compiled } = file;
  const source =
    `${url.href} (status ${status}, type ${contentType === '' ? 'unknown' : contentType}, ` +
    `${bytes.length} bytes)`;
  if (status < 200 || status > 299) {
    throw loadError(source, 'was refused by the server');
  }
  return { bytes, source, compiled };
}

/**
 * The content type is not looked at: the bytes decide, so a server that calls them
 * application/octet-stream works.
 */
function checkStart(bytes: Uint8Array, source: string): void {
  const magic = [0x00, 0x61, 0x73, 0x6d];
  if (!magic.every((byte, i) => bytes[i] === byte)) {
    throw loadError(source, 'is not a WebAssembly file; perhaps a page that says "not found"');
  }
  if (bytes.length !== buildInfo.wasmBytes) {
    throw loadError(source, `is cut short or of another version (${buildInfo.wasmBytes} expected)`);
  }
}

/** Returns the SHA-256. */
async function checkHash(bytes: Uint8Array<ArrayBuffer>, source: string): Promise<string> {
  const hash = await sha256(bytes);
  if (hash !== buildInfo.wasmHash) {
    throw loadError(source, 'is damaged or of another version: its SHA-256 differs');
  }
  return hash;
}

async function compile(
  bytes: Uint8Array<ArrayBuffer>,
  source: string,
  arriving?: Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
  const arrived = await arriving?.catch(() => undefined);
  if (arrived !== undefined) {
    return arrived;
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new HeedError(
      'unsupported',
      `This runtime cannot compile ${source}: ${messageOf(cause)}. If it has a ` +
        "Content-Security-Policy, allow 'wasm-unsafe-eval'; otherwise update the browser.",
      { cause },
    );
  }
}

function checkLimit(limit: number | undefined): number {
  if (limit === undefined) {
    return largestLimit;
  }
  if (limit < smallestLimit || limit > largestLimit) {
    throw new HeedError(
      'invalid-argument',
      `engine options: memoryLimit is ${limit}; it must be from ${smallestLimit} (32 MiB) to ` +
        `${largestLimit} (4 GiB). Leave it out for the largest.`,
    );
  }
  return limit;
}

/** Some systems refuse a large maximum although a smaller one works: halve until one is taken. */
function makeMemory(limit: number): { memory: WebAssembly.Memory; memoryLimit: number } {
  const initial = buildInfo.initialMemory / pageBytes;
  let cause: unknown;
  for (let bytes = limit; bytes >= smallestLimit; bytes /= 2) {
    const maximum = Math.floor(bytes / pageBytes);
    try {
      const memory = new WebAssembly.Memory({ initial, maximum });
      return { memory, memoryLimit: maximum * pageBytes };
    } catch (error) {
      cause = error;
    }
  }
  throw new HeedError(
    'out-of-memory',
    `Not even ${smallestLimit} bytes of WebAssembly memory can be had. ` +
      'Close other pages, or dispose engines that are no longer needed.',
    { cause },
  );
}

function loadError(source: string, problem: string, cause?: unknown): HeedError {
  return new HeedError(
    'load-failed',
    `${source} ${problem}. Serve the heed.wasm of this very package version beside the script, ` +
      'or pass wasmUrl or wasmBinary.',
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
