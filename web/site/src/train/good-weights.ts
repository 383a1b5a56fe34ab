// SPDX-License-Identifier: MIT
// The last weights from before a run went wrong, kept in memory to go back to.

import type { Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

export interface GoodWeights {
  /** A model as the package saves it. */
  weights: Uint8Array;
  /** Steps done and tokens seen by the whole run when they were kept. */
  step: number;
  tokens: number;
}

export class WeightKeeper implements SideTask {
  kept: GoodWeights | undefined;
  readonly pacer = new Pacer(4000, 0.02, 1500);
  readonly #good: () => Omit<GoodWeights, 'weights'> | undefined;

  /** `good` says where the run is, or nothing when it is not doing well. */
  constructor(good: () => Omit<GoodWeights, 'weights'> | undefined) {
    this.#good = good;
  }

  begin(kept?: GoodWeights): void {
    this.kept = kept;
  }

  async run(trainer: Trainer): Promise<void> {
    const place = this.#good();
    if (place === undefined || place.step === this.kept?.step) return;
    this.kept = { weights: await trainer.model.save(), ...place };
  }
}
