// SPDX-License-Identifier: MIT
// npm run train / npm run sample: the package's own command line, built first where it is missing.
// What it prints belongs to the command; notes about building go to stderr.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildModule, buildPackage, packageIsBuilt } from './lib/build.mjs';
import { lib, root } from './lib/paths.mjs';
import { must } from './lib/run.mjs';

if (!packageIsBuilt()) {
  console.error('The package is not built yet; building it (once).');
  try {
    console.error(await must(join(root, 'scripts', 'setup'), ['--quiet']));
    await buildModule();
    await buildPackage();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

const command = spawn(
  process.execPath,
  [join(lib, 'dist', 'cli', 'main.js'), ...process.argv.slice(2)],
  // npm runs scripts in the repository's root; file names are meant from where it was called.
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => command.kill(signal));
command.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
