// SPDX-License-Identifier: MIT
// The proxy: every call becomes a message with an id, every reply settles one promise.

import type { EngineInfo } from './api.js';
import type { Environment, WorkerEndpoint } from './env.js';
import { HeedError, reviveError } from './errors.js';
import type {
  Backend,
  CallMessage,
  CallOptions,
  FromWorker,
  Handle,
  Method,
  Params,
  Returned,
  StartOptions,
  ToWorker,
} from './protocol.js';

interface Pending {
  resolve: (result: never) => void;
  reject: (error: HeedError) => void;
}

export class WorkerBackend implements Backend {
  readonly info: EngineInfo;
  readonly #worker: WorkerEndpoint;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Why nothing can be called any more. */
  #end: HeedError | undefined;

  private constructor(worker: WorkerEndpoint, info: EngineInfo) {
    this.info = info;
    this.#worker = worker;
    worker.listen((message) => this.#receive(message as FromWorker));
    worker.onFailure((reason) => {
      this.#finish(
        new HeedError(
          'crashed',
          `The engine's worker died (${reason}). Dispose the engine and create a new one.`,
        ),
      );
    });
    worker.keepAlive(false);
  }

  /** Starts a worker and its engine; `workerUrl` replaces the package's own script. */
  static async start(
    environment: Environment,
    workerUrl: URL | undefined,
    options: StartOptions,
  ): Promise<WorkerBackend> {
    let worker: WorkerEndpoint;
    try {
      worker = environment.startWorker(workerUrl);
    } catch (cause) {
      throw workerLoadError(workerUrl, cause instanceof Error ? cause.message : String(cause));
    }
    try {
      const info = await new Promise<EngineInfo>((resolve, reject) => {
        worker.onFailure((reason) => reject(workerLoadError(workerUrl, reason)));
        worker.listen((data) => {
          const message = data as FromWorker;
          if (message.kind === 'ready') {
            resolve(message.info);
          } else if (message.kind === 'failed') {
            reject(reviveError(message.error));
          }
        });
        worker.keepAlive(true);
        worker.post({ kind: 'start', options } satisfies ToWorker);
      });
      return new WorkerBackend(worker, info);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  call<M extends Method>(
    method: M,
    params: Params<M>,
    { signal, transfer = [] }: CallOptions = {},
  ): Promise<Returned<M>> {
    if (this.#end !== undefined) {
      return Promise.reject(this.#end);
    }
    const id = this.#nextId++;
    const abort = () => this.#post({ kind: 'abort', id });
    const reply = new Promise<Returned<M>>((resolve, reject) => {
      this.#post({ kind: 'call', id, method, params } as CallMessage, transfer);
      this.#pending.set(id, { resolve, reject });
      this.#worker.keepAlive(true);
    });
    if (signal === undefined) {
      return reply;
    }
    if (signal.aborted) {
      abort();
    } else {
      signal.addEventListener('abort', abort, { once: true });
    }
    return reply.finally(() => signal.removeEventListener('abort', abort));
  }

  release(handle: Handle): void {
    if (this.#end === undefined) {
      this.#post({ kind: 'release', handle });
    }
  }

  dispose(): void {
    this.#worker.terminate();
    this.#finish(
      new HeedError('disposed', 'This engine was disposed. Create a new one, or dispose later.'),
    );
  }

  #post(message: ToWorker, transfer?: readonly Transferable[]): void {
    this.#worker.post(message, transfer);
  }

  #receive(message: FromWorker): void {
    if (message.kind !== 'result' && message.kind !== 'error') {
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) {
      return;
    }
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) {
      this.#worker.keepAlive(false);
    }
    if (message.kind === 'result') {
      pending.resolve(message.result as never);
    } else {
      pending.reject(reviveError(message.error));
    }
  }

  #finish(error: HeedError): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = error;
    this.#worker.keepAlive(false);
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) {
      reject(error);
    }
  }
}

function workerLoadError(url: URL | undefined, reason: string): HeedError {
  const where = url === undefined ? "the package's worker.js" : url.href;
  return new HeedError(
    'load-failed',
    `The worker script (${where}) could not be started: ${reason}. It must be on the page's own ` +
      'origin, and the browser must know module workers (Chrome 80, Firefox 114, Safari 15). ' +
      "Copy heed's worker.js and heed.wasm to your site and pass workerUrl and wasmUrl, or pass " +
      "where: 'thread'.",
  );
}
