// SPDX-License-Identifier: MIT
// The inspecting calls, carried out on this thread's core a few passes at a time.

import type { Lens, NextToken, Patches } from './api-inspect.js';
import type { Core } from './core.js';
import type { Params } from './protocol.js';
import { pacer } from './slice-clock.js';
import { nextToken } from './slices.js';
import { allocate } from './values.js';

export async function cutHeads(core: Core, params: Params<'cutHeads'>): Promise<Float64Array> {
  const { trace, to, layers, heads } = params;
  const losses = new Float64Array(layers * heads);
  const pause = pacer();
  for (let layer = 0; layer < layers; ++layer) {
    const reply = core.handle((m) => m.cutTraceHeads(trace, layer, to === 'mean'));
    losses.set(core.takeDoubles(reply), layer * heads);
    await pause();
  }
  return losses;
}

export async function lens(core: Core, params: Params<'lens'>): Promise<Lens> {
  const { trace, places, top, time } = params;
  const rows = places.length * time;
  const cells = rows * top;
  const found: Lens = {
    places,
    top,
    ids: allocate(cells, 'the lens', (length) => new Int32Array(length)),
    probabilities: allocate(cells, 'the lens', (length) => new Float32Array(length)),
    target: new Float64Array(rows),
    rank: new Int32Array(rows),
    entropy: new Float64Array(rows),
  };
  const pause = pacer();
  for (let place = 0; place < places.length; ++place) {
    const reply = core.handle((m) => m.readTraceLens(trace, place, top));
    core.takeBuffer(reply, ({ pointer }) => {
      const { heap } = core;
      const floats = pointer + 16 * time;
      const ids = floats + 4 * time * top;
      found.target.set(heap.readDoubles(pointer, time), place * time);
      found.entropy.set(heap.readDoubles(pointer + 8 * time, time), place * time);
      found.probabilities.set(heap.readFloats(floats, time * top), place * time * top);
      found.ids.set(heap.readInts(ids, time * top), place * time * top);
      found.rank.set(heap.readInts(ids + 4 * time * top, time), place * time);
    });
    await pause();
  }
  return found;
}

/** Passes a call: after them the core runs the rest of the trace's own pass again. */
const patchesPerCall = 8;

export async function patch(core: Core, params: Params<'patch'>): Promise<Patches> {
  const { trace, from, what, layers, places, row, target, rival } = params;
  const found = { own: 0, from: 0, differences: new Float64Array(layers * places) };
  const pause = pacer();
  const run = (layer: number, first: number, count: number) => {
    const reply = core.handle((m) =>
      m.patchTrace(trace, from, m.PassPoint[what], layer, first, count, row, target, rival),
    );
    const [own = 0, other = 0, ...differences] = core.takeDoubles(reply);
    Object.assign(found, { own, from: other });
    found.differences.set(differences, layer * places + first);
  };
  // Without layers the core says so.
  for (let layer = 0; layer < Math.max(layers, 1); ++layer) {
    for (let first = 0; first < places; first += patchesPerCall) {
      run(layer, first, Math.min(patchesPerCall, places - first));
      await pause();
    }
  }
  return found;
}

export async function next(core: Core, params: Params<'next'>): Promise<NextToken> {
  const { model, prompt, temperature, topK, topP, seed, index } = params;
  const generator = core.withBuffer(prompt, (text) =>
    core.handle((m) => m.createGenerator(model, text, temperature, topK, topP, seed, index)),
  );
  try {
    const token = await nextToken(core, generator);
    const pool = core.handle((m) => m.readPool(generator));
    return core.takeBuffer(pool, ({ pointer, bytes }) => {
      const count = bytes / 12;
      return {
        ids: core.heap.readInts(pointer, count),
        probabilities: core.heap.readFloats(pointer + 4 * count, count),
        raw: core.heap.readFloats(pointer + 8 * count, count),
        token,
      };
    });
  } finally {
    core.release(generator);
  }
}
