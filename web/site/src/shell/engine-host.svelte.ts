// SPDX-License-Identifier: MIT
// The page's one engine: started once, renewed after a crash.

import { HeedError, createEngine } from 'heed';
import type { Engine } from 'heed';

export class EngineHost {
  engine: Engine | undefined = $state.raw();
  #starting: Promise<Engine> | undefined;

  start(): Promise<Engine> {
    this.#starting ??= createEngine().then((engine) => {
      this.engine = engine;
      return engine;
    });
    return this.#starting;
  }

  /** The next start makes a new engine. */
  renew(): void {
    this.engine?.dispose();
    this.engine = undefined;
    this.#starting = undefined;
  }

  /** Whether the engine that threw this cannot be used any more. */
  static died(error: unknown): boolean {
    return error instanceof HeedError
      && ['crashed', 'load-failed', 'unsupported', 'disposed'].includes(error.code);
  }
}
