// SPDX-License-Identifier: MIT
// The validation loss while training: windows spread over the part of the text kept back.

import type { Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

/** Enough that the curve's noise (about 0.02 nats for a window of 64) is below what can be seen. */
const windows = 32;

export class Validator implements SideTask {
  readonly pacer = new Pacer(1500, 0.08, 400);
  readonly #validated: (loss: number) => void;

  constructor(validated: (loss: number) => void) {
    this.#validated = validated;
  }

  async run(trainer: Trainer, signal: AbortSignal): Promise<void> {
    if (trainer.step === 0) return;
    const { loss } = await trainer.evaluate({ split: 'validation', maxWindows: windows, signal });
    this.#validated(loss);
  }
}
