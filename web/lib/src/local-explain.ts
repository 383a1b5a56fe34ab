// SPDX-License-Identifier: MIT
// Traces and the questions asked of them, carried out on this thread's core.

import type { Contributions, LogitParts } from './api-explain.js';
import type { Core } from './core.js';
import type { HandleReply, TracePart } from './generated/heed.mjs';
import type { AttendParams, Handle, Params, Returned } from './protocol.js';
import { pacer } from './slice-clock.js';
import type { TraceShape } from './trace-layout.js';
import { encodeWhatIfs } from './what-if.js';

export function trace(
  core: Core,
  { whatIf, gradients, ...params }: Params<'trace'>,
  shapeOf: (model: Handle) => Omit<TraceShape, 'time'>,
  tensorsOf: (model: Handle) => readonly { name: string }[],
): Returned<'trace'> {
  const shape = { ...shapeOf(params.model), time: params.tokens.length };
  const needsNames = whatIf.some((w) => 'set' in w && w.set === 'weight');
  const encoded = encodeWhatIfs(whatIf, needsNames ? tensorsOf(params.model) : []);
  const { model, tokens, targets } = params;
  const made = core.withBuffer(tokens, (ids) =>
    core.withBuffer(targets, (wanted) =>
      core.withBuffer(encoded, (what) => {
        const reply = core.checked((m) => m.createTrace(model, ids, wanted, what, gradients));
        return { trace: reply.handle, loss: reply.loss };
      }),
    ),
  );
  try {
    const floats = (part: TracePart) => {
      const { pointer, bytes } = core.checked((m) => m.traceFloats(made.trace, part));
      return core.heap.readFloats(pointer, bytes / 4);
    };
    const parts = core.call((m) => m.TracePart);
    const data = {
      list: core.takeText(core.handle((m) => m.listTrace(made.trace))),
      values: floats(parts.values),
      gradients: floats(parts.gradients),
      parameters: floats(parts.parameters),
      parameterGradients: floats(parts.parameterGradients),
    };
    return { ...made, shape, data };
  } catch (error) {
    core.release(made.trace);
    throw error;
  }
}

const takeDoubles = (core: Core, reply: HandleReply): Float64Array =>
  core.takeDoubles(reply.handle);

export function contributions(core: Core, params: Params<'contributions'>): Contributions {
  const { trace: handle, of, layer, head } = params;
  const reply = takeDoubles(
    core,
    core.checked((m) => m.traceContributions(handle, m.Projection[of], layer, head)),
  );
  const [squaredNorm = 0, meaningful] = reply;
  const pairsAndTokens = reply.subarray(2);
  // T + T T numbers
  const time = Math.round((Math.sqrt(1 + 4 * pairsAndTokens.length) - 1) / 2);
  return {
    squaredNorm,
    meaningful: meaningful === 1,
    tokens: pairsAndTokens.slice(0, time),
    pairs: pairsAndTokens.slice(time),
  };
}

export function logitParts(core: Core, params: Params<'logitParts'>): LogitParts {
  const { trace: handle, layer, row, target, rival, layers } = params;
  const reply = takeDoubles(
    core,
    core.checked((m) => m.traceLogitParts(handle, layer, row, target, rival)),
  );
  const edges = reply.length - 3 - 2 * layers;
  const [difference = 0, embedding = 0, bias = 0] = reply;
  const rest = reply.subarray(3);
  return {
    difference,
    embedding,
    bias,
    edges: rest.slice(0, edges),
    attention: rest.slice(edges, edges + layers),
    feedForward: rest.slice(edges + layers),
  };
}

/** Passes a call: the core runs the trace's own pass again after each. */
export const passesPerCall = 8;

export async function sweep(core: Core, params: Params<'sweep'>): Promise<Float64Array> {
  const { trace: handle, layer, head, row, column, by } = params;
  const losses = new Float64Array(by.length);
  const pause = pacer();
  for (let n = 0; n < by.length; n += passesPerCall) {
    const reply = core.withBuffer(by.slice(n, n + passesPerCall), (steps) =>
      core.checked((m) => m.sweepTrace(handle, layer, head, row, column, steps)),
    );
    losses.set(takeDoubles(core, reply), n);
    await pause();
  }
  return losses;
}

export async function cutEdges(core: Core, params: Params<'cutEdges'>): Promise<Float64Array> {
  const { trace: handle, layer, head: only, row: onlyRow, renormalise, heads, time } = params;
  const losses = new Float64Array(heads * time * time).fill(Number.NaN);
  const pause = pacer();
  const indices = (count: number, one: number | null) =>
    one === null ? Array.from({ length: count }, (_, index) => index) : [one];
  for (const head of indices(heads, only)) {
    for (const row of indices(time, onlyRow)) {
      const reply = core.checked((m) => m.cutTraceEdges(handle, layer, head, row, renormalise));
      losses.set(takeDoubles(core, reply), (head * time + row) * time);
      await pause();
    }
  }
  return losses;
}

export function attend(core: Core, params: AttendParams): Float32Array {
  const { matrices, visible, time, width, headWidth, valueWidth, scale } = params;
  return core.takeFloats(
    core.withBuffer(matrices, (all) =>
      core.withBuffer(visible, (mask) =>
        core.handle((m) => m.attend(all, mask, time, width, headWidth, valueWidth, scale)),
      ),
    ),
  );
}

export function attendBackward(
  core: Core,
  { dOut, ...params }: Params<'attendBackward'>,
): Float32Array {
  const { matrices, visible, time, width, headWidth, valueWidth, scale } = params;
  return core.takeFloats(
    core.withBuffer(matrices, (all) =>
      core.withBuffer(visible, (mask) =>
        core.withBuffer(dOut, (up) =>
          core.handle((m) =>
            m.attendBackward(all, mask, up, time, width, headWidth, valueWidth, scale),
          ),
        ),
      ),
    ),
  );
}
