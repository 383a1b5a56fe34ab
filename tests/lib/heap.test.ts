// SPDX-License-Identifier: MIT
// Copies in, copies out, whatever the memory does meanwhile.

import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createEngine } from 'heed';

import { describeEngines, tinyModel } from './support.js';

const source = new URL('../../web/lib/src/', import.meta.url);

describeEngines('K01', (engine) => {
  test('R002: a ramp of a million floats arrives although the memory grows under it', async () => {
    const model = await engine().createModel({
      ...tinyModel,
      vocab: 1000,
      width: 1000,
      heads: 1,
      headWidth: 1,
      layers: 0,
    });
    // Leaves too little of the first 16 MiB for the values on their way in.
    const large = { ...tinyModel, vocab: 2500, width: 1000, layers: 0 };
    const filler = await engine().createModel(large);
    const ramp = Float32Array.from({ length: 1_000_000 }, (_, i) => i);
    const before = (await engine().memory()).heapBytes;
    await model.write('embed.weight', ramp);
    expect((await engine().memory()).heapBytes).toBeGreaterThan(before);
    const back = await model.read('embed.weight');
    expect(back.reduce((sum, value) => sum + value, 0)).toBe(499_999_500_000);
    expect(back.every((value, i) => value === i)).toBe(true);
    filler.dispose();
    model.dispose();
  });
});

test('K01 R003: a checkpoint larger than the whole memory of a new engine loads', async () => {
  const options = { ...tinyModel, vocab: 8000, width: 1024, heads: 1, headWidth: 1, layers: 0 };
  const first = await createEngine();
  const model = await first.createModel(options);
  const hash = await model.weightsHash();
  const file = await model.save();
  first.dispose();

  const second = await createEngine();
  expect((await second.memory()).heapBytes).toBeLessThan(file.length);
  const { model: loaded } = await second.loadModel(file);
  expect(await loaded.weightsHash()).toBe(hash);
  second.dispose();
});

test('K01: one file touches the memory, and it keeps no view', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('generated'),
  );
  const touching = files.filter((name) =>
    /\.buffer\b.*(memory|Memory)|[mM]emory\.buffer|\bHEAP\w+/.test(
      readFileSync(new URL(name, source), 'utf8'),
    ),
  );
  expect(touching).toEqual(['heap.ts']);
  const heap = readFileSync(new URL('heap.ts', source), 'utf8');
  // Its only member is the memory itself.
  const members = new Set([...heap.matchAll(/this\.#(\w+)/g)].map((match) => match[1]));
  expect([...members].sort()).toEqual(['copy', 'memory']);
});
