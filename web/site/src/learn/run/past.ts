// SPDX-License-Identifier: MIT
// The steps behind: one timeline for each stretch of a run between two branchings.

import type { Model, Timeline, TrainOptions, Trainer } from 'heed';

interface Stretch {
  trainer: Trainer;
  timeline: Timeline;
  /** Steps up to this one belong to it; the newest stretch has no end. */
  until: number;
}

/** Snapshots of tiny models are small; this bounds those of larger ones. */
const snapshotBytes = 32 * 1024 * 1024;

/** Older stretches are let go: each keeps a trainer alive. */
const keptStretches = 6;

export class Past {
  #stretches: Stretch[] = [];

  /** `trainer` goes on from its present step; what came before stays reachable. */
  async follow(trainer: Trainer): Promise<void> {
    const last = this.#stretches.at(-1);
    if (last !== undefined) last.until = trainer.step;
    // Steps after the branching belong to the new stretch alone.
    for (const stretch of this.#stretches.splice(0)) {
      if (stretch.timeline.first <= trainer.step) this.#stretches.push(stretch);
      else this.#free(stretch);
    }
    const timeline = await trainer.record({ maxBytes: snapshotBytes });
    this.#stretches.push({ trainer, timeline, until: Number.POSITIVE_INFINITY });
    while (this.#stretches.length > keptStretches) this.#free(this.#stretches.shift()!);
  }

  /** Earliest step that can be gone back to. */
  get first(): number {
    return this.#stretches[0]?.timeline.first ?? 0;
  }

  /** The weights exactly as they were after `step`; valid until the next call. */
  at(step: number): Promise<Model> {
    return this.#of(step).timeline.at(step);
  }

  branch(step: number, train: Partial<TrainOptions>): Promise<Trainer> {
    return this.#of(step).timeline.branch(step, train);
  }

  clear(): void {
    for (const stretch of this.#stretches.splice(0)) this.#free(stretch);
  }

  #of(step: number): Stretch {
    const found = this.#stretches.find(({ until }) => step <= until);
    if (found === undefined) throw new RangeError(`step ${step} is not kept`);
    return found;
  }

  #free({ trainer, timeline }: Stretch): void {
    timeline.dispose();
    trainer.dispose();
  }
}
