// SPDX-License-Identifier: MIT
// npm start: sets up and builds what is missing, then serves the built site on this machine only.
//
//   npm start -- --port 8080   another port than 4173; a port in use makes it take the next
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { buildModule, buildPackage, buildSite } from './lib/build.mjs';
import { root, site } from './lib/paths.mjs';
import { setUp } from './lib/setup.mjs';

const steps = [
  ['WebAssembly module', buildModule],
  ['package', buildPackage],
  ['site', buildSite],
];

await setUp({ quiet: true });
for (const [name, build] of steps) {
  const started = performance.now();
  process.stdout.write(`building the ${name} ... `);
  try {
    await build();
  } catch (error) {
    console.log(`failed\n${error.message}`);
    process.exit(1);
  }
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
}

// Vite itself rather than npx: one process to end, which passes signals on to nobody.
const vite = join(createRequire(join(site, 'package.json')).resolve('vite/package.json'), '..');
const server = spawn(
  process.execPath,
  [join(vite, 'bin', 'vite.js'), 'preview', '--host', '127.0.0.1', ...process.argv.slice(2)],
  { cwd: site, stdio: 'inherit', env: { ...process.env, INIT_CWD: root } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
