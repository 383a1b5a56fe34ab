// SPDX-License-Identifier: MIT
// The train room: opens or continues a run, starts new ones, and knows what state the page is in.

import type { Model } from 'heed';
import type { RunRecord } from '../background/protocol';
import { t } from '../text';
import { Beginnings } from './beginnings';
import type { Beginning } from './beginnings';
import { snapshotOf } from './current-run';
import type { CurrentRun, Words } from './current-run';
import { Draft } from './draft.svelte';
import { EngineHost } from '../shell/engine-host.svelte';
import { failureInWords } from './failures';
import { defaultSettings } from './fields';
import type { Settings } from './fields';
import type { GoodWeights } from './good-weights';
import type { Library } from './library';
import type { Live } from './live.svelte';
import { Notices } from './notices.svelte';
import type { Probe } from './probe.svelte';
import type { Sampler } from './sampler.svelte';
import { RunWatch } from './run-watch.svelte';
import type { Phase } from './run-watch.svelte';
import { Saver } from './saver.svelte';
import { Session } from './session';
import { addressOf } from './settings-url';
import { ask } from './start';
import type { Asked, Started } from './start';
import { rememberSpeed, speedOf } from './speed';
import { rememberTab } from './tab';
import { firstWords } from './texts';
import { Troubles } from './troubles';
import { Views } from './views.svelte';

export class Room {
  run: CurrentRun | undefined = $state.raw();
  readonly host: EngineHost;
  readonly notices = new Notices();
  readonly saver: Saver;
  readonly draft: Draft;
  readonly #views = new Views();
  readonly #library: Library;
  readonly #beginnings: Beginnings;
  readonly #watch: RunWatch;
  #session: Session | undefined;
  #model: Model | undefined;

  constructor(host: EngineHost, started: Started) {
    const { background, library } = started;
    this.host = host;
    this.#library = library;
    this.#beginnings = new Beginnings(this.host, this.#library);
    this.draft = new Draft(background, () => this.host.start());
    this.saver = new Saver(background, () =>
      snapshotOf(this.run!, this.#session, this.live, this.#views.words));
    this.#watch = new RunWatch(this.#views, new Troubles(this.notices, {
      startAt: (rate) => {
        this.draft.type('learningRate', String(rate));
        void this.startDraft();
      },
      backTo: (kept, learningRate) => {
        const { run } = this;
        if (run !== undefined) void this.#continue(kept, { ...run.settings, learningRate });
      },
      openAgain: (renewEngine) => {
        this.notices.clear();
        this.#session = undefined;
        this.#watch.leave();
        if (renewEngine) this.host.renew();
        void this.open();
      },
    }));
  }

  get phase(): Phase {
    return this.#watch.phase;
  }

  get live(): Live {
    return this.#views.live;
  }

  get probe(): Probe {
    return this.#views.probe;
  }

  get sampler(): Sampler {
    return this.#views.sampler;
  }

  /** On loading: the tab's run, or a saved one that fits the link, or a new one. */
  async open(asked: Asked = ask(this.#library, location.search)): Promise<void> {
    const { address, text } = asked;
    if (address.ignored.length > 0) this.notices.tell(t.notices.ignored(address.ignored));
    let { settings } = address;
    this.host.start().catch(() => {});
    try {
      const saved = await this.#library.saved(address.explicit ? settings : undefined);
      if (saved.damaged) this.notices.warn(t.notices.damaged(saved.record !== undefined));
      if (saved.record !== undefined && (await this.#resume(saved.record))) return;
      if (text === undefined) {
        this.notices.tell(t.notices.ownTextElsewhere);
        settings = { ...settings, text: defaultSettings.text };
      }
      const prepared = await (text ?? this.#library.read(settings));
      this.#begin(await this.#beginnings.fresh(settings, prepared));
      this.play();
    } catch (error) {
      this.#watch.broke(error);
    }
  }

  /** Starts what the form says; the run in progress is saved and left. */
  async startDraft(): Promise<void> {
    const { checked: { settings }, prepared } = this.draft;
    if (settings === undefined || prepared === undefined) return;
    await this.#guard(async () => {
      await this.#leave();
      this.live.clear();
      this.#begin(await this.#beginnings.fresh(settings, prepared));
      this.play();
    });
  }

  /** Goes on from the present weights with the form's rate and number of steps. */
  async continueDraft(): Promise<void> {
    const { settings } = this.draft.checked;
    const session = this.#session;
    if (settings === undefined || session === undefined) return;
    session.pause();
    const weights = await session.request((trainer) => trainer.model.save());
    const { step, tokens } = this.live.now;
    await this.#continue({ weights, step, tokens }, settings);
  }

  async #continue(from: GoodWeights, settings: Settings): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    // What there is to go back to stays, should the new settings be worse.
    const good = this.#watch.learning ? from : this.#watch.keeper.kept;
    await this.#guard(async () => {
      const { words } = this.#views;
      await this.#leave();
      this.live.goBack(from);
      this.#begin(await this.#beginnings.continued(run, from, settings), words, good);
      this.play();
    });
  }

  /** Returns whether the run could be continued; if not, says why. */
  async #resume(record: RunRecord): Promise<boolean> {
    try {
      const beginning = await this.#beginnings.saved(record);
      this.live.restore(record.curves, record.step, record.tokens);
      this.#begin(beginning, record);
      if (record.playing) this.play();
      return true;
    } catch (error) {
      if (EngineHost.died(error)) throw error;
      this.notices.warn(t.notices.notContinued(failureInWords(error)));
      return false;
    }
  }

  #begin({ trainer, run, model }: Beginning, words?: Words, kept?: GoodWeights): void {
    const { settings, prepared } = run;
    this.run = run;
    this.#model = model;
    rememberTab(run.id);
    history.replaceState(null, '', addressOf(settings, location.search) + location.hash);
    this.#views.begin(run, words ?? firstWords(settings.text, prepared));
    this.saver.begin();
    this.draft.show(settings, prepared);
    const { validator } = this.#views;
    const tasks = [this.probe, validator, this.sampler, this.#watch.keeper, this.saver];
    this.#session = this.#watch.follow(run, kept, (listener) =>
      new Session(trainer, tasks, listener));
    this.#views.ticker.now();
    this.#session.hurry(this.probe);
  }

  /** Saves and frees the run in progress. */
  async #leave(): Promise<void> {
    const session = this.#session;
    this.#watch.leave();
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
    const { run } = this;
    if (session === undefined || run === undefined) return;
    this.notices.clear();
    const { step } = this.live.now;
    const record = step === 0
      ? undefined
      : await session.request((trainer) => this.saver.record(trainer)).catch(() => undefined);
    if (run.stepOffset === 0) session.reset();
    else await this.#startOver(run, session.playing);
    if (record === undefined) return;
    this.notices.tell(t.notices.wasReset(step), [{
      label: t.notices.bringBack(step),
      run: () => void this.#guard(async () => {
        await this.#leave();
        await this.#resume(record);
      }),
    }]);
  }

  /** A continued trainer's own step 0 is not the run's, so a fresh one is made. */
  async #startOver(run: CurrentRun, playing: boolean): Promise<void> {
    await this.#guard(async () => {
      const { words } = this.#views;
      await this.#leave();
      this.live.clear();
      this.#begin(await this.#beginnings.fresh(run.settings, run.prepared, run.id), words);
      if (playing) this.play();
    });
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
    const speed = speedOf(this.live.now.tokensPerSecond, this.draft.ofRun);
    if (speed !== undefined) rememberSpeed(speed);
  }

  /** The run as a safetensors file. */
  checkpoint(): Promise<Uint8Array> | undefined {
    return this.#session?.request((trainer) => trainer.save());
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    this.notices.clear();
    try {
      await work();
    } catch (error) {
      this.#watch.broke(error);
    }
  }
}
