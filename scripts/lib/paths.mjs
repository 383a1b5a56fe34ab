// SPDX-License-Identifier: MIT
// Where things are. Every script uses these, so that a moved folder is one change.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const lib = join(root, 'web', 'lib');
export const site = join(root, 'web', 'site');
export const buildFolder = (preset) => join(root, 'build', preset);
export const fromRoot = (path) => relative(root, path);
