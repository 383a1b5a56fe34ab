// SPDX-License-Identifier: MIT
// npm run format: clang-format (where it is installed) over the C++ sources.
//
//   npm run format -- --check   only report, exit code 1 when a file differs
import { ownFiles } from './lib/sources.mjs';
import { run } from './lib/run.mjs';

const files = ownFiles().filter((path) => /\.(h|cc)$/.test(path));
const check = process.argv.includes('--check');
const args = check ? ['--dry-run', '--Werror'] : ['-i'];
const { code, output } = await run('clang-format', [...args, ...files], { show: true });
if (code === 127) {
  console.error(`clang-format is not installed (Debian: apt-get install clang-format). ${output}`);
}
process.exitCode = code;
