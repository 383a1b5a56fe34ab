// SPDX-License-Identifier: MIT
// Installs the native library and builds another project against it with find_package(heed).
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { buildPreset } from '../../scripts/lib/build.mjs';
import { must, run } from '../../scripts/lib/run.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const work = mkdtempSync(join(tmpdir(), 'heed-consumer-'));
const prefix = join(work, 'prefix');
after(() => rmSync(work, { recursive: true, force: true }));

test('installs: libraries, a CMake package and only public headers', async () => {
  // The whole preset: installation takes every library.
  const folder = await buildPreset('dev');
  await must('cmake', ['--install', folder, '--prefix', prefix]);
  const headers = readdirSync(join(prefix, 'include', 'heed'), { recursive: true });
  assert.ok(headers.includes('train/trainer.h'));
  assert.ok(headers.includes('base/status.h'));
  const inner = headers.filter((name) => /-inl\.h$|^(wasm|bench)\//.test(name));
  assert.deepEqual(inner, []);
});

test('no public header needs Highway or Emscripten', () => {
  const include = join(prefix, 'include', 'heed');
  for (const name of readdirSync(include, { recursive: true })) {
    if (!name.endsWith('.h')) continue;
    const text = readFileSync(join(include, name), 'utf8');
    assert.doesNotMatch(text, /#include\s*[<"](hwy|emscripten)[/.]/, name);
  }
});

test('find_package(heed) configures, builds and trains in another project', async () => {
  const build = join(work, 'build');
  const source = join(root, 'tests', 'consumer');
  await must('cmake', ['-S', source, '-B', build, '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${prefix}`]);
  await must('cmake', ['--build', build]);
  const output = await must(join(build, 'consumer'), ['60']);
  const [first, last] = output.trim().split(' ').map(Number);
  // An untrained model of 8 tokens starts near ln 8; the sequence is certain after one token.
  assert.ok(Math.abs(first - Math.log(8)) < 0.1, `first loss ${first}`);
  assert.ok(last < 0.5, `last loss ${last}`);
});

test('another minor version is refused', async () => {
  const probe = join(work, 'probe');
  const { code, output } = await run('cmake', [
    '-S', join(root, 'tests', 'consumer', 'wrong-version'),
    '-B', probe,
    '-G', 'Ninja',
    `-DCMAKE_PREFIX_PATH=${prefix}`,
  ]);
  assert.notEqual(code, 0);
  assert.match(output, /compatible with requested version\s+"0\.2"|version: 0\.1/);
});
