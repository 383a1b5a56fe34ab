// SPDX-License-Identifier: MIT
// What cannot be provoked from outside: traps, on a module that the test makes up.

import { describe, expect, test } from 'vitest';

import { Core } from '../../web/lib/dist/core.js';
import { LocalBackend } from '../../web/lib/dist/local-backend.js';
import type { EngineInfo } from '../../web/lib/dist/api.js';
import { failure } from './support.js';

const codes = {
  ok: { value: 0 },
  invalidArgument: { value: 1 },
  outOfMemory: { value: 2 },
  nonFinite: { value: 3 },
  disposed: { value: 4 },
  badData: { value: 5 },
  badState: { value: 6 },
};

function fakeModule(memory: WebAssembly.Memory, functions: Record<string, unknown>) {
  const put = (text: string, at: number) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  };
  return {
    StatusCode: codes,
    scratch: () => ({ status: codes.ok, pointer: 1024, bytes: 4096 }),
    describeModel: () => put('vocab number\n', 1024),
    describeTrain: () => put('steps number\n', 1024),
    describeTask: () => put('length number\n', 1024),
    lastMessage: () => ({ status: codes.ok, pointer: 8192, bytes: put('x is 5; make it 6', 8192) }),
    ...functions,
  };
}

function coreWith(functions: Record<string, unknown>): Core {
  const memory = new WebAssembly.Memory({ initial: 1 });
  return new Core(fakeModule(memory, functions) as never, memory);
}

describe('K04 R020: a trap', () => {
  for (const [name, thrown] of [
    ['RuntimeError', new WebAssembly.RuntimeError('unreachable')],
    ['RangeError of the stack', new RangeError('Maximum call stack size exceeded')],
    ['number', 5_242_880],
  ] as const) {
    test(`${name}: ends the engine for good, with a typed error`, async () => {
      let calls = 0;
      const core = coreWith({
        memory() {
          ++calls;
          throw thrown;
        },
      });
      const backend = new LocalBackend(core, {} as EngineInfo);
      await failure(() => backend.call('memory', {}), 'crashed', 'create a new one');
      await failure(() => backend.call('memory', {}), 'crashed');
      await failure(() => backend.call('weightsHash', { model: 1 }), 'crashed');
      backend.release(1);
      backend.dispose();
      expect(calls).toBe(1);
    });
  }
});

test('every status code becomes its error code, with the core\'s words as a sentence', async () => {
  const expected = {
    invalidArgument: 'invalid-argument',
    outOfMemory: 'out-of-memory',
    nonFinite: 'non-finite',
    disposed: 'disposed',
    badData: 'bad-data',
    badState: 'bad-state',
  } as const;
  for (const [status, code] of Object.entries(expected)) {
    const core = coreWith({ resetTrainer: () => codes[status as keyof typeof codes] });
    let message = '';
    try {
      core.checked((m) => m.resetTrainer(1));
    } catch (error) {
      expect(error).toMatchObject({ name: 'HeedError', code });
      message = (error as Error).message;
    }
    expect(message).toBe('X is 5; make it 6.');
  }
});

test('a buffer is freed also when its use fails', async () => {
  const disposed: number[] = [];
  const core = coreWith({
    createBuffer: () => ({ status: codes.ok, handle: 42 }),
    bufferBytes: () => ({ status: codes.ok, pointer: 16_384, bytes: 4 }),
    dispose: (handle: number) => disposed.push(handle),
  });
  expect(() =>
    core.withBuffer(Uint8Array.of(1, 2, 3, 4), () => {
      throw new Error('inside');
    }),
  ).toThrow('inside');
  expect(disposed).toEqual([42]);
  expect([...core.heap.readBytes(16_384, 4)]).toEqual([1, 2, 3, 4]);
});

test('K01 R001: what was read stays, whatever the memory does afterwards', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const core = new Core(fakeModule(memory, {}) as never, memory);
  core.heap.write(4096, Float32Array.of(1.5, 2.5));
  const copy = core.heap.readFloats(4096, 2);
  memory.grow(10);
  expect([...copy]).toEqual([1.5, 2.5]);
  expect(copy.byteLength).toBe(8);
  core.heap.write(4096, Float32Array.of(9));
  expect([...copy]).toEqual([1.5, 2.5]);
  expect([...core.heap.readFloats(4096, 2)]).toEqual([9, 2.5]);
});
