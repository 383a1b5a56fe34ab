// SPDX-License-Identifier: MIT
// The page's side of the background worker.

import { BackgroundError } from './protocol';
import type { FromWorker, Replies, Request, ToWorker } from './protocol';

interface Pending {
  resolve(reply: Replies[Request['kind']]): void;
  reject(error: Error): void;
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

  ask<R extends Request>(request: R, transfer: Transferable[] = []): Promise<Replies[R['kind']]> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      const message: ToWorker = { ...request, request: id };
      this.#worker.postMessage(message, transfer);
    });
  }
}
