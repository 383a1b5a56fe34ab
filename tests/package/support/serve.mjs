// SPDX-License-Identifier: MIT
// A static server on the loopback address, with the headers a test asks for.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
};

/** `wasmType`: what .wasm files are called, for servers that do not know them. */
export async function serve(folder, { headers = {}, wasmType = types['.wasm'] } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    requests.push(path);
    if (path === '/favicon.ico') {
      // Browsers ask for it by themselves and report its absence.
      response.writeHead(204).end();
      return;
    }
    try {
      const bytes = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path));
      const extension = extname(path) || '.html';
      const type = extension === '.wasm' ? wasmType : (types[extension] ?? 'text/plain');
      response.writeHead(200, { 'content-type': type, ...headers }).end(bytes);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html', ...headers });
      response.end('<h1>Not found</h1>');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
