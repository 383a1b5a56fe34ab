// SPDX-License-Identifier: MIT
// The run as it was before it went wrong, kept in memory to go back to.

import type { Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

export interface GoodState {
  /** The trainer as the package saves it. */
  checkpoint: Uint8Array;
  /** Steps done and tokens seen then. */
  step: number;
  tokens: number;
}

export class StateKeeper implements SideTask {
  kept: GoodState | undefined;
  readonly pacer = new Pacer(4000, 0.02, 1500);
  readonly #good: () => Omit<GoodState, 'checkpoint'> | undefined;

  /** `good` says where the run is, or nothing when it is not doing well. */
  constructor(good: () => Omit<GoodState, 'checkpoint'> | undefined) {
    this.#good = good;
  }

  begin(kept?: GoodState): void {
    this.kept = kept;
  }

  async run(trainer: Trainer): Promise<void> {
    const place = this.#good();
    if (place === undefined || place.step === this.kept?.step) return;
    this.kept = { checkpoint: await trainer.save(), step: place.step, tokens: place.tokens };
  }
}
