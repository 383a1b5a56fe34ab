// SPDX-License-Identifier: MIT
// Serves the built site under a path of its own, as a static host would, on the loopback interface.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The site under test; HEED_SITE_DIST names another build of it. */
export const dist = process.env.HEED_SITE_DIST
  ?? fileURLToPath(new URL('../../../web/site/dist/', import.meta.url));

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Not the root: the site has to work under any path. */
const prefix = '/some/where/';

/**
 * Starts a server; `isolated` sends the headers that threads need, `cached` lets the browser keep
 * fingerprinted files, `folder` is another build. Resolves with the site's address and a way to stop.
 */
export async function serveSite({ isolated = true, cached = false, folder = dist } = {}) {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`${folder} has no index.html. Run \`npm run build\` first.`);
  }
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const name = path === prefix ? 'index.html' : normalize(path.slice(prefix.length));
    const headers = {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control':
        cached && name.startsWith('assets') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isolated ? isolation : {}),
    };
    try {
      if (!path.startsWith(prefix) || name.startsWith('..')) throw new Error('outside');
      const body = await readFile(join(folder, name));
      response.writeHead(200, headers);
      response.end(body);
    } catch {
      response.writeHead(404, { ...headers, 'content-type': 'text/plain' });
      response.end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    address: `http://127.0.0.1:${port}${prefix}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
