// SPDX-License-Identifier: MIT
// Node: files come from disk, workers are threads.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker, type TransferListItem } from 'node:worker_threads';

import type { Environment, WorkerEndpoint } from './env.js';
import { fetchFile } from './fetch-file.js';

export const nodeEnvironment: Environment = {
  // A thread would cost a second copy of the tokens and buys nothing in a program without a page.
  defaultWhere: 'thread',

  baseUrl() {
    return pathToFileURL(`${process.cwd()}/`).href;
  },

  async fetchFile(url) {
    if (url.protocol === 'file:') {
      return { bytes: new Uint8Array(await readFile(url)), status: 200, contentType: '' };
    }
    return fetchFile(url);
  },

  startWorker(url) {
    return endpointOf(new Worker(url ?? new URL('./worker-node.js', import.meta.url)));
  },
};

function endpointOf(worker: Worker): WorkerEndpoint {
  let terminated = false;
  return {
    post(message, transfer = []) {
      worker.postMessage(message, transfer as readonly TransferListItem[]);
    },
    listen(listener) {
      worker.removeAllListeners('message');
      worker.on('message', listener);
      // Adding a message listener makes the port count as work to wait for.
      worker.unref();
    },
    onFailure(listener) {
      const fail = (reason: string) => {
        if (!terminated) {
          listener(reason);
        }
      };
      worker.on('error', (error) => fail(error.message));
      worker.on('messageerror', () => fail('a message could not be read'));
      worker.on('exit', (code) => fail(`it ended with exit code ${code}`));
    },
    keepAlive(alive) {
      if (alive) {
        worker.ref();
      } else {
        worker.unref();
      }
    },
    terminate() {
      terminated = true;
      void worker.terminate();
    },
  };
}
