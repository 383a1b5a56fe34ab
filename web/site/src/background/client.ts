// SPDX-License-Identifier: MIT
// The page's side of the background worker.

import { BackgroundError } from './protocol';
import type { FromWorker, Progress, Replies, Request, ToWorker } from './protocol';

interface Pending {
  resolve(reply: Replies[Request['kind']]): void;
  reject(error: Error): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

export interface AskOptions {
  transfer?: Transferable[];
  /** The request then fails with `aborted`, if it is not through yet. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export class Background {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #next = 0;

  constructor() {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', (event: MessageEvent<FromWorker>) => {
      const message = event.data;
      const pending = this.#pending.get(message.request);
      if ('progress' in message) {
        pending?.onProgress?.(message.progress);
        return;
      }
      this.#pending.delete(message.request);
      if (message.ok) pending?.resolve(message.reply);
      else pending?.reject(new BackgroundError(message.code, message.details));
    });
    this.#worker.addEventListener('error', (event) => {
      const error = new BackgroundError('storage-failed', { message: event.message });
      for (const pending of this.#pending.values()) pending.reject(error);
      this.#pending.clear();
    });
  }

  ask<R extends Request>(
    request: R,
    { transfer = [], signal, onProgress }: AskOptions = {},
  ): Promise<Replies[R['kind']]> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject, onProgress });
      this.#post({ ...request, request: id }, transfer);
      signal?.addEventListener('abort', () => this.#post({ abort: id }), { once: true });
    });
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
