// SPDX-License-Identifier: MIT
// The proxy and the worker's side of the protocol, on channels that the tests hold in hand.

import { describe, expect, test, vi } from 'vitest';
import { HeedError } from 'heed';

import type { EngineInfo } from '../../web/lib/dist/api.js';
import type { Environment, WorkerEndpoint } from '../../web/lib/dist/env.js';
import { type ToWorker, transferables } from '../../web/lib/dist/protocol.js';
import { packMetadata, unpackMetadata } from '../../web/lib/dist/metadata.js';
import { serve } from '../../web/lib/dist/serve.js';
import { WorkerBackend } from '../../web/lib/dist/worker-backend.js';
import { failure } from './support.js';

const info = { where: 'worker', version: '0' } as EngineInfo;
const start = { wasmUrl: undefined, wasmBinary: undefined, memoryLimit: undefined };

/** A worker whose side the test plays. */
class FakeWorker implements WorkerEndpoint {
  readonly sent: ToWorker[] = [];
  readonly transferred: (readonly Transferable[])[] = [];
  alive = false;
  terminated = false;
  #listener: (message: unknown) => void = () => undefined;
  #failed: (reason: string) => void = () => undefined;

  post(message: unknown, transfer: readonly Transferable[] = []): void {
    this.sent.push(message as ToWorker);
    this.transferred.push(transfer);
  }
  listen(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }
  onFailure(listener: (reason: string) => void): void {
    this.#failed = listener;
  }
  keepAlive(alive: boolean): void {
    this.alive = alive;
  }
  terminate(): void {
    this.terminated = true;
  }
  reply(message: unknown): void {
    this.#listener(message);
  }
  die(reason: string): void {
    this.#failed(reason);
  }
}

function environmentWith(worker: WorkerEndpoint | Error): Environment {
  return {
    defaultWhere: 'worker',
    baseUrl: () => 'https://example.test/',
    fetchFile: () => Promise.reject(new Error('not in this test')),
    startWorker() {
      if (worker instanceof Error) {
        throw worker;
      }
      return worker;
    },
  };
}

async function started(): Promise<{ worker: FakeWorker; backend: WorkerBackend }> {
  const worker = new FakeWorker();
  const starting = WorkerBackend.start(environmentWith(worker), undefined, start);
  worker.reply({ kind: 'ready', info });
  return { worker, backend: await starting };
}

describe('starting', () => {
  test('K08 R047: a worker that cannot be made is a typed error with the way out', async () => {
    const refused = environmentWith(new DOMException('cross-origin', 'SecurityError'));
    await failure(
      () => WorkerBackend.start(refused, new URL('https://cdn.test/worker.js'), start),
      'load-failed',
      'https://cdn.test/worker.js',
      'cross-origin',
      'Firefox 114',
      'workerUrl',
    );
  });

  test('a worker that dies before it is ready is a typed error, and is ended', async () => {
    const worker = new FakeWorker();
    const starting = WorkerBackend.start(environmentWith(worker), undefined, start);
    worker.die('SyntaxError');
    await failure(() => starting, 'load-failed', 'SyntaxError');
    expect(worker.terminated).toBe(true);
  });

  test('an engine that fails to start hands its own error over', async () => {
    const worker = new FakeWorker();
    const starting = WorkerBackend.start(environmentWith(worker), undefined, start);
    const error = { code: 'load-failed', message: 'The file is gone. Serve it again.' };
    worker.reply({ kind: 'failed', error });
    await failure(() => starting, 'load-failed', 'Serve it');
    expect(worker.terminated).toBe(true);
  });
});

describe('calls', () => {
  test('replies find their calls in any order; the process waits while one is open', async () => {
    const { worker, backend } = await started();
    expect(worker.alive).toBe(false);
    const first = backend.call('weightsHash', { model: 1 });
    const second = backend.call('weightsHash', { model: 2 });
    expect(worker.alive).toBe(true);
    const [one, two] = worker.sent.slice(1) as { id: number }[];
    expect(one!.id).not.toBe(two!.id);
    worker.reply({ kind: 'result', id: two!.id, result: 'b' });
    worker.reply({ kind: 'result', id: one!.id, result: 'a' });
    worker.reply({ kind: 'result', id: 999, result: 'nobody asked' });
    expect(await first).toBe('a');
    expect(await second).toBe('b');
    expect(worker.alive).toBe(false);
  });

  test('K24 R140: only buffers named for it are transferred', async () => {
    const { worker, backend } = await started();
    const values = new Float32Array(4);
    void backend.call('write', { model: 1, name: 'x', values }, { transfer: [values.buffer] });
    expect(worker.transferred.at(-1)).toEqual([values.buffer]);
  });

  test('K24 R138: an abort is sent once, with the id of its call', async () => {
    const { worker, backend } = await started();
    const controller = new AbortController();
    const params = { trainer: 1, steps: 1, until: 1, report: false };
    const call = backend.call('advance', params, { signal: controller.signal });
    controller.abort();
    controller.abort();
    const { id } = worker.sent[1] as { id: number };
    expect(worker.sent.slice(2)).toEqual([{ kind: 'abort', id }]);
    worker.reply({ kind: 'result', id, result: { metrics: null, step: 0 } });
    await call;
  });

  test('a signal that outlives its call is let go of', async () => {
    const { worker, backend } = await started();
    const controller = new AbortController();
    const call = backend.call(
      'advance',
      { trainer: 1, steps: 1, until: 1, report: false },
      { signal: controller.signal },
    );
    worker.reply({ kind: 'result', id: (worker.sent[1] as { id: number }).id, result: null });
    await call;
    controller.abort();
    expect(worker.sent.length).toBe(2);
  });

  test('K24: a worker that dies settles everything; later calls say so', async () => {
    const { worker, backend } = await started();
    const calls = [backend.call('memory', {}), backend.call('weightsHash', { model: 1 })];
    worker.die('out of memory');
    for (const call of calls) {
      await failure(() => call, 'crashed', 'out of memory', 'create a new one');
    }
    await failure(() => backend.call('memory', {}), 'crashed');
    expect(worker.alive).toBe(false);
  });

  test('disposing ends the worker and settles everything', async () => {
    const { worker, backend } = await started();
    const call = backend.call('memory', {});
    backend.dispose();
    expect(worker.terminated).toBe(true);
    await failure(() => call, 'disposed');
    await failure(() => backend.call('memory', {}), 'disposed');
    backend.release(1);
    expect(worker.sent.length).toBe(2);
  });
});

describe('the worker\'s side', () => {
  function served(run: (signal: AbortSignal | undefined) => Promise<unknown>) {
    const posted: { message: unknown; transfer: readonly Transferable[] }[] = [];
    let listener: (message: unknown) => void = () => undefined;
    const released: number[] = [];
    const backend = {
      info,
      call: (_method: string, _params: unknown, options?: { signal?: AbortSignal }) =>
        run(options?.signal),
      release: (handle: number) => released.push(handle),
      dispose: () => undefined,
    };
    serve(
      {
        post: (message, transfer = []) => posted.push({ message, transfer }),
        listen: (take) => {
          listener = take;
        },
      },
      async () => backend as never,
    );
    return { posted, released, send: (message: unknown) => listener(message) };
  }

  test('K04 R021: an error is a reply, and the next call is served', async () => {
    let failing = true;
    const side = served(async () => {
      if (failing) {
        throw new HeedError('invalid-argument', 'width is -1. Change it.');
      }
      return 'fine';
    });
    side.send({ kind: 'start', options: start });
    await vi.waitFor(() => expect(side.posted.length).toBe(1));
    side.send({ kind: 'call', id: 1, method: 'memory', params: {} });
    await vi.waitFor(() => expect(side.posted.length).toBe(2));
    expect(side.posted[1]!.message).toMatchObject({
      kind: 'error',
      id: 1,
      error: { code: 'invalid-argument' },
    });
    failing = false;
    side.send({ kind: 'call', id: 2, method: 'memory', params: {} });
    await vi.waitFor(() => expect(side.posted.length).toBe(3));
    expect(side.posted[2]!.message).toEqual({ kind: 'result', id: 2, result: 'fine' });
  });

  test('an abort reaches the call it names; release reaches the engine', async () => {
    const side = served(
      (signal) => new Promise((resolve) => signal!.addEventListener('abort', () => resolve('end'))),
    );
    side.send({ kind: 'start', options: start });
    await vi.waitFor(() => expect(side.posted.length).toBe(1));
    side.send({ kind: 'call', id: 5, method: 'advance', params: {} });
    side.send({ kind: 'abort', id: 4 });
    side.send({ kind: 'release', handle: 77 });
    expect(side.released).toEqual([77]);
    expect(side.posted.length).toBe(1);
    side.send({ kind: 'abort', id: 5 });
    await vi.waitFor(() => expect(side.posted.length).toBe(2));
    expect(side.posted[1]!.message).toEqual({ kind: 'result', id: 5, result: 'end' });
  });
});

test('K24 R140: results transfer exactly their own buffers', () => {
  const weights = new Float32Array(2);
  expect(transferables({ layers: 1, weights })).toEqual([weights.buffer]);
  expect(transferables(weights)).toEqual([weights.buffer]);
  expect(transferables([{ name: 'x' }])).toEqual([]);
  expect(transferables('text')).toEqual([]);
  expect(transferables(null)).toEqual([]);
  expect(transferables(new Uint8Array(new SharedArrayBuffer(4)))).toEqual([]);
});

test('metadata survive the way out and back, whatever their text', () => {
  const metadata = Object.fromEntries([
    ['', ''],
    ['key', '\uFEFFvalue \u{1F44B}\0'],
    ['__proto__', 'own'],
    ['\u4f60', 'x'.repeat(70_000)],
  ]);
  const back = unpackMetadata(packMetadata(metadata));
  expect(Object.entries(back)).toEqual(Object.entries(metadata));
  expect(unpackMetadata(packMetadata({}))).toEqual({});
});
