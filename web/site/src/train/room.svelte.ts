// SPDX-License-Identifier: MIT
// The train room: opens or continues a run, starts new ones, and knows what state the page is in.

import type { RunRecord } from '../background/protocol';
import { t } from '../text';
import type { Answers } from './answers.svelte';
import { Beginnings } from './beginnings';
import type { Beginning } from './beginnings';
import { ChangePlan } from './change-plan';
import { changeBetween, changed } from './changes';
import { snapshotOf } from './current-run';
import type { CurrentRun, Words } from './current-run';
import { Draft } from './draft.svelte';
import { EngineHost } from '../shell/engine-host.svelte';
import { restHidden } from '../shell/switches.svelte';
import { failureInWords } from './failures';
import { defaultSettings } from './fields';
import type { Settings } from './fields';
import type { GoodState } from './good-state';
import type { Library } from './library';
import type { Live } from './live.svelte';
import { Notices } from './notices.svelte';
import type { Probe } from './probe.svelte';
import type { Sampler } from './sampler.svelte';
import { trainOptions } from './options';
import { newRunId } from './run-id';
import type { RunDoctor } from './run-doctor.svelte';
import { RunWatch } from './run-watch.svelte';
import type { Phase } from './run-watch.svelte';
import { Runs } from './runs.svelte';
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
  readonly runs: Runs;
  readonly #views = new Views();
  readonly #library: Library;
  readonly #beginnings: Beginnings;
  readonly #watch: RunWatch;
  #session: Session | undefined;
  /** The end of what changes the run, if anything does. */
  #turn: Promise<void> = Promise.resolve();
  /** Rests while the page is hidden. */
  #resting: Session | undefined;

  constructor(host: EngineHost, started: Started) {
    const { background, library } = started;
    this.host = host;
    this.#library = library;
    this.#beginnings = new Beginnings(this.host, this.#library);
    this.draft = new Draft(background, () => this.host.start());
    this.saver = new Saver(background, () =>
      snapshotOf(this.run!, this.#session, this.live, this.#views.words),
      () => this.live.now.step, () => void this.runs.refresh());
    this.runs = new Runs(background);
    this.#watch = new RunWatch(this.#views, new Troubles(this.notices, {
      startAt: (rate) => {
        this.draft.type('learningRate', String(rate));
        void this.startDraft();
      },
      backTo: (kept, learningRate) => {
        const { run } = this;
        if (run !== undefined) void this.#goBack(kept, { ...run.settings, learningRate });
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

  /** There is no run, and none is on its way. */
  get idle(): boolean {
    return this.run === undefined && (this.phase === 'empty' || this.phase === 'broken');
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

  get doctor(): RunDoctor {
    return this.#views.doctor;
  }

  get answers(): Answers {
    return this.#views.answers;
  }

  /** On loading: the tab's run, or a saved one that fits the link, or a new one. */
  open(asked: Asked = ask(this.#library, location.search)): Promise<void> {
    return this.#inTurn(() => this.#try(() => this.#open(asked)));
  }

  async #open({ address, text }: Asked): Promise<void> {
    if (address.ignored.length > 0) this.notices.tell(t.notices.ignored(address.ignored));
    let { settings, changes } = address;
    this.draft.expect(settings);
    this.host.start().catch(() => {});
    const saved = await this.#library.saved(
      address.explicit ? { first: settings, changes } : undefined,
    );
    if (saved.damaged) this.notices.warn(t.notices.damaged(saved.record !== undefined));
    if (saved.record !== undefined && (await this.#resume(saved.record))) return;
    if (text === undefined) {
      this.notices.tell(t.notices.ownTextElsewhere);
      settings = { ...settings, text: defaultSettings.text };
      changes = [];
    }
    const prepared = await (text ?? this.#library.read(settings));
    this.#begin(await this.#beginnings.fresh(settings, prepared, changes));
    this.play();
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

  /** Goes on with what the form says of the training; nothing of what was learned is lost. */
  async continueDraft(): Promise<void> {
    const { settings } = this.draft.checked;
    const { run } = this;
    const session = this.#session;
    if (settings === undefined || run === undefined || session === undefined) return;
    if (changeBetween(run.settings, settings) === undefined) return;
    this.notices.clear();
    try {
      await session.request((trainer) => trainer.change(trainOptions(settings)));
    } catch (error) {
      // Refused: the run is as it was.
      this.notices.warn(failureInWords(error));
      return;
    }
    const changes = changed(run.first, run.changes, session.trainer.step, settings);
    this.#show({ ...run, settings, changes });
    session.plan = this.#planOf(this.run!, session.trainer.step + 1);
    this.#watch.changed(this.run!);
    this.play();
  }

  async #goBack(from: GoodState, settings: Settings): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    await this.#guard(async () => {
      const { words } = this.#views;
      await this.#leave();
      this.live.goBack(from);
      this.#begin(await this.#beginnings.continued(run, from, settings), words, from);
      this.play();
    });
  }

  #planOf({ first, changes }: CurrentRun, step: number): ChangePlan {
    return new ChangePlan(first, changes, step, (settings) => {
      const { run } = this;
      if (run === undefined) return;
      // A form that is being filled in is left alone.
      const formShows = !this.draft.differsFrom(run.settings, run.prepared.hash);
      this.run = { ...run, settings };
      if (formShows) this.draft.show(settings, run.prepared);
      this.#watch.changed(this.run);
    });
  }

  /** The run as of now, in the page's address and in the form. */
  #show(run: CurrentRun): void {
    this.run = run;
    const { first, changes, settings, prepared } = run;
    history.replaceState(null, '', addressOf(first, changes, location.search) + location.hash);
    this.draft.show(settings, prepared);
  }

  /** Leaves the run in progress for another one that is saved here; it rests there. */
  async openRun(id: string): Promise<void> {
    await this.#openRecord(() => this.#library.only({ id }));
  }

  /** A new run that goes on from a state of a saved one. */
  async fork(id: string, step: number): Promise<void> {
    await this.#openRecord(async () => {
      const record = await this.#library.only({ id, step });
      const changes = record.changes.filter((change) => change.step <= record.step);
      const origin = { id, step: record.step };
      return { ...record, id: newRunId(), origin, changes, name: '', notes: '', playing: true };
    });
  }

  #openRecord(read: () => Promise<RunRecord>): Promise<void> {
    return this.#inTurn(() => this.#leaveFor(read));
  }

  async #leaveFor(read: () => Promise<RunRecord>): Promise<void> {
    let record: RunRecord;
    let beginning: Beginning;
    this.runs.problem = undefined;
    try {
      // Before the present run is left: it stays where this fails.
      await this.#session?.request((trainer) => this.saver.run(trainer));
      record = await read();
      beginning = await this.#beginnings.saved(record);
    } catch (error) {
      this.runs.problem = failureInWords(error);
      if (this.run !== undefined) this.#library.keepOnly(this.run.id);
      return;
    }
    this.notices.clear();
    await this.#try(async () => {
      await this.#leave();
      this.live.restore(record.curves, record.step, record.tokens);
      this.#begin(beginning, record);
      // A fork is not saved yet.
      if (record.origin === undefined) this.saver.begin(record.step);
      if (record.playing) this.play();
      // It becomes the newest of the list.
      else this.#session?.hurry(this.saver);
    });
  }

  /** Returns whether the run could be continued; if not, says why. */
  async #resume(record: RunRecord): Promise<boolean> {
    try {
      this.#restore(record, await this.#beginnings.saved(record));
      return true;
    } catch (error) {
      if (EngineHost.died(error)) throw error;
      this.notices.warn(t.notices.notContinued(failureInWords(error)));
      return false;
    }
  }

  #restore(record: RunRecord, beginning: Beginning): void {
    this.live.restore(record.curves, record.step, record.tokens);
    this.#begin(beginning, record);
    this.saver.begin(record.step);
    if (record.playing) this.play();
  }

  #begin({ trainer, run, words: first }: Beginning, words?: Words, kept?: GoodState): void {
    const { settings, prepared } = run;
    rememberTab(run.id);
    // Another tab may have what this one had before, once it is written.
    void this.saver.written().then(() => this.#library.keepOnly(run.id));
    this.#views.begin(run, words ?? first ?? firstWords(settings.text, prepared), trainer.step);
    this.saver.begin(0);
    this.#show(run);
    const { validator, doctor } = this.#views;
    const written = prepared.task === undefined ? this.sampler : this.answers;
    const tasks = [this.probe, validator, written, doctor, this.#watch.keeper, this.saver];
    const plan = this.#planOf(run, trainer.step);
    this.#session = this.#watch.follow(run, kept, (listener) =>
      new Session(trainer, plan, tasks, listener));
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
    // There already. Making a run anew would only lose what is pressed meanwhile.
    if (step === 0) return;
    const record =
      await session.request((trainer) => this.saver.record(trainer)).catch(() => undefined);
    if (run.changes.length === 0) session.reset();
    else await this.#startOver(run, session.playing);
    if (record === undefined) return;
    this.notices.tell(t.notices.wasReset(step), [{
      label: t.notices.bringBack(step),
      run: () => void this.#guard(async () => {
        await this.#leave();
        this.#restore(record, await this.#beginnings.saved(record));
      }),
    }]);
  }

  /** A trainer that was changed has not the settings of its step 0 any more, so a fresh one is made; the
   * changes come again at their steps. */
  async #startOver(run: CurrentRun, playing: boolean): Promise<void> {
    await this.#guard(async () => {
      const { words } = this.#views;
      await this.#leave();
      this.live.clear();
      this.#begin(await this.#beginnings.fresh(run.first, run.prepared, run.changes, run.id), words);
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
    if (restHidden.on && this.#session?.playing === true) {
      this.#resting = this.#session;
      this.#session.pause();
    }
    this.#session?.hurry(this.saver);
    const speed = speedOf(this.live.now.tokensPerSecond, this.draft.ofRun);
    if (speed !== undefined) rememberSpeed(speed);
  }

  /** Goes on with what rested only because nobody saw it. */
  seen(): void {
    if (this.#resting === this.#session) this.#session?.play();
    this.#resting = undefined;
  }

  /** The run as a safetensors file. */
  checkpoint(): Promise<Uint8Array> | undefined {
    return this.#session?.request((trainer) => trainer.save());
  }

  /** One run is left and another begun at a time, however fast the reader clicks. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    // A turn that failed has told its caller; the next one comes all the same.
    this.#turn = this.#turn.catch(() => {}).then(work);
    return this.#turn;
  }

  #guard(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      this.notices.clear();
      await this.#try(work);
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#watch.broke(error);
      if (this.run === undefined) this.draft.gaveUp(this.phase === 'empty');
    }
  }
}
