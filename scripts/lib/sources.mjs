// SPDX-License-Identifier: MIT
// The project's own files: what git tracks or would track.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Paths relative to `base`, without ignored files and without files deleted in the work tree. */
export function ownFiles(base = root) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', args, { cwd: base, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(base, path)))
    .sort();
}

/** [{path, text}] of those files whose path matches. */
export function readFiles(pattern, base = root) {
  return ownFiles(base)
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(base, path), 'utf8') }));
}

/** When a check is run by itself: prints its faults and sets the exit code. */
export function runAsProgram(meta, name, find) {
  if (process.argv[1] !== meta.filename && process.argv[1] !== new URL(meta.url).pathname) return;
  const faults = find();
  for (const fault of faults) console.error(fault);
  console.log(`${name}: ${faults.length === 0 ? 'no faults' : `${faults.length} faults`}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
