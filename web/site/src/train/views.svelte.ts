// SPDX-License-Identifier: MIT
// Everything that shows the run while it trains: numbers, map and sample, redrawn by one ticker.

import { Answers } from './answers.svelte';
import type { CurrentRun, Words } from './current-run';
import { Live } from './live.svelte';
import { Probe } from './probe.svelte';
import { RunDoctor } from './run-doctor.svelte';
import { Sampler } from './sampler.svelte';
import { tokenizerOf } from './task-data';
import { Ticker } from './ticker';
import { Validator } from './validator';

export class Views {
  readonly live = new Live();
  readonly ticker: Ticker;
  readonly probe: Probe;
  readonly sampler: Sampler;
  readonly answers: Answers;
  readonly validator: Validator;
  readonly doctor: RunDoctor;

  constructor() {
    this.ticker = new Ticker((complete) => {
      this.live.flush(complete);
      this.probe.flush();
      this.sampler.flush();
      this.answers.flush();
      this.doctor.flush();
    });
    const stepNow = (): number => this.live.now.step;
    const changed = (): void => this.ticker.mark();
    this.probe = new Probe(stepNow, changed);
    this.sampler = new Sampler(stepNow, changed);
    this.answers = new Answers(stepNow, changed);
    this.doctor = new RunDoctor(this.live.curves, changed);
    this.validator = new Validator((loss, exact) => {
      this.live.validated(loss, exact);
      changed();
    });
  }

  get words(): Words {
    return { probe: this.probe.text, prompt: this.sampler.prompt };
  }

  /** `step`: how many are done. */
  begin(run: CurrentRun, { probe, prompt }: Words, step: number): void {
    const tokenizer = tokenizerOf(run.prepared.tokenizer);
    const onTask = run.prepared.task !== undefined;
    this.live.begin(run.settings.steps);
    this.probe.begin(tokenizer, run.settings.context, probe);
    this.sampler.begin(tokenizer, prompt);
    this.answers.begin(onTask ? tokenizer : undefined);
    this.validator.begin(onTask);
    this.doctor.begin(run, step);
  }
}
