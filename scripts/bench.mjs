// SPDX-License-Identifier: MIT
// npm run -s bench -- SUITE [--json] [--browser | --native] [--threads N] [--preset P] [--width N]
//                           [--context N] [--batch N] [--quick]
// SUITE: gemm, train. WebAssembly in Node by default. --json prints one object and nothing else.
import { parseArgs } from 'node:util';
import { runInBrowser, runInNode, runNative } from './lib/bench-hosts.mjs';

const suites = ['gemm', 'train'];
const values = ['threads', 'preset', 'width', 'context', 'batch'];

function usage(problem) {
  console.error(`bench: ${problem}`);
  console.error('usage: npm run -s bench -- SUITE [--json] [--browser | --native] [--threads N]');
  console.error('       [--preset P] [--width N] [--context N] [--batch N] [--quick]');
  console.error(`suites: ${suites.join(', ')}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = Object.fromEntries([
      ...values.map((name) => [name, { type: 'string' }]),
      ...['json', 'browser', 'native', 'fast', 'quick'].map((name) => [name, { type: 'boolean' }]),
    ]);
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return usage(error.message);
  }
}

const { values: chosen, positionals } = readArguments();
const [suite] = positionals;
if (positionals.length !== 1) usage(positionals.length === 0 ? 'no suite given' : 'one suite at a time');
if (!suites.includes(suite)) usage(`unknown suite '${suite}'`);
if (chosen.browser && chosen.native) usage('--browser and --native exclude each other');
if (chosen.fast) console.error('bench: there is no relaxed-SIMD build; measuring plain SIMD128');

const args = [suite, ...(chosen.quick ? ['--quick'] : [])];
for (const name of values) if (chosen[name] !== undefined) args.push(`--${name}`, chosen[name]);

try {
  const [engine, host] = chosen.native
    ? ['native', runNative]
    : chosen.browser
      ? ['chromium', runInBrowser]
      : ['node', runInNode];
  const report = await host([...args, '--engine', engine]);
  if (chosen.json) console.log(JSON.stringify(report));
  else print(report);
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}

function print({ suite: name, engine, variant, threads, shapes, ...figures }) {
  console.log(`${name}   ${engine}, ${variant}, ${threads} thread${threads === 1 ? '' : 's'}`);
  for (const { m, n, k, op, gflops, ofPeak } of shapes ?? []) {
    const shape = `${m} x ${n} x ${k}`;
    console.log(`  ${op}  ${shape.padEnd(18)} ${gflops.toFixed(2).padStart(8)} GFLOP/s  ${percent(ofPeak)}`);
  }
  for (const [key, value] of Object.entries(figures)) {
    const shown = key === 'ofPeak' ? percent(value) : typeof value === 'number' ? round(value) : value;
    console.log(`  ${key.padEnd(16)} ${typeof shown === 'object' ? JSON.stringify(shown) : shown}`);
  }
}

function percent(share) {
  return `${(100 * share).toFixed(1)} % of peak`;
}

function round(value) {
  return Number.isInteger(value) ? value : Number(value.toPrecision(5));
}
