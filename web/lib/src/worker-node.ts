// SPDX-License-Identifier: MIT
// Entry of the worker thread in Node.

import { parentPort, type TransferListItem } from 'node:worker_threads';

import { nodeEnvironment } from './env-node.js';
import { startLocalBackend } from './local-backend.js';
import { serve } from './serve.js';

const port = parentPort;
if (port === null) {
  throw new Error('worker-node.js runs only as a worker thread; import "heed" instead.');
}

serve(
  {
    post(message, transfer = []) {
      port.postMessage(message, transfer as readonly TransferListItem[]);
    },
    listen(listener) {
      port.on('message', listener);
    },
  },
  (options) => startLocalBackend(nodeEnvironment.fetchFile, 'worker', options),
);
