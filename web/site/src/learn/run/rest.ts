// SPDX-License-Identifier: MIT
// When training comes to rest by itself: it has learned the task, or has run long enough that an
// unwatched page should stop using the machine.

import type { StepMetrics } from 'heed';
import type { Accuracy } from './learn-run';

export type RestReason = 'reader' | 'hidden' | 'converged' | 'limit';

/** Steps after which a run rests although nothing was reached; playing goes on for as many again. */
const limitSteps = 3000;

/** Mean loss over so many steps has to be below this, in nats: right answers at 95 % and more. */
const averagedSteps = 20;
const learnedLoss = 0.05;

export class Rest {
  readonly #recent: number[] = [];
  #from = 0;
  #converged = false;

  playFrom(step: number): void {
    this.#from = step;
  }

  /** Converging is told once: whoever plays on after it wants to see more. */
  after({ step, loss }: StepMetrics, accuracy: Accuracy | undefined): RestReason | undefined {
    this.#recent.push(loss);
    if (this.#recent.length > averagedSteps) this.#recent.shift();
    const mean = this.#recent.reduce((sum, value) => sum + value, 0) / this.#recent.length;
    const learned = this.#recent.length === averagedSteps && mean < learnedLoss
      && accuracy?.exact === 1;
    if (learned && !this.#converged) {
      this.#converged = true;
      return 'converged';
    }
    return step - this.#from >= limitSteps ? 'limit' : undefined;
  }
}
