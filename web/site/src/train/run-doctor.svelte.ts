// SPDX-License-Identifier: MIT
// The doctor of the run in progress: looks at it now and then, between two steps.

import { HeedError } from 'heed';
import type { Trainer } from 'heed';
import { Doctor, Examiner } from '../doctor';
import type { Finding, Look } from '../doctor';
import type { CurrentRun } from './current-run';
import type { Curves } from './curves';
import { trainOptions } from './options';
import { Pacer } from './pacer';
import type { SideTask } from './session';

export interface Diagnosis {
  /** Nothing for a run that is well. */
  findings: readonly Finding[];
  /** What the last look read. */
  look: Look;
  /** Enough has been seen to say that nothing is wrong. */
  certain: boolean;
}

export class RunDoctor implements SideTask {
  shown: Diagnosis | undefined = $state.raw();
  /** A look costs about as much as a step; twice, for the batch before and after it. */
  readonly pacer = new Pacer(1500, 0.04, 2000);
  readonly #doctor = new Doctor();
  readonly #examiner = new Examiner();
  readonly #curves: Curves;
  readonly #changed: () => void;
  #next: Diagnosis | undefined;
  /** The step before which a look has begun. */
  #begun: number | undefined;
  #looked = -1;

  constructor(curves: Curves, changed: () => void) {
    this.#curves = curves;
    this.#changed = changed;
  }

  begin({ prepared, settings }: CurrentRun, step: number): void {
    this.#doctor.begin(prepared.vocab, trainOptions(settings).warmup ?? 0, step);
    this.#examiner.begin();
    this.#next = undefined;
    this.shown = undefined;
    this.#begun = undefined;
    this.#looked = -1;
  }

  stepped(metrics: Parameters<Doctor['stepped']>[0]): void {
    this.#doctor.stepped(metrics);
    // The other half of a look comes right after the step whose batch it began with.
    if (this.#begun === metrics.step - 1) this.pacer.force();
  }

  async run(trainer: Trainer): Promise<void> {
    const { step } = trainer;
    if (step === this.#looked || step === this.#begun) return;
    try {
      if (this.#begun === undefined) {
        await this.#examiner.before(trainer);
        this.#begun = step;
      } else {
        await this.#look(trainer);
      }
    } catch (error) {
      this.#begun = undefined;
      // No step of this trainer yet, or a model too large to be traced beside its training.
      const expected = error instanceof HeedError && ['bad-state', 'out-of-memory'].includes(error.code);
      if (!expected) throw error;
    }
  }

  async #look(trainer: Trainer): Promise<void> {
    const look = await this.#examiner.after(trainer);
    this.#begun = undefined;
    this.#looked = trainer.step;
    this.#doctor.looked(look);
    const { steps, columns, validationSteps, validation } = this.#curves.state;
    const course = { steps, loss: columns.loss, validationSteps, validation };
    this.#next = { findings: this.#doctor.findings(course), look, certain: this.#doctor.certain };
    this.#changed();
  }

  flush(): void {
    if (this.#next !== undefined) this.shown = this.#next;
  }
}
