// SPDX-License-Identifier: MIT
// Makes the changes that a run's link has set for steps to come.

import type { Trainer } from 'heed';
import type { Change } from './changes';
import { settingsAt } from './changes';
import type { Settings } from './fields';
import { trainOptions } from './options';

export class ChangePlan {
  readonly #first: Settings;
  readonly #changes: readonly Change[];
  readonly #made: (settings: Settings) => void;
  #next: number;

  /** `step`: where the run is; what is due there is made again, which changes nothing. */
  constructor(
    first: Settings,
    changes: readonly Change[],
    step: number,
    made: (settings: Settings) => void,
  ) {
    this.#first = first;
    this.#changes = changes;
    this.#made = made;
    this.#next = changes.findIndex((change) => change.step >= step);
    if (this.#next < 0) this.#next = changes.length;
  }

  /** Step at which the next change is due; infinity for none. */
  get due(): number {
    return this.#changes[this.#next]?.step ?? Number.POSITIVE_INFINITY;
  }

  async make(trainer: Trainer): Promise<void> {
    if (trainer.step !== this.due) return;
    const settings = settingsAt(this.#first, this.#changes, trainer.step);
    await trainer.change(trainOptions(settings));
    this.#next += 1;
    this.#made(settings);
  }
}
