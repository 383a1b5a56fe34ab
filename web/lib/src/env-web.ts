// SPDX-License-Identifier: MIT
// Pages, and everything that looks like one.

import type { Environment, WorkerEndpoint } from './env.js';
import { fetchFile } from './fetch-file.js';

export const webEnvironment: Environment = {
  defaultWhere: 'worker',

  baseUrl() {
    return typeof document === 'object' ? document.baseURI : globalThis.location.href;
  },

  fetchFile,

  startWorker(url) {
    // Bundlers find the script by this very form, so the default cannot be a variable.
    const worker =
      url === undefined
        ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
        : new Worker(url, { type: 'module' });
    return endpointOf(worker);
  },
};

function endpointOf(worker: Worker): WorkerEndpoint {
  return {
    post(message, transfer = []) {
      worker.postMessage(message, [...transfer]);
    },
    listen(listener) {
      worker.onmessage = (event: MessageEvent<unknown>) => listener(event.data);
    },
    onFailure(listener) {
      worker.onerror = (event) => {
        event.preventDefault();
        listener(event.message || 'no reason given');
      };
      worker.onmessageerror = () => listener('a message could not be read');
    },
    keepAlive() {},
    terminate() {
      worker.terminate();
    },
  };
}
