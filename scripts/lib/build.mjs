// SPDX-License-Identifier: MIT
// Builds: a CMake preset, the package, the site.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { buildFolder, lib, root, site } from './paths.mjs';
import { must } from './run.mjs';

const jobs = () => process.env.HEED_JOBS ?? String(availableParallelism());

/** Configures (always: it takes a second and picks up changed presets) and builds a preset. */
export async function buildPreset(preset, { targets = [], show = false } = {}) {
  await must('cmake', ['--preset', preset], { show });
  const chosen = targets.length > 0 ? ['--target', ...targets] : [];
  await must('cmake', ['--build', '--preset', preset, '-j', jobs(), ...chosen], { show });
  return buildFolder(preset);
}

/** The WebAssembly module that the package ships. */
export async function buildModule({ show = false } = {}) {
  // The link step asks for `tsc` by name when it writes the bindings' type declarations.
  process.env.PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`;
  await buildPreset('wasm-simd', { targets: ['heed_module'], show });
  return join(buildFolder('wasm-simd'), 'cpp', 'wasm');
}

export async function buildPackage({ show = false } = {}) {
  await must('npm', ['run', '-s', 'build'], { cwd: lib, show });
}

export async function buildSite({ show = false } = {}) {
  await must('npm', ['run', '-s', 'build'], { cwd: site, show });
}

export const packageIsBuilt = () => existsSync(join(lib, 'dist', 'index.js'));
