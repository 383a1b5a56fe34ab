// SPDX-License-Identifier: MIT
// The run that the learn room shows, made a second time by the package in Node. The room's settings
// are written down once more here, on purpose.

import { createEngine } from '../../../../web/lib/dist/node.js';

export const pointAndShift = {
  model: {
    vocab: 14, context: 7, layers: 1, heads: 1, width: 24, headWidth: 24, ffn: 0, norm: 'none',
    outProjection: false, position: 'learned', bias: false, tied: true, dropout: 0, init: 'unit',
  },
  train: {
    steps: 100_000, batch: 32, seed: 11, optimizer: 'adamw', learningRate: 0.01,
    minLearningRate: 0.01, schedule: 'constant', warmup: 0, weightDecay: 0, clip: 0, valFraction: 0,
  },
  data: { task: 'pointAndShift' },
};

export const labels = [...'ABCDEFGH', '@0', '@1', '@2', '@3', '@4', '@5'];

export class Twin {
  #timeline;
  metrics = [];

  constructor(engine, trainer, timeline) {
    this.engine = engine;
    this.trainer = trainer;
    this.#timeline = timeline;
  }

  static async open({ model = {}, train = {}, data = pointAndShift.data } = {}) {
    const engine = await createEngine();
    const trainer = await engine.createTrainer({
      model: { ...pointAndShift.model, ...model },
      train: { ...pointAndShift.train, ...train },
      data,
    });
    return new Twin(engine, trainer, await trainer.record());
  }

  /** Trains on to `step`, if it is not there yet. */
  async to(step) {
    if (step <= this.trainer.step) return this;
    for await (const metrics of this.trainer.run({ steps: step - this.trainer.step, report: true })) {
      this.metrics[metrics.step] = metrics;
    }
    return this;
  }

  /** The model as it was after `step`. */
  async at(step) {
    await this.to(step);
    return step === this.trainer.step ? this.trainer.model : this.#timeline.at(step);
  }

  example(index = 0) {
    return this.trainer.example(index, 'validation');
  }

  /** A trace of a held-back example; whoever asks disposes it. */
  async trace(step, { example = 0, whatIf = [], targets } = {}) {
    const model = await this.at(step);
    const probe = await this.example(example);
    return model.trace(probe.tokens, targets ?? probe.targets, { whatIf });
  }

  close() {
    this.engine.dispose();
  }
}
