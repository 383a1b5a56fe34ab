// SPDX-License-Identifier: MIT
// The package for pages. node.ts is the same for Node.

import type { Engine, EngineOptions } from './api.js';
import { createEngineIn } from './create-engine.js';
import { webEnvironment } from './env-web.js';

export * from './public.js';

/** Starts an engine: in a worker unless `where` says otherwise. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineIn(webEnvironment, options);
}
