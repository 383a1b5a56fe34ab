// SPDX-License-Identifier: MIT
// The public Timeline over either backend.

import type { Model, TrainConfig, Trainer, TrainOptions } from './api.js';
import type { Timeline } from './api-train.js';
import { checkNumber } from './call-options.js';
import { HeedModel } from './model.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import { changedTrain } from './options.js';
import type { Backend, Handle, ModelDescription, TrainerDescription } from './protocol.js';

/** What a timeline reads of the trainer that it records. */
interface Recorded {
  readonly step: number;
  readonly config: Readonly<TrainConfig>;
}

export class HeedTimeline implements Timeline {
  readonly #backend: Backend;
  readonly #life: Lifetime;
  readonly #recorded: Recorded;
  readonly #handle: Handle;
  readonly #adopt: (made: TrainerDescription) => Trainer;
  #first: number;
  /** Made when it is first needed: it takes a run's memory a second time. */
  #replay: Promise<ModelDescription & { trainer: Handle }> | undefined;
  #model: HeedModel | undefined;

  /** `adopt` makes a Trainer of a branch. */
  constructor(
    backend: Backend,
    parent: Lifetime,
    recorded: Recorded,
    handle: Handle,
    first: number,
    adopt: (made: TrainerDescription) => Trainer,
  ) {
    this.#backend = backend;
    this.#life = new Lifetime('timeline', () => backend.release(handle), parent);
    this.#recorded = recorded;
    this.#handle = handle;
    this.#first = first;
    this.#adopt = adopt;
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#recorded.step;
  }

  get disposed(): boolean {
    return this.#life.disposed;
  }

  dispose(): void {
    this.#life.end();
  }

  [symbolDispose](): void {
    this.dispose();
  }

  /** For the library itself: the trainer was reset, or has taken a step back. */
  wentBackTo(step: number): void {
    this.#first = Math.min(this.#first, step);
  }

  async kept(): Promise<number[]> {
    this.#life.check();
    const { first, kept } = await this.#backend.call('timeline', { timeline: this.#handle });
    this.#first = first;
    return kept;
  }

  async at(step: number): Promise<Model> {
    this.#life.check();
    checkNumber(step, 'step', 0);
    const replay = await this.#startReplay();
    await this.#backend.call('seek', { timeline: this.#handle, replay: replay.trainer, step });
    this.#life.check();
    if (this.#model === undefined || this.#model.disposed) {
      // The engine's model is freed with the timeline, whatever becomes of this one.
      const life = new Lifetime('model', () => undefined, this.#life);
      this.#model = new HeedModel(this.#backend, life, replay);
    }
    return this.#model;
  }

  async branch(step: number, options: TrainOptions = {}): Promise<Trainer> {
    this.#life.check();
    checkNumber(step, 'step', 0);
    const train = changedTrain(this.#recorded.config, options);
    const freeze = options.freeze && [...options.freeze];
    const replay = await this.#startReplay();
    const params = { timeline: this.#handle, replay: replay.trainer, step, train, freeze };
    return this.#adopt(await this.#backend.call('branch', params));
  }

  #startReplay(): Promise<ModelDescription & { trainer: Handle }> {
    if (this.#replay === undefined) {
      const started = this.#backend.call('startReplay', { timeline: this.#handle });
      this.#replay = started;
      // Where there was no memory there may be some later.
      started.catch(() => {
        this.#replay = undefined;
      });
    }
    return this.#replay;
  }
}
