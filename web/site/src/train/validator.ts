// SPDX-License-Identifier: MIT
// The validation loss while training: windows spread over the part of the text kept back, or held-out
// examples of a task, which can also be exactly right.

import type { Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

/** Enough that the curve's noise (about 0.02 nats for a window of 64) is below what can be seen. */
const windows = 32;
/** Of a task all that are numbered: 99 % of fewer could not be told from 98 %. */
const examples = 1024;

export class Validator implements SideTask {
  readonly pacer = new Pacer(1500, 0.08, 400);
  readonly #validated: (loss: number, exact: number | undefined) => void;
  #onTask = false;

  constructor(validated: (loss: number, exact: number | undefined) => void) {
    this.#validated = validated;
  }

  begin(onTask: boolean): void {
    this.#onTask = onTask;
  }

  async run(trainer: Trainer, signal: AbortSignal): Promise<void> {
    if (trainer.step === 0) return;
    const maxWindows = this.#onTask ? examples : windows;
    const { loss, exact } = await trainer.evaluate({ split: 'validation', maxWindows, signal });
    this.#validated(loss, this.#onTask ? exact : undefined);
  }
}
