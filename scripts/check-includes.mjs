// SPDX-License-Identifier: MIT
// The include rule of docs/architecture.md: which folder of cpp/ may include which.
import { readFiles, runAsProgram } from './lib/sources.mjs';

const allowed = {
  base: ['base'],
  kernels: ['base', 'kernels'],
  layers: ['base', 'kernels', 'layers'],
  io: ['base', 'io'],
  model: ['base', 'kernels', 'layers', 'io', 'model'],
  train: ['base', 'kernels', 'layers', 'io', 'model', 'train'],
  explain: ['base', 'kernels', 'layers', 'io', 'model', 'train', 'explain'],
  wasm: ['base', 'kernels', 'layers', 'io', 'model', 'train', 'explain', 'wasm'],
  bench: ['base', 'kernels', 'layers', 'io', 'model', 'train', 'explain', 'bench'],
};
// Intrinsics stay in kernels; a benchmark measures the machine's peak with the same ones.
const simd = ['kernels', 'bench'];
// base/ needs Emscripten's clock; the rest of the core does not know where it runs.
const emscripten = ['base', 'wasm'];

/** @param {{path: string, text: string}[]} files */
export function includeFaults(files) {
  const known = new Set(files.map((file) => file.path));
  return files.flatMap(({ path, text }) => {
    const [top, folder] = path.split('/');
    const faults = [];
    const report = (line, why) => faults.push(`${path}:${line}: ${why}`);
    text.split('\n').forEach((content, index) => {
      const found = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(content);
      if (!found) return;
      const [, quote, target] = found;
      const line = index + 1;
      if (top === 'tests') {
        if (folder === 'reference' && quote === '"' && !target.startsWith('reference/')) {
          report(line, `the reference shares nothing with what it checks, but includes ${target}`);
        }
        return;
      }
      if (!(folder in allowed)) return report(line, `cpp/${folder} has no place in the rule`);
      if (target.startsWith('hwy/')) {
        if (!simd.includes(folder)) report(line, `${folder} uses Highway (${simd} may)`);
      } else if (/^emscripten([/.]|$)/.test(target)) {
        if (!emscripten.includes(folder)) {
          report(line, `${folder} includes an Emscripten header (${emscripten} may)`);
        } else if (/bind|val/.test(target) && path !== 'cpp/wasm/bindings.cc') {
          report(line, 'only cpp/wasm/bindings.cc knows Embind');
        }
      } else if (quote === '"') {
        const owner = target.split('/')[0];
        if (!known.has(`cpp/${target}`)) {
          report(line, `"${target}" is no file of cpp/ (paths start there)`);
        } else if (!allowed[folder].includes(owner)) {
          report(line, `${folder} must not include ${owner} (it may: ${allowed[folder]})`);
        }
      }
    });
    return faults;
  });
}

export const find = () =>
  includeFaults(readFiles(/^(cpp\/[^/]+\/.*|tests\/(reference|support)\/.*)\.(h|cc)$/));

runAsProgram(import.meta, 'include rule', find);
