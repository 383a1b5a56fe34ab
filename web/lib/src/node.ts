// SPDX-License-Identifier: MIT
// The package for Node. index.ts is the same for pages.

import type { Engine, EngineOptions } from './api.js';
import { createEngineIn } from './create-engine.js';
import { nodeEnvironment } from './env-node.js';

export * from './public.js';

/** Starts an engine: in this thread unless `where` says otherwise. */
export function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return createEngineIn(nodeEnvironment, options);
}
