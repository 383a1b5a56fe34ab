// SPDX-License-Identifier: MIT
// Where an engine comes from: checks the runtime before anything is downloaded, then starts the
// core in this thread or in a worker.

import type { Engine, EngineOptions } from './api.js';
import { checkEngineOptions } from './call-options.js';
import { HeedEngine } from './engine.js';
import { type Environment, supportsSimd } from './env.js';
import { HeedError } from './errors.js';
import type { StartOptions } from './protocol.js';
import { WorkerBackend } from './worker-backend.js';

export async function createEngineIn(
  environment: Environment,
  options: EngineOptions,
): Promise<Engine> {
  checkEngineOptions(options);
  if (!supportsSimd()) {
    throw new HeedError(
      'unsupported',
      'This runtime has no WebAssembly SIMD. Use Chrome or Edge 91, Firefox 114, Safari 17, ' +
        'Node 20, or anything newer.',
    );
  }
  const start: StartOptions = {
    wasmUrl: resolve(options.wasmUrl, 'wasmUrl', environment)?.href,
    wasmBinary: options.wasmBinary === undefined ? undefined : copyBytes(options.wasmBinary),
    memoryLimit: options.memoryLimit,
  };
  const where = options.where ?? environment.defaultWhere;
  if (where === 'worker') {
    const workerUrl = resolve(options.workerUrl, 'workerUrl', environment);
    return new HeedEngine(await WorkerBackend.start(environment, workerUrl, start));
  }
  // Loaded on demand: a page whose engine lives in a worker never downloads this half.
  const { startLocalBackend } = await import('./local-backend.js');
  return new HeedEngine(await startLocalBackend(environment.fetchFile, 'thread', start));
}

function resolve(
  url: string | URL | undefined,
  option: string,
  environment: Environment,
): URL | undefined {
  if (url === undefined) {
    return undefined;
  }
  try {
    return new URL(url, environment.baseUrl());
  } catch {
    throw new HeedError(
      'invalid-argument',
      `engine options: "${option}" is not a URL: ${String(url)}. Pass an absolute or relative URL.`,
    );
  }
}

function copyBytes(source: BufferSource): Uint8Array {
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return view.slice();
}
