// SPDX-License-Identifier: MIT
// The built WebAssembly module: its glue must suit pages, workers and Node alike, and the binary
// must be what it claims (SIMD, no exceptions).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder } from './lib/paths.mjs';
import { runAsProgram } from './lib/sources.mjs';

const forbidden = [
  [/\brequire\s*\(/, 'calls require'],
  [/["'`]node:/, 'names a Node module'],
  [/["'`](fs|path|url|crypto|worker_threads|module)["'`]/, 'names a Node module'],
  [/\beval\s*\(/, 'calls eval'],
  [/new\s+Function\b/, 'makes functions from text'],
  [/\bimport\s*\(/, 'imports at run time'],
];

export function glueFaults(text) {
  return forbidden
    .map(([pattern, why]) => [pattern.exec(text), why])
    .filter(([found]) => found)
    .map(([found, why]) => `heed.mjs: '${text.slice(found.index, found.index + 40)}' ${why}`);
}

/** @param {Uint8Array} bytes */
export function binaryFaults(bytes) {
  const faults = [];
  let module;
  try {
    module = new WebAssembly.Module(bytes);
  } catch (error) {
    return [`heed.wasm: does not compile: ${error.message}`];
  }
  const tags = [...WebAssembly.Module.imports(module), ...WebAssembly.Module.exports(module)];
  if (tags.some((entry) => entry.kind === 'tag')) faults.push('heed.wasm: uses exceptions');
  // f32x4.mul is 0xfd 0xe6 0x01: a kernel library without it was not compiled with SIMD.
  if (!Buffer.from(bytes).includes(Buffer.from([0xfd, 0xe6, 0x01]))) {
    faults.push('heed.wasm: no vector multiplication in the binary');
  }
  return faults;
}

export function find(folder = join(buildFolder('wasm-simd'), 'cpp', 'wasm')) {
  const glue = join(folder, 'heed.mjs');
  const binary = join(folder, 'heed.wasm');
  if (!existsSync(glue) || !existsSync(binary)) return [`no heed.mjs and heed.wasm in ${folder}`];
  return [...glueFaults(readFileSync(glue, 'utf8')), ...binaryFaults(readFileSync(binary))];
}

runAsProgram(import.meta, 'module', find);
