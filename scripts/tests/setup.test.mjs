// SPDX-License-Identifier: MIT
// scripts/setup --check: reports and changes nothing, on Debian and elsewhere.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { root } from '../lib/paths.mjs';

const work = mkdtempSync(join(tmpdir(), 'heed-setup-'));
after(() => rmSync(work, { recursive: true, force: true }));

/** A PATH with the plain tools of any system and only the named build tools. */
function toolFolder(name, tools) {
  const folder = join(work, name);
  mkdirSync(folder);
  const plain = 'bash sh env mkdir rm grep sort head tail sed awk id dirname basename uname cat dpkg readlink';
  for (const tool of [...plain.split(' '), ...tools]) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
    if (found) symlinkSync(found, join(folder, tool));
  }
  return folder;
}

function setup(args, env) {
  const { status, stdout, stderr } = spawnSync(join(root, 'scripts', 'setup'), args, {
    encoding: 'utf8',
    env: { HOME: work, PATH: process.env.PATH, ...env },
  });
  return { status, text: stdout + stderr };
}

const osRelease = (name, text) => {
  const path = join(work, name);
  writeFileSync(path, text);
  return path;
};
const debian = osRelease('debian', 'ID=debian\nVERSION_ID="12"\n');
const other = osRelease('other', 'ID=fedora\nVERSION_ID="43"\n');

test('--check with an empty cache names what is missing and makes nothing', () => {
  const cache = join(work, 'cache');
  const { status, text } = setup(['--check'], { HEED_CACHE: cache, HEED_OS_RELEASE: debian });
  assert.equal(status, 1, text);
  for (const name of ['emcc', 'highway', 'catch2']) {
    assert.match(text, new RegExp(`missing +${name} `), text);
  }
  assert.ok(!existsSync(cache));
});

test('--check without build tools names the Debian packages and the root command', () => {
  const tools = toolFolder('no-tools', []);
  const { status, text } = setup(['--check', '--native'], {
    PATH: tools,
    HEED_CACHE: join(work, 'none'),
    HEED_OS_RELEASE: debian,
  });
  assert.equal(status, 1, text);
  assert.match(text, /apt-get install .*cmake ninja-build python3 g\+\+/);
});

test('elsewhere it says exactly what to install', () => {
  const tools = toolFolder('elsewhere', []);
  const { status, text } = setup([], {
    PATH: tools,
    HEED_CACHE: join(work, 'elsewhere-cache'),
    HEED_OS_RELEASE: other,
  });
  assert.equal(status, 1, text);
  for (const part of [/cmake 3\.25 or newer/, /emsdk/, /C\+\+20 compiler/, /Node\.js 20/]) {
    assert.match(text, part);
  }
  assert.doesNotMatch(text, /apt-get update/);
});

test('an old Emscripten on PATH does not count, a new one does', () => {
  const make = (name, version) => {
    const folder = join(work, name);
    mkdirSync(folder);
    const body = `#!/bin/sh\necho "emcc (Emscripten gcc/clang-like replacement) ${version} (x)"\n`;
    writeFileSync(join(folder, 'emcc'), body, { mode: 0o755 });
    return `${folder}:${process.env.PATH}`;
  };
  const env = { HEED_CACHE: join(work, 'none2'), HEED_OS_RELEASE: debian };
  assert.match(setup(['--check'], { ...env, PATH: make('old', '3.1.6') }).text, /missing +emcc/);
  assert.match(setup(['--check'], { ...env, PATH: make('new', '4.0.1') }).text, /found +emcc +4\.0\.1/);
});

test('unknown options are refused by name', () => {
  const { status, text } = setup(['--chek'], {});
  assert.equal(status, 2);
  assert.match(text, /--chek/);
});

test('every part of the set-up parses', () => {
  for (const name of readdirSync(join(root, 'scripts', 'setup.d'))) {
    const { status, stderr } = spawnSync('bash', ['-n', join(root, 'scripts', 'setup.d', name)]);
    assert.equal(status, 0, String(stderr));
  }
});
