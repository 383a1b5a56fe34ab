// SPDX-License-Identifier: MIT
// Everything that shows the run while it trains: numbers, map and sample, redrawn by one ticker.

import { tokenizerFromJSON } from 'heed';
import type { CurrentRun, Words } from './current-run';
import { Live } from './live.svelte';
import { Probe } from './probe.svelte';
import { Sampler } from './sampler.svelte';
import { Ticker } from './ticker';
import { Validator } from './validator';

export class Views {
  readonly live = new Live();
  readonly ticker: Ticker;
  readonly probe: Probe;
  readonly sampler: Sampler;
  readonly validator: Validator;

  constructor() {
    this.ticker = new Ticker((complete) => {
      this.live.flush(complete);
      this.probe.flush();
      this.sampler.flush();
    });
    const stepNow = (): number => this.live.now.step;
    const changed = (): void => this.ticker.mark();
    this.probe = new Probe(stepNow, changed);
    this.sampler = new Sampler(stepNow, changed);
    this.validator = new Validator((loss) => {
      this.live.validated(loss);
      changed();
    });
  }

  get words(): Words {
    return { probe: this.probe.text, prompt: this.sampler.prompt };
  }

  begin(run: CurrentRun, { probe, prompt }: Words): void {
    const tokenizer = tokenizerFromJSON(run.prepared.tokenizer);
    this.live.begin(run);
    this.probe.begin(tokenizer, run.settings.context, probe);
    this.sampler.begin(tokenizer, prompt);
  }
}
