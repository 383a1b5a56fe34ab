// SPDX-License-Identifier: MIT
// Entry of the worker in a page. Loading it starts it: the one file with side effects there.

import { fetchFile } from './fetch-file.js';
import { startLocalBackend } from './local-backend.js';
import { serve } from './serve.js';

interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

serve(
  {
    post(message, transfer = []) {
      scope.postMessage(message, [...transfer]);
    },
    listen(listener) {
      scope.onmessage = (event) => listener(event.data);
    },
  },
  (options) => startLocalBackend(fetchFile, 'worker', options),
);
