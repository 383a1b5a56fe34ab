// SPDX-License-Identifier: MIT
// The command line, as a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { clock, jsonOutput } from '../../web/lib/dist/cli/output.js';
import { moduleOf } from '../../web/lib/dist/cli/peak.js';

const program = fileURLToPath(new URL('../../web/lib/dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = 'the quick brown fox jumps over the lazy dog.\n'.repeat(60);
const file = write('text.txt', text);

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

const heed = (...args: string[]): Promise<Ended> => start(args).ended;

interface Event {
  event: string;
  [key: string]: unknown;
}

async function events(...args: string[]): Promise<Event[]> {
  const { code, stdout, stderr } = await heed('train', file, '--preset', 'toy', '--json', ...args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

describe('train', () => {
  test('prints one JSON object a line, the last with the outcome', async () => {
    const all = await events('--steps', '25');
    expect(all[0]).toMatchObject({ event: 'start', preset: 'toy', steps: 25, threads: 1 });
    expect(all.filter(({ event }) => event === 'step').map(({ step }) => step)).toEqual([
      10, 20, 25,
    ]);
    const done = all.at(-1)!;
    expect(done).toMatchObject({ event: 'done', steps: 25, variant: 'simd128', threads: 1 });
    for (const key of [
      'trainLoss', 'valLoss', 'seconds', 'tokensPerSecond', 'parameters',
      'gflops', 'peakGflops', 'ofPeak',
    ]) {
      expect(done[key], key).toBeGreaterThan(0);
    }
    expect(done['weightsHash']).toMatch(/^[0-9a-f]{16}$/);
  });

  test('the seed fixes the weights', async () => {
    const hash = async (...args: string[]) =>
      (await events('--steps', '5', ...args)).at(-1)!['weightsHash'];
    const plain = await hash();
    expect(await hash()).toBe(plain);
    expect(await hash('--seed', '1337')).toBe(plain);
    expect(await hash('--seed', '7')).not.toBe(plain);
  });

  test('K17 R092: stopped, saved and resumed by another process: the same bits', async () => {
    const out = join(folder, 'run');
    const straight = (await events('--steps', '30')).at(-1)!;
    const half = await events('--steps', '30', '--stop-at', '12', '--out', out);
    expect(half.at(-1)).toMatchObject({ event: 'done', steps: 12 });
    expect(half.find(({ event }) => event === 'saved')).toMatchObject({ step: 12 });
    const rest = await events('--resume', out);
    expect(rest[0]).toMatchObject({ event: 'start', step: 12, steps: 30 });
    expect(rest.at(-1)).toMatchObject({
      steps: 30,
      weightsHash: straight['weightsHash'],
      valLoss: straight['valLoss'],
    });
    // The saved run keeps its settings, and nothing but it is in the folder.
    expect(readdirSync(out)).toEqual(['run.safetensors']);
    const changed = await heed('train', file, '--resume', out, '--steps', '99');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('--steps 99');
    const other = await heed('train', write('other.txt', `${text}Q`), '--resume', out);
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('"Q"');
    const moved = await heed('train', write('moved.txt', text.slice(5)), '--resume', out);
    expect(moved.code).toBe(1);
    expect(moved.stderr).toMatch(/data/);
  });

  test('Ctrl-C saves what is done and ends well, also when it comes twice', async () => {
    const out = join(folder, 'interrupted');
    const args = ['train', file, '--preset', 'toy', '--steps', '1000000', '--json', '--out', out];
    const { child, ended } = start(args);
    await new Promise<void>((resolve) => {
      child.stdout!.on('data', (chunk: string) => {
        if (chunk.includes('"event":"step"')) {
          resolve();
        }
      });
    });
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const saved = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Event)
      .find(({ event }) => event === 'saved')!;
    expect(saved['step']).toBeGreaterThan(0);
    const resumed = await events('--resume', out, '--stop-at', String(saved['step']));
    expect(resumed[0]).toMatchObject({ step: saved['step'], steps: 1_000_000 });
  });

  test('a person sees a line with steps, loss, speed and time left', async () => {
    const { code, stdout } = await heed('train', file, '--preset', 'toy', '--steps', '30');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\[#+\] step 30\/30 {2}loss \d\.\d{4} {2}\d+ tokens\/s {2}0:00 left/);
    expect(stdout).toMatch(/done: steps 30, trainLoss .*weightsHash [0-9a-f]{16}/);
  });

  test('more threads than there are run on one, and it says so', async () => {
    const all = await events('--steps', '2', '--threads', '4');
    expect(all[0]).toMatchObject({ event: 'note' });
    expect(all[0]!['text']).toMatch(/4 threads/);
    expect(all.at(-1)).toMatchObject({ threads: 1 });
  });

  test('a text without a validation part has no valLoss, and a note says why', async () => {
    const short = write('short.txt', 'abcdefgh'.repeat(10));
    const { stdout } = await heed('train', short, '--preset', 'toy', '--steps', '2', '--json');
    const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Event);
    expect(lines.at(-1)).toMatchObject({ event: 'done', valLoss: null });
    expect(lines.at(-2)!['text']).toMatch(/validation/);
  });
});

describe('sample', () => {
  test('continues a prompt; the seed fixes the text', async () => {
    const out = join(folder, 'sampled');
    await events('--steps', '3', '--out', out);
    const sample = (...args: string[]) => heed('sample', out, '--tokens', '20', ...args);
    const { code, stdout } = await sample('--prompt', 'the fox');
    expect(code).toBe(0);
    expect(stdout.startsWith('the fox')).toBe(true);
    expect(stdout.length).toBe('the fox'.length + 20 + 1);
    expect((await sample('--prompt', 'the fox')).stdout).toBe(stdout);
    expect((await sample('--prompt', 'the fox', '--seed', '5')).stdout).not.toBe(stdout);
    expect((await sample()).stdout.length).toBe(21);
    const unseen = await sample('--prompt', 'the FOX');
    expect(unseen.code).toBe(1);
    expect(unseen.stderr).toContain('"F"');
  });
});

describe('K04 R020: wrong arguments end with code 2, bad files with 1, both in words', () => {
  const usage: [string, string[], string][] = [
    ['no command', [], 'Usage'],
    ['an unknown command', ['fly'], '"fly"'],
    ['no file', ['train'], 'FILE is missing'],
    ['two files', ['train', 'a', 'b'], 'there are 2'],
    ['an unknown option', ['train', file, '--colour', 'red'], '--colour'],
    ['an option without its value', ['train', file, '--steps'], '--steps'],
    ['an unknown preset', ['train', file, '--preset', 'huge'], 'nanogpt-cpu, toy'],
    ['steps in words', ['train', file, '--steps', 'many'], '"many"'],
    ['no steps', ['train', file, '--steps', '0'], 'at least 1'],
    ['negative steps', ['train', file, '--steps=-5'], '"-5"'],
    ['a fraction', ['train', file, '--steps', '1.5'], '"1.5"'],
    ['a seed beyond 2^53', ['train', file, '--seed', '99999999999999999999'], '--seed'],
    ['no threads', ['train', file, '--threads', '0'], '--threads'],
    ['no folder', ['sample'], 'DIR is missing'],
    ['a temperature in words', ['sample', folder, '--temperature', 'warm'], '"warm"'],
  ];
  test.each(usage)('%s', async (_, args, word) => {
    const { code, stdout, stderr } = await heed(...args);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain(word);
    expect(stdout + stderr).toContain('heed train FILE');
  });

  const files: [string, () => string[], string][] = [
    ['a file that is not there', () => ['train', join(folder, 'none.txt')], 'none.txt'],
    ['a folder for a file', () => ['train', folder], 'could not be read'],
    ['an empty file', () => ['train', write('empty.txt', '')], 'empty'],
    ['binary data', () => ['train', write('b', Uint8Array.of(1, 0xff, 0xfe, 0))], 'UTF-8'],
    ['a text shorter than a context', () => ['train', write('s.txt', 'short')], '5 tokens'],
    ['a folder without a run', () => ['sample', folder], 'no saved run'],
    ['a run that is not there', () => ['train', file, '--resume', join(folder, 'no')], 'no saved'],
    ['a damaged run', () => ['sample', damagedRun()], 'cut short'],
    ['a folder that cannot be', () => ['train', file, '--out', file], 'cannot be saved'],
    ['a temperature below 0', () => ['sample', savedRun(), '--temperature=-1'], 'emperature'],
  ];
  let saved = '';
  const savedRun = () => saved;
  function damagedRun(): string {
    const path = join(folder, 'damaged');
    mkdirSync(path, { recursive: true });
    const whole = readFileSync(join(saved, 'run.safetensors'));
    writeFileSync(join(path, 'run.safetensors'), whole.subarray(0, whole.length - 9));
    return path;
  }
  beforeAll(async () => {
    saved = join(folder, 'saved');
    await events('--steps', '1', '--out', saved);
  });
  test.each(files)('%s', async (_, args, word) => {
    const given = args();
    const preset = given[0] === 'train' && !given.includes('--resume') ? ['--preset', 'toy'] : [];
    const { code, stderr } = await heed(...given, ...preset);
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
    expect(code).toBe(1);
  });
});

test('help is no fault', async () => {
  const { code, stdout } = await heed('help');
  expect(code).toBe(0);
  expect(stdout).toContain('heed sample DIR');
  expect((await heed('train', '--help')).code).toBe(0);
});

test('times are read as people write them', () => {
  expect([0, 0.2, 61, 3599, 3600, 3725.5].map(clock)).toEqual([
    '0:00', '0:01', '1:01', '59:59', '1:00:00', '1:02:06',
  ]);
});

test('the peak loops compute x * 0.999 + 0.001 four times a turn', () => {
  for (const accumulators of [4, 13, 16]) {
    const module = new WebAssembly.Module(moduleOf(accumulators));
    const run = new WebAssembly.Instance(module).exports['run'] as (turns: number) => number;
    let expected = 0;
    for (let c = 1; c <= accumulators; ++c) {
      // The fixed point is 1, and every application takes the distance from it times 0.999.
      expected += 1 + (c - 1) * 0.999 ** (4 * 100);
    }
    expect(run(100)).toBeCloseTo(expected, 2);
  }
});

test('JSON lines come at every tenth step and at the last', () => {
  const lines: string[] = [];
  const output = jsonOutput({ write: (line: string) => lines.push(line) } as never, 10);
  for (let step = 1; step <= 23; ++step) {
    output.progress({ step } as never, 0, 23);
  }
  expect(lines.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual([10, 20, 23]);
});
