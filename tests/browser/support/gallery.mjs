// SPDX-License-Identifier: MIT
// The gallery of figures, built as the site is built (with its content policy), and opened.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from '../../../scripts/lib/browser.mjs';
import { site } from '../../../scripts/lib/paths.mjs';
import { serveSite } from './server.mjs';

/** Takes about two seconds; into a folder of its own, since test files run side by side. */
async function buildGallery(folder) {
  const entry = createRequire(join(site, 'package.json')).resolve('vite/package.json');
  const { build } = await import(pathToFileURL(join(entry, '..', 'dist', 'node', 'index.js')).href);
  await build({
    root: join(site, 'gallery'),
    configFile: join(site, 'vite.config.ts'),
    logLevel: 'warn',
    publicDir: false,
    build: { outDir: folder, emptyOutDir: true },
  });
}

export async function startGallery() {
  const folder = await mkdtemp(join(tmpdir(), 'heed-gallery-'));
  await buildGallery(folder);
  const [server, browser] = await Promise.all([serveSite({ folder }), launchChromium()]);
  return {
    address: server.address,
    browser,
    close: async () => {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Opens the gallery in a context of its own. `close` fails when the page reported an error. */
export async function openGallery(gallery, query = '', contextOptions = {}) {
  const context = await gallery.browser.newContext(contextOptions);
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(`page error: ${error.stack ?? error}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  // A machine that compiles at the same time may take a minute over a page.
  page.setDefaultTimeout(120_000);
  await page.goto(`${gallery.address}${query}`);
  await page.waitForFunction(() => window.gallery !== undefined)
    .catch((error) => assert.fail(`${error.message}\n${faults.join('\n')}`));
  return {
    page,
    async close() {
      await context.close();
      assert.deepEqual(faults, [], 'the page reported errors');
    },
  };
}

/** Waits until figures with new data have been drawn. */
export const drawn = (page) =>
  page.waitForFunction(() => document.querySelector('[data-stale]') === null);
