// SPDX-License-Identifier: MIT
// Each kind of suite as a function that runs it and returns its counts.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  add, failuresOfNodeTest, fromCatchXml, fromNodeTest, fromVitestJson, none, verdict,
} from './counts.mjs';
import { buildFolder, fromRoot, lib, root } from './paths.mjs';
import { run, tail } from './run.mjs';

/** The C++ tests of a preset that is already built, through ctest. */
export async function ctest(preset) {
  const folder = join(buildFolder(preset), 'tests', 'cpp');
  const reports = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^report-\d+\.xml$/.test(name)) : [];
  // A report left by an earlier run must not stand in for one that this run failed to write.
  for (const name of reports()) rmSync(join(folder, name));
  const { code, output } = await run('ctest', ['--preset', preset], { seconds: 1800 });
  if (code !== 0) console.log(tail(output, 200));
  let counts = none();
  for (const name of reports()) {
    const one = fromCatchXml(readFileSync(join(folder, name), 'utf8'));
    counts = add(counts, one ?? { ...none(), failed: 1 });
  }
  return verdict(code, counts);
}

/**
 * Files that node:test runs: every *.test.mjs below a folder. `atOnce`: how many at a time; files that
 * start compilers keep two cores busy one by one, those that wait for pages do not.
 */
export async function nodeTest(folder, { seconds = 600, env = {}, atOnce = 1 } = {}) {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.test.mjs') && !name.includes('node_modules'))
        .map((name) => join(folder, name))
        .sort()
    : [];
  if (files.length === 0) {
    console.log(`no *.test.mjs below ${fromRoot(folder)}`);
    return verdict(1, none());
  }
  const args = ['--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec', ...files];
  const { code, output } = await run(process.execPath, args, { seconds, env });
  const counts = verdict(code, fromNodeTest(output));
  if (counts.failed > 0 || code !== 0) {
    console.log(tail(output, 250));
    return { ...counts, failures: failuresOfNodeTest(output) };
  }
  if (counts.skipped > 0) console.log(skips(output));
  return counts;
}

const skips = (output) =>
  output
    .split('\n')
    .filter((line) => /# SKIP|﹣/.test(line))
    .join('\n');

/** The package's tests, by vitest: tests/lib against web/lib/dist. */
export async function vitest({ seconds = 900 } = {}) {
  const file = join(root, 'build', 'vitest.json');
  rmSync(file, { force: true });
  const config = join(root, 'tests', 'lib', 'vitest.config.ts');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`];
  const { code, output } = await run(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', '--config', config, ...reporters],
    { cwd: lib, seconds, env: { CI: 'true' } },
  );
  const report = existsSync(file) ? fromVitestJson(readFileSync(file, 'utf8')) : undefined;
  const counts = verdict(code, report);
  if (counts.failed > 0) console.log(tail(output, 200));
  return counts;
}

/** A program whose exit code is one test (a type check, say). */
export async function program(command, args, options = {}) {
  const { code, output } = await run(command, args, { seconds: 600, ...options });
  if (code !== 0) console.log(tail(output, 120));
  return code === 0 ? { ...none(), passed: 1 } : { ...none(), failed: 1 };
}

/** A check: a function that returns the faults it found, one line each. */
export async function check(find) {
  const faults = await find();
  for (const fault of faults) console.log(`   ${fault}`);
  return faults.length === 0 ? { ...none(), passed: 1 } : { ...none(), failed: 1 };
}
