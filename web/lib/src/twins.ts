// SPDX-License-Identifier: MIT
// The public Twins over either backend.

import type { RunOptions, StepMetrics, Trainer } from './api.js';
import type { Twins } from './api-train.js';
import { checkRunOptions } from './call-options.js';
import { HeedError, reviveError } from './errors.js';
import type { Backend } from './protocol.js';
import { HeedTrainer } from './trainer.js';

export class HeedTwins implements Twins {
  readonly trainers: readonly HeedTrainer[];
  readonly #backend: Backend;

  constructor(backend: Backend, trainers: readonly Trainer[]) {
    this.#backend = backend;
    this.trainers = Object.freeze(checkTwins(trainers));
    this.trainers.forEach((trainer) => trainer.handleFor(backend));
  }

  run(options: RunOptions = {}): AsyncIterableIterator<StepMetrics[]> {
    this.trainers.forEach((trainer) => trainer.handleFor(this.#backend));
    checkRunOptions(options);
    return this.#run(options);
  }

  async *#run({
    steps = Number.POSITIVE_INFINITY,
    every = 1,
    report = false,
    signal,
  }: RunOptions): AsyncGenerator<StepMetrics[], void, undefined> {
    const shortest = Math.min(...this.trainers.map(({ config }) => config.steps));
    let step = this.trainers[0]!.step;
    const until = Math.min(step + steps, shortest);
    while (step < until && signal?.aborted !== true) {
      const trainers = this.trainers.map((trainer) => trainer.handleFor(this.#backend));
      const params = { trainers, steps: Math.min(every, until - step), report };
      const done = await this.#backend.call('advanceTwins', params, { signal });
      step = done.step;
      this.trainers.forEach((trainer) => trainer.moveTo(done.step));
      if (done.metrics !== null) {
        yield done.metrics;
      }
      if (done.failure !== undefined) {
        throw reviveError(done.failure);
      }
      if (done.metrics === null) {
        // Aborted inside the first step of this pull.
        return;
      }
    }
  }
}

function checkTwins(trainers: readonly Trainer[]): HeedTrainer[] {
  const valid = Array.isArray(trainers) && trainers.every((t) => t instanceof HeedTrainer);
  if (!valid || trainers.length < 2) {
    throw new HeedError(
      'invalid-argument',
      'Twins are made of an array of at least two trainers of this engine. Pass what ' +
        'createTrainer() returned.',
    );
  }
  const twins: HeedTrainer[] = [...trainers];
  if (new Set(twins.map(({ model }) => model)).size < twins.length) {
    throw new HeedError(
      'invalid-argument',
      'Two of the twins train the same model. Give each a model of its own.',
    );
  }
  const [first, ...others] = twins;
  others.forEach((other, i) => {
    for (const [name, read] of Object.entries(shared)) {
      const [wanted, found] = [read(first!), read(other)];
      if (wanted !== found) {
        throw new HeedError(
          'invalid-argument',
          `Twins must draw identical batches, but ${name} is ${wanted} for the first and ` +
            `${found} for number ${i + 2}. Create them with the same ${name}.`,
        );
      }
    }
  });
  return twins;
}

/** What batches depend on. */
const shared: Record<string, (trainer: HeedTrainer) => string | number> = {
  seed: ({ config }) => config.seed,
  batch: ({ config }) => config.batch,
  accumulation: ({ config }) => config.accumulation,
  'number of tokens in an example': ({ data }) => data.time,
  'fingerprint of the data': ({ data }) => data.fingerprint,
};
