// SPDX-License-Identifier: MIT
// The worker's side of the protocol: makes one engine, carries out calls, posts what came of them.

import type { Endpoint } from './env.js';
import { serializeError } from './errors.js';
import {
  type Backend,
  type FromWorker,
  type StartOptions,
  type ToWorker,
  transferables,
} from './protocol.js';

export function serve(
  endpoint: Endpoint,
  start: (options: StartOptions) => Promise<Backend>,
): void {
  let backend: Backend | undefined;
  const running = new Map<number, AbortController>();
  const post = (message: FromWorker, transfer?: readonly Transferable[]) => {
    endpoint.post(message, transfer);
  };

  const begin = async (options: StartOptions) => {
    try {
      backend = await start(options);
      post({ kind: 'ready', info: backend.info });
    } catch (error) {
      post({ kind: 'failed', error: serializeError(error) });
    }
  };

  const call = async (id: number, run: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await run(controller.signal);
      post({ kind: 'result', id, result }, transferables(result));
    } catch (error) {
      post({ kind: 'error', id, error: serializeError(error) });
    } finally {
      running.delete(id);
    }
  };

  endpoint.listen((data) => {
    const message = data as ToWorker;
    switch (message.kind) {
      case 'start':
        void begin(message.options);
        break;
      case 'call':
        // The proxy sends calls only after 'ready'.
        void call(message.id, (signal) =>
          backend!.call(message.method, message.params, { signal }),
        );
        break;
      case 'abort':
        running.get(message.id)?.abort();
        break;
      case 'release':
        backend!.release(message.handle);
        break;
      default:
        message satisfies never;
    }
  });
}
