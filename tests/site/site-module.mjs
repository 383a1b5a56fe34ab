// SPDX-License-Identifier: MIT
// Loads one of the site's modules into Node, bundled as the site bundles it.

import { join } from 'node:path';
import { build } from 'esbuild';
import { site } from '../../scripts/lib/paths.mjs';

/** `path` below web/site/src. */
export async function siteModule(path) {
  const { outputFiles: [file] } = await build({
    entryPoints: [join(site, 'src', path)], bundle: true, format: 'esm', write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(file.contents).toString('base64')}`);
}
