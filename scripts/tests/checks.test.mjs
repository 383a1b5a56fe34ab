// SPDX-License-Identifier: MIT
// Every check is shown a fault of each kind that it looks for, and a clean file beside it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { docFaults } from '../check-docs.mjs';
import { includeFaults } from '../check-includes.mjs';
import { binaryFaults, glueFaults } from '../check-module.mjs';
import { nameFaults } from '../check-names.mjs';
import { limit, sizeFaults } from '../check-size.mjs';
import { sourceFaults } from '../check-sources.mjs';
import { ownFiles } from '../lib/sources.mjs';

const header = '// SPDX-License-Identifier: MIT\n';
const file = (path, text) => ({ path, text });
const one = (faults, pattern) => {
  assert.equal(faults.length, 1, faults.join('\n'));
  assert.match(faults[0], pattern);
};

test('the checks see the project: its own files are listed', () => {
  const files = ownFiles();
  assert.ok(files.includes('CMakeLists.txt'));
  assert.ok(files.some((path) => path.startsWith('cpp/kernels/')));
  assert.ok(!files.some((path) => path.includes('node_modules/')));
});

const tree = (path, include) => [
  file('cpp/base/span.h', ''),
  file('cpp/model/config.h', ''),
  file('cpp/layers/linear.h', ''),
  file('cpp/wasm/engine.h', ''),
  file(path, `#include ${include}\n`),
];

for (const [path, include] of [
  ['cpp/layers/norm.cc', '"base/span.h"'],
  ['cpp/layers/norm.cc', '<vector>'],
  ['cpp/wasm/bindings.cc', '<emscripten/bind.h>'],
  ['cpp/base/clock.cc', '<emscripten.h>'],
  ['cpp/kernels/gemm.cc', '"hwy/highway.h"'],
  ['tests/reference/norm.h', '<complex>'],
]) {
  test(`include rule allows ${include} in ${path}`, () => {
    assert.deepEqual(includeFaults(tree(path, include)), []);
  });
}

for (const [path, include, why] of [
  ['cpp/kernels/gemm.cc', '"model/config.h"', /kernels must not include model/],
  ['cpp/kernels/gemm.cc', '"layers/linear.h"', /kernels must not include layers/],
  ['cpp/io/reader.cc', '"model/config.h"', /io must not include model/],
  ['cpp/train/trainer.cc', '"wasm/engine.h"', /train must not include wasm/],
  ['cpp/layers/norm.cc', '"span.h"', /no file of cpp/],
  ['cpp/layers/norm.cc', '"hwy/highway.h"', /uses Highway/],
  ['cpp/model/model.cc', '<emscripten/heap.h>', /Emscripten header/],
  ['cpp/wasm/engine.cc', '<emscripten/val.h>', /knows Embind/],
  ['cpp/extra/thing.cc', '<vector>', /no place in the rule/],
  ['tests/reference/norm.h', '"base/span.h"', /shares nothing/],
]) {
  test(`include rule refuses ${include} in ${path}`, () => {
    one(includeFaults(tree(path, include)), why);
  });
}

test('size refuses one line more than the limit', () => {
  const lines = (count) => 'x\n'.repeat(count);
  assert.deepEqual(sizeFaults([file('a.ts', lines(limit))]), []);
  one(sizeFaults([file('a.ts', lines(limit + 1))]), /501 lines/);
});

test('names refuses wrong guards, grab-bags, wrong case and confusable files', () => {
  const guard = (name) => `#ifndef HEED_${name}_H_\n`;
  assert.deepEqual(
    nameFaults([
      file('cpp/kernels/softmax.h', guard('KERNELS_SOFTMAX')),
      file('cpp/kernels/softmax-inl.h', ''),
      file('cpp/layers/softmax.cc', ''),
      file('tests/support/near.h', guard('TESTS_SUPPORT_NEAR')),
      file('web/lib/src/worker-node.ts', ''),
      file('web/site/src/App.svelte', ''),
    ]),
    [],
  );
  one(nameFaults([file('cpp/base/span.h', guard('SPAN'))]), /HEED_BASE_SPAN_H_/);
  one(nameFaults([file('web/lib/src/utils.ts', '')]), /says nothing/);
  one(nameFaults([file('cpp/base/Span.cc', '')]), /snake_case/);
  one(nameFaults([file('web/lib/src/workerNode.ts', '')]), /kebab-case/);
  one(nameFaults([file('cpp/base/hash.cc', ''), file('cpp/io/hash.cc', '')]), /base,io/);
  one(nameFaults([file('cpp/model/plan.cc', ''), file('cpp/train/plan.cc', '')]), /model,train/);
});

for (const [path, line, why] of [
  ['web/lib/src/a.ts', `fetch('https://${['registry', 'npmjs', 'org'].join('.')}/x')`, /registry/],
  ['scripts/a.mjs', `read('/${'home'}/someone/file')`, /path of one machine/],
  ['cpp/base/a.cc', `// ${'TO'}${'DO'}: later`, /undone/],
  ['web/lib/src/a.ts', `const x = Math.${'random'}();`, /seed/],
  ['web/lib/src/a.ts', `${'ev'}al(text)`, /content policies/],
  ['cmake/a.cmake', `add_compile_options(-O${'fast'})`, /non-finite/],
  ['cmake/a.cmake', `add_compile_options(-ffast${'-math'})`, /non-finite/],
]) {
  test(`sources refuses a line that ${why.source}`, () => {
    one(sourceFaults([file(path, `${header}${line}\n`)]), why);
  });
}

test('sources refuses a file without its licence line and takes one with it', () => {
  one(sourceFaults([file('web/lib/src/a.ts', 'export {};\n')]), /no licence line/);
  assert.deepEqual(sourceFaults([file('web/lib/src/a.ts', `${header}export {};\n`)]), []);
});

test('documents refuses dead links, unknown scripts and unknown presets', () => {
  const project = {
    exists: (path) => path === 'docs/numerics.md',
    scripts: ['bench'],
    presets: ['dev'],
  };
  const faults = (line) => docFaults([file('docs/a.md', `${line}\n`)], project);
  const good = '[n](numerics.md#x) [s](https://example.org) `npm run -s bench -- gemm`';
  assert.deepEqual(faults(`${good} cmake --preset dev`), []);
  one(faults('[x](gone.md)'), /gone\.md/);
  one(faults('`npm run -s fly`'), /npm run fly/);
  one(faults('cmake --build --preset nope'), /preset nope/);
});

test('module refuses glue that only suits one environment', () => {
  assert.deepEqual(glueFaults('var requireRegisteredType = (a) => a; new URL("x.wasm", base)'), []);
  one(glueFaults('var fs = require("x")'), /calls require/);
  one(glueFaults('import * as m from "node:fs"'), /Node module/);
  one(glueFaults('new Function("return 1")'), /from text/);
  one(glueFaults('await import(name)'), /run time/);
});

test('module refuses a binary without SIMD and bytes that are no binary', () => {
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  one(binaryFaults(empty), /no vector multiplication/);
  one(binaryFaults(new Uint8Array([60, 104, 116, 109, 108])), /does not compile/);
});
