// SPDX-License-Identifier: MIT
// A question to the model that follows what is shown: the newest wish is asked, those overtaken are
// dropped, and while training goes on it is asked a few times a second only.

import { HeedError } from 'heed';
import type { Model, Trainer } from 'heed';
import type { LearnRoom } from '../room.svelte';

export interface Answer<T> {
  /** What was asked, as the asker wrote it. */
  key: string;
  /** The step whose weights were asked. */
  step: number;
  data: T;
}

/** A question may cost as much as dozens of steps of a tiny model. */
const whileRunningMs = 300;

export class Query<T> {
  answer: Answer<T> | undefined = $state.raw();
  /** Why there is no answer. */
  failure: unknown = $state.raw();
  readonly #room: () => LearnRoom;
  #asked: string | undefined;
  #wanted: { key: string; work: () => Promise<Answer<T>> } | undefined;
  #busy = false;
  #lastAt = -Infinity;

  constructor(room: () => LearnRoom) {
    this.#room = room;
  }

  /** Asks the model of the step shown. The same `key` is not asked twice in a row. */
  ask(key: string, work: (model: Model) => Promise<T>): void {
    this.#want(key, () => this.#room().ask(async (model, step) =>
      ({ key, step, data: await work(model) })));
  }

  /** Asks the trainer, at its newest step; what the work changes it has to undo. */
  askTrainer(key: string, work: (trainer: Trainer) => Promise<T>): void {
    const { run } = this.#room();
    if (run === undefined) return;
    this.#want(key, () => run.askTrainer(async (trainer) =>
      ({ key, step: trainer.step, data: await work(trainer) })));
  }

  /** Asks something else than the model, a trace for example. */
  askAt(key: string, step: number, work: () => Promise<T>): void {
    this.#want(key, async () => ({ key, step, data: await work() }));
  }

  /** No answer, and nothing asked. */
  clear(): void {
    this.#asked = undefined;
    this.#wanted = undefined;
    this.answer = undefined;
  }

  #want(key: string, work: () => Promise<Answer<T>>): void {
    if (key === this.#asked) return;
    this.#asked = key;
    this.#wanted = { key, work };
    if (!this.#busy) void this.#go();
  }

  async #go(): Promise<void> {
    this.#busy = true;
    this.#room().asking += 1;
    while (this.#wanted !== undefined) {
      const wait = this.#lastAt + whileRunningMs - performance.now();
      if (this.#room().running && wait > 0) await new Promise((done) => setTimeout(done, wait));
      const { key, work } = this.#wanted ?? {};
      this.#wanted = undefined;
      if (work === undefined) break;
      this.#lastAt = performance.now();
      try {
        const answer = await work();
        if (key === this.#asked || this.#wanted !== undefined) this.answer = answer;
        this.failure = undefined;
      } catch (error) {
        // The run or the trace it was asked of is gone: there is a newer one to ask.
        const gone = error instanceof HeedError && error.code === 'disposed';
        if (!gone) this.failure = error;
      }
    }
    this.#busy = false;
    this.#room().asking -= 1;
  }
}
