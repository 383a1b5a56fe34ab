// SPDX-License-Identifier: MIT
// The train room: opens or continues a run, starts new ones, and knows what state the page is in.

import type { HeedError, Model, StepMetrics, Trainer } from 'heed';
import { tokenizerFromJSON } from 'heed';
import { Background } from '../background/client';
import type { PreparedText, RunRecord } from '../background/protocol';
import { t } from '../text';
import { currentRun, runOf, snapshotOf } from './current-run';
import type { CurrentRun, Words } from './current-run';
import { Draft } from './draft.svelte';
import { EngineHost } from './engine-host.svelte';
import { failureInWords } from './failures';
import { defaultSettings, modelOptions, trainOptions } from './fields';
import type { Settings } from './fields';
import { Library } from './library';
import { Live } from './live.svelte';
import { Notices } from './notices.svelte';
import { Probe } from './probe.svelte';
import { Sampler } from './sampler.svelte';
import { Saver } from './saver.svelte';
import { Session } from './session';
import { addressOf, settingsFromAddress } from './settings-url';
import { rememberSpeed } from './speed';
import { newRunId, rememberTab } from './tab';
import { builtInIds, firstWords } from './texts';
import { Ticker } from './ticker';
import { Validator } from './validator';

export type Phase =
  /** No trainer yet. */
  | 'opening'
  | 'running' | 'paused' | 'finished'
  /** A step was refused because a number was not finite; the weights are good. */
  | 'stopped'
  /** No run: the form can start one. */
  | 'empty'
  /** No engine. */
  | 'broken';

export class Room {
  phase: Phase = $state('opening');
  run: CurrentRun | undefined = $state.raw();
  /** Of the run in progress; with its tokens per second, the machine's speed. */
  flopsPerToken: number | undefined = $state();
  readonly host = new EngineHost();
  readonly notices = new Notices();
  readonly live = new Live();
  readonly probe: Probe;
  readonly sampler: Sampler;
  readonly saver: Saver;
  readonly draft: Draft;
  readonly #library: Library;
  readonly #validator: Validator;
  readonly #ticker: Ticker;
  #session: Session | undefined;
  /** A model that the trainer was given and does not dispose. */
  #model: Model | undefined;

  constructor() {
    const background = new Background();
    this.#ticker = new Ticker(() => {
      this.live.flush();
      this.probe.flush();
      this.sampler.flush();
    });
    const stepNow = (): number => this.live.now.step;
    const changed = (): void => this.#ticker.mark();
    this.#library = new Library(background);
    this.draft = new Draft(background, () => this.host.start());
    this.probe = new Probe(stepNow, changed);
    this.sampler = new Sampler(stepNow, changed);
    this.saver = new Saver(background, () =>
      snapshotOf(this.run!, this.#session, this.live, this.#words()));
    this.#validator = new Validator((loss) => {
      this.live.validated(loss);
      changed();
    });
  }

  #words(): Words {
    return { probe: this.probe.text, prompt: this.sampler.prompt };
  }

  /** On loading: the tab's run, or a saved one that fits the link, or a new one. */
  async open(): Promise<void> {
    const address = settingsFromAddress(location.search, [...builtInIds, 'own']);
    if (address.ignored.length > 0) this.notices.tell(t.notices.ignored(address.ignored));
    let { settings } = address;
    this.host.start().catch(() => {});
    // Most visits need this text, and reading it need not wait for the storage to answer.
    const likely = settings.text === 'own' ? undefined : this.#library.read(settings);
    likely?.catch(() => {});
    try {
      const saved = await this.#library.saved(address.explicit ? settings : undefined);
      if (saved.damaged) this.notices.warn(t.notices.damaged(saved.record !== undefined));
      if (saved.record !== undefined && (await this.#resume(saved.record))) return;
      if (likely === undefined) {
        this.notices.tell(t.notices.ownTextElsewhere);
        settings = { ...settings, text: defaultSettings.text };
      }
      await this.#start(settings, await (likely ?? this.#library.read(settings)));
    } catch (error) {
      this.#break(error);
    }
  }

  /** Starts what the form says; the run in progress is saved and left. */
  async startDraft(): Promise<void> {
    const { checked: { settings }, prepared } = this.draft;
    if (settings === undefined || prepared === undefined) return;
    await this.#guard(() => this.#start(settings, prepared));
  }

  async #start(settings: Settings, prepared: PreparedText): Promise<void> {
    await this.#leave();
    const engine = await this.host.start();
    const trainer = await engine.createTrainer({
      model: modelOptions(settings, prepared.vocab),
      train: trainOptions(settings),
      data: { tokens: prepared.tokens },
    });
    this.live.clear();
    const run = currentRun(trainer, {
      id: newRunId(), settings, prepared, learningRate: settings.learningRate,
      stepOffset: 0, tokenOffset: 0,
    });
    this.#begin(trainer, run, firstWords(settings.text, prepared));
    this.play();
  }

  /** Returns whether the run could be continued; if not, says why. */
  async #resume(record: RunRecord): Promise<boolean> {
    try {
      const prepared = await this.#library.textOf(record);
      const engine = await this.host.start();
      const data = { tokens: prepared.tokens };
      const { trainer } = await engine.resumeTrainer(record.checkpoint, data);
      this.live.restore(record.curves, record.step, record.tokens);
      this.#begin(trainer, runOf(record, prepared, trainer), record);
      if (record.playing) this.play();
      return true;
    } catch (error) {
      if (EngineHost.died(error)) throw error;
      this.notices.warn(t.notices.notContinued(failureInWords(error)));
      return false;
    }
  }

  /**
   * Goes on from the present weights at another rate, for the steps that are left. The optimizer's
   * moments start anew, since those that led here belong to the old rate.
   */
  async continueAt(learningRate: number): Promise<void> {
    const { run } = this;
    const session = this.#session;
    if (run === undefined || session === undefined) return;
    await this.#guard(async () => {
      session.pause();
      const weights = await session.request((trainer) => trainer.model.save());
      const words = this.#words();
      await this.#leave();
      const engine = await this.host.start();
      const { model } = await engine.loadModel(weights);
      const { step, tokens } = this.live.now;
      const steps = Math.max(1, run.stepOffset + run.plannedSteps - step);
      const trainer = await engine.createTrainer({
        model,
        train: trainOptions({ ...run.settings, learningRate, steps }),
        data: { tokens: run.prepared.tokens },
      });
      this.#model = model;
      const next = { ...run, learningRate, stepOffset: step, tokenOffset: tokens };
      this.#begin(trainer, currentRun(trainer, next), words);
      this.play();
    });
  }

  #begin(trainer: Trainer, run: CurrentRun, { probe, prompt }: Words): void {
    const { settings, prepared } = run;
    const tokenizer = tokenizerFromJSON(prepared.tokenizer);
    this.run = run;
    rememberTab(run.id);
    history.replaceState(null, '', addressOf(settings) + location.hash);
    this.live.begin(run);
    this.probe.begin(tokenizer, settings.context, probe);
    this.sampler.begin(tokenizer, prompt);
    this.saver.begin();
    this.draft.show(settings, prepared);
    const tasks = [this.probe, this.#validator, this.sampler, this.saver];
    const session = new Session(trainer, tasks, {
      stepped: (metrics) => this.#stepped(metrics),
      wasReset: () => this.#wasReset(),
      running: (running) => this.#runs(running),
      failed: (error) => this.#failed(error),
    });
    this.#session = session;
    this.phase = session.finished ? 'finished' : 'paused';
    this.#ticker.now();
    session.hurry(this.probe);
    void this.#countFlops(run);
  }

  async #countFlops({ settings, prepared }: CurrentRun): Promise<void> {
    const engine = await this.host.start();
    const { flopsPerStep, tokensPerStep } = await engine.forecast(
      modelOptions(settings, prepared.vocab), trainOptions(settings),
    );
    this.flopsPerToken = flopsPerStep / tokensPerStep;
  }

  /** Saves and frees the run in progress. */
  async #leave(): Promise<void> {
    const session = this.#session;
    this.phase = 'opening';
    this.#session = undefined;
    if (session === undefined) return;
    session.pause();
    await session.request((trainer) => this.saver.run(trainer)).catch(() => {});
    await session.close();
    this.#model?.dispose();
    this.#model = undefined;
  }

  play(): void {
    this.#session?.play();
  }

  toggle(): void {
    if (this.phase === 'running') this.#session?.pause();
    else this.#session?.play();
  }

  stepOnce(): void {
    this.#session?.stepOnce();
  }

  /** Back to step 0; what was there can be brought back. */
  async reset(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.notices.clear();
    const { step } = this.live.now;
    const record = step === 0
      ? undefined
      : await session.request((trainer) => this.saver.record(trainer)).catch(() => undefined);
    session.reset();
    if (record === undefined) return;
    this.notices.tell(t.notices.wasReset(step), [{
      label: t.notices.bringBack(step),
      run: () => void this.#guard(async () => {
        await this.#leave();
        await this.#resume(record);
      }),
    }]);
  }

  showProbe(text: string): void {
    if (this.probe.set(text)) this.#session?.hurry(this.probe);
  }

  showSample(prompt: string): void {
    if (this.sampler.set(prompt)) this.#session?.hurry(this.sampler);
  }

  setTemperature(temperature: number): void {
    this.sampler.temperature = temperature;
    this.#session?.hurry(this.sampler);
  }

  /** The page may go away: saves while there is time. */
  hidden(): void {
    this.#session?.hurry(this.saver);
  }

  /** The run as a safetensors file. */
  checkpoint(): Promise<Uint8Array> | undefined {
    return this.#session?.request((trainer) => trainer.save());
  }

  #stepped(metrics: StepMetrics): void {
    if (metrics.step === 1) performance.mark('heed:first-step');
    this.live.stepped(metrics);
    this.#ticker.mark();
  }

  #wasReset(): void {
    this.live.clear();
    if (this.run !== undefined) {
      this.run = { ...this.run, stepOffset: 0, tokenOffset: 0 };
      this.live.begin(this.run);
    }
    this.phase = 'paused';
    this.#ticker.now();
  }

  #runs(running: boolean): void {
    if (running) {
      this.phase = 'running';
      return;
    }
    this.live.rest();
    this.phase = this.#session?.finished === true ? 'finished' : 'paused';
    this.#ticker.now();
    const { tokensPerSecond } = this.live.now;
    if (tokensPerSecond !== undefined && this.flopsPerToken !== undefined) {
      rememberSpeed(tokensPerSecond * this.flopsPerToken);
    }
  }

  #failed(error: HeedError): void {
    if (error.code !== 'non-finite') {
      this.#break(error);
      return;
    }
    this.phase = 'stopped';
    const rate = this.run?.learningRate ?? defaultSettings.learningRate;
    const lower = Math.min(rate / 10, defaultSettings.learningRate);
    this.notices.warn(failureInWords(error), [
      { label: t.notices.continueAt(lower), run: () => void this.continueAt(lower) },
      {
        label: t.notices.startAt(lower),
        run: () => {
          this.draft.type('learningRate', String(lower));
          void this.startDraft();
        },
      },
    ]);
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    this.notices.clear();
    try {
      await work();
    } catch (error) {
      this.#break(error);
    }
  }

  /** No run goes on. Whether the form may start another depends on whether the engine lives. */
  #break(error: unknown): void {
    const dead = EngineHost.died(error);
    this.phase = dead ? 'broken' : this.#session === undefined ? 'empty' : 'paused';
    this.notices.warn(failureInWords(error), [{
      label: t.notices.tryAgain,
      run: () => {
        this.notices.clear();
        this.#session = undefined;
        this.phase = 'opening';
        if (dead) this.host.renew();
        void this.open();
      },
    }]);
  }
}
