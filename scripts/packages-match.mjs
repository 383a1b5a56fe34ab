// SPDX-License-Identifier: MIT
// Exit code 0 when node_modules holds what package-lock.json names, else 1 with the first
// difference. npm writes node_modules/.package-lock.json last, so an interrupted install differs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const packages = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

try {
  const installed = packages('node_modules/.package-lock.json');
  for (const [path, { version, optional, link }] of Object.entries(packages('package-lock.json'))) {
    // The workspaces themselves are folders here; optional ones are for other machines.
    if (!path.startsWith('node_modules/') || link) continue;
    const have = installed[path]?.version;
    if (have !== version && !(optional && have === undefined)) {
      throw new Error(`${path} is ${have ?? 'missing'}, ${version} is locked`);
    }
  }
} catch (error) {
  console.log(error.message.split('\n')[0]);
  process.exitCode = 1;
}
