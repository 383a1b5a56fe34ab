// SPDX-License-Identifier: MIT
// A file over the network. On its own, so that the worker's bundle does not bring along the line
// that starts workers, in which bundlers would see a second one.

import type { FetchFile } from './env.js';

export const fetchFile: FetchFile = async (url) => {
  const response = await fetch(url, { credentials: 'same-origin' });
  const contentType = response.headers.get('content-type') ?? '';
  const compiled = compileArriving(response, contentType);
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    status: response.status,
    contentType,
    compiled,
  };
};

/**
 * Compiles while bytes arrive. Browsers keep the optimised machine code only of modules that came
 * this way, which a second visit then starts with. Whether the file is the right one is decided by
 * its bytes, so a failure here is only one more reason to compile those.
 */
function compileArriving(
  response: Response,
  contentType: string,
): Promise<WebAssembly.Module> | undefined {
  if (
    !response.ok ||
    contentType !== 'application/wasm' ||
    typeof WebAssembly.compileStreaming !== 'function'
  ) {
    return undefined;
  }
  const compiled = WebAssembly.compileStreaming(response.clone());
  compiled.catch(() => undefined);
  return compiled;
}
