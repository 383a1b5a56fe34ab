// SPDX-License-Identifier: MIT
// npm test: sets up what is missing, builds and runs everything, ends with "N passed, N failed".
//
//   npm test                       everything
//   npm test -- --only wasm,site   suites whose name contains one of these words
//   npm test -- --list             names of the suites
//   npm test -- --no-setup         take the machine as it is
import { join } from 'node:path';
import { buildModule, buildPackage, buildPreset, buildSite } from './lib/build.mjs';
import { lib, root, site } from './lib/paths.mjs';
import { Report } from './lib/report.mjs';
import { setUp } from './lib/setup.mjs';
import { check, ctest, nodeTest, program, vitest } from './lib/suites.mjs';
import { find as docs } from './check-docs.mjs';
import { find as includes } from './check-includes.mjs';
import { find as module } from './check-module.mjs';
import { find as names } from './check-names.mjs';
import { find as size } from './check-size.mjs';
import { find as sources } from './check-sources.mjs';

const native = (preset) => async () => {
  await buildPreset(preset, { targets: ['heed_tests'] });
  return ctest(preset);
};

/** What fails fastest comes first; what others are built from comes before them. */
const suites = [
  ['scripts: their own tests', () => nodeTest(join(root, 'scripts', 'tests'))],
  ['check: include rule', () => check(includes)],
  ['check: file sizes', () => check(size)],
  ['check: file names', () => check(names)],
  ['check: sources', () => check(sources)],
  ['check: documents', () => check(docs)],
  ['native: C++ tests, every SIMD target', native('dev')],
  ['sanitizers: C++ tests under ASan and UBSan', native('asan-ubsan')],
  [
    'wasm: C++ tests as WebAssembly in Node',
    async () => {
      await buildPreset('wasm-simd');
      return ctest('wasm-simd');
    },
  ],
  [
    'wasm: the module that ships',
    async () => {
      await buildModule();
      return check(module);
    },
  ],
  [
    'package: build and types',
    async () => {
      await buildPackage();
      return program('npm', ['run', '-s', 'typecheck'], { cwd: lib });
    },
  ],
  ['package: vitest', () => vitest()],
  ['package: packed and installed elsewhere', () => nodeTest(join(root, 'tests', 'package'))],
  ['consumer: find_package(heed) in another project', () => nodeTest(join(root, 'tests', 'consumer'))],
  [
    'site: build and types',
    async () => {
      await buildSite();
      return program('npm', ['run', '-s', 'check'], { cwd: site });
    },
  ],
  ['site: its modules on their own', () => nodeTest(join(root, 'tests', 'site'))],
  [
    'browser: figures and every room',
    () => nodeTest(join(root, 'tests', 'browser'), { seconds: 2700, atOnce: 3 }),
  ],
];

const args = process.argv.slice(2);
const option = (name) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
};
const known = new Set(['--only', '--list', '--no-setup', option('--only')]);
const unknown = args.find((argument) => !known.has(argument));
if (unknown !== undefined || (args.includes('--only') && !option('--only'))) {
  console.error(`npm test: cannot read '${unknown ?? '--only'}' (known: --only WORDS, --list, --no-setup)`);
  process.exit(2);
}
const words = option('--only')?.split(',') ?? [''];
const chosen = suites.filter(([name]) => words.some((word) => name.includes(word)));
if (args.includes('--list')) {
  for (const [name] of suites) console.log(name);
  process.exit(0);
}
if (chosen.length === 0) {
  console.error(`npm test: no suite is named like '${option('--only')}'; --list shows them`);
  process.exit(2);
}

if (!args.includes('--no-setup')) await setUp();
const report = new Report();
for (const [name, body] of chosen) await report.suite(name, body);
process.exitCode = report.close();
