// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/** Installs what is missing; ends this process when something stays missing. */
export async function setUp({ quiet = true } = {}) {
  const { code } = await run(join(root, 'scripts', 'setup'), quiet ? ['--quiet'] : [], { show: true });
  if (code !== 0) process.exit(code);
}
