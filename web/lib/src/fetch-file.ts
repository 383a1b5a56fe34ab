// SPDX-License-Identifier: MIT
// A file over the network. On its own, so that the worker's bundle does not bring along the line
// that starts workers, in which bundlers would see a second one.

import type { FetchFile } from './env.js';

export const fetchFile: FetchFile = async (url) => {
  const response = await fetch(url, { credentials: 'same-origin' });
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
  };
};
