// SPDX-License-Identifier: MIT
// The learn room as the page sees it: the run's state, redrawn at most ten times a second, the one
// selection, the chapter and how deep it goes.

import type { Engine, Example, Model, StepMetrics } from 'heed';
import { tick } from 'svelte';
import type { Selection } from '../figures/contracts';
import { createLights, createSelection } from '../figures/selection';
import type { EngineHost } from '../shell/engine-host.svelte';
import { Ticker } from '../train/ticker';
import { readAddress, writeAddress } from './address';
import type { Depth, LearnAddress, Side } from './address';
import { chapterIds } from './chapters/ids';
import type { ChapterId } from './chapters/ids';
import type { Frame } from './run/frames';
import type { Kept } from './run/history';
import { LearnRun } from './run/learn-run';
import type { Accuracy, Phase, Stage } from './run/learn-run';
import { defaultsOf } from './run/lessons';
import type { LessonSettings } from './run/lessons';
import { ownText } from './run/own-text';
import type { RestReason } from './run/rest';

/** What is drawn: a run as it was at one moment. */
export interface View {
  phase: Phase;
  rest: RestReason | undefined;
  stage: Stage;
  staged: { loss?: number; gradientNorm?: number };
  step: number;
  shownStep: number;
  /** An earlier step is looked at on purpose; for a moment figures may lag behind without that. */
  scrubbed: boolean;
  firstStep: number;
  metrics: StepMetrics | undefined;
  accuracy: Accuracy | undefined;
  example: Example | undefined;
  exampleIndex: number;
  settings: LessonSettings;
  labels: readonly string[];
  frame: Frame | undefined;
  before: Frame | undefined;
  origin: Frame | undefined;
  losses: Kept;
  canUndo: boolean;
  groupChanges: Kept;
}

/** Steps a second that can be chosen; the last is as fast as it goes. */
export const paces = [1, 4, 12, 50, Number.POSITIVE_INFINITY] as const;
const defaultPace = 12;

/** The address follows the page after so much quiet; browsers refuse to be asked too often. */
const addressMs = 400;

export class LearnRoom {
  readonly host: EngineHost;
  readonly selection = createSelection();
  readonly lights = createLights();
  view: View | undefined = $state.raw();
  at: Readonly<Selection> = $state.raw(this.selection.current);
  pinned = $state(false);
  lit: string | undefined = $state();
  chapter: ChapterId = $state('c0');
  depth: Depth = $state('numbers');
  side: Side = $state('forward');
  pace: number = $state(defaultPace);
  error: unknown = $state.raw();
  /** Steps set side by side. */
  pins: readonly number[] = $state.raw([]);
  /** Questions to the model without an answer yet. */
  asking = $state(0);
  /** What the page's one live region says. */
  spoken = $state('');
  readonly embed: boolean;
  readonly controls: readonly string[] | undefined;
  readonly #asked: LearnAddress;
  readonly #ticker = new Ticker(() => this.#flush());
  #initial: LessonSettings;
  #run: LearnRun | undefined;
  #resume = false;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(search: string, host: EngineHost) {
    this.host = host;
    this.#asked = readAddress(search, chapterIds);
    const { chapter, depth, side, embed, controls, settings, selection } = this.#asked;
    this.chapter = chapter as ChapterId;
    this.depth = depth;
    this.side = side;
    this.embed = embed;
    this.controls = controls;
    this.#initial = settings;
    const { address, ...place } = selection;
    this.selection.move(place);
    if (address !== undefined) this.selection.pin({ address });
    this.selection.subscribe((current, pinned) => this.#selected(current, pinned));
    this.lights.subscribe((part) => (this.lit = part));
    this.#selected(this.selection.current, this.selection.pinned);
  }

  async open(): Promise<void> {
    const { branchings, step, selection } = this.#asked;
    const opened = await this.#begin(this.#initial, selection.example ?? 0);
    if (!opened) return;
    if (step === undefined) this.play();
    else await this.#run?.replay(branchings, step);
  }

  /** Starts a run of other settings, from step 0. */
  async start(change: Partial<LessonSettings>): Promise<void> {
    const task = change.task ?? this.#initial.task;
    const base = change.task === undefined ? this.#initial : defaultsOf(task);
    // A chosen seed stays when the task changes.
    const settings = { ...base, seed: this.#initial.seed, ...change };
    if (await this.#begin(settings, 0)) this.play();
  }

  /** The same run again from step 0. */
  async reset(): Promise<void> {
    const playing = this.view?.phase === 'running';
    if (await this.#begin(this.#initial, this.at.example) && playing) this.play();
  }

  get running(): boolean {
    return this.view?.phase === 'running';
  }

  get engine(): Engine | undefined {
    return this.#run?.engine;
  }

  get initial(): LessonSettings {
    return this.#initial;
  }

  play(): void {
    this.#run?.play();
  }

  toggle(): void {
    if (this.running) this.#run?.pause();
    else this.play();
  }

  step(): void {
    this.#do((run) => run.stepOnce());
  }

  back(): void {
    this.#do((run) => run.stepBack());
  }

  stage(): void {
    this.#do((run) => run.stageOnce());
  }

  scrub(step: number): void {
    this.#run?.pause();
    this.#do((run) => run.showStep(step));
  }

  pinStep(step: number, pinned: boolean): void {
    const others = this.pins.filter((pin) => pin !== step);
    this.pins = pinned ? [...others, step].sort((a, b) => a - b) : others;
  }

  branch(change: Partial<Pick<LessonSettings, 'learningRate' | 'optimizer'>>): void {
    this.#do((run) => run.branch(change));
  }

  /** A step of some groups of weights only (all when omitted); see LearnRun.partialStep. */
  async partialStep(groups: string[] | undefined): Promise<void> {
    try {
      await this.#run?.partialStep(groups);
    } catch (error) {
      this.error = error;
    }
    this.#ticker.now();
  }

  get canUndo(): boolean {
    return this.view?.canUndo ?? false;
  }

  undo(): void {
    this.#do((run) => run.undo());
  }

  showExample(index: number): void {
    this.selection.move({ example: index });
    this.#do((run) => run.showExample(index));
  }

  setPace(pace: number): void {
    this.pace = pace;
    if (this.#run !== undefined) this.#run.pace = pace;
  }

  /** A page that nobody sees rests, and goes on when it is seen again. */
  seen(visible: boolean): void {
    if (!visible && this.running) {
      this.#resume = true;
      this.#run?.pause('hidden');
    } else if (visible && this.#resume) {
      this.#resume = false;
      this.play();
    }
  }

  go(chapter: ChapterId): void {
    this.chapter = chapter;
    this.#addressSoon();
  }

  setDepth(depth: Depth): void {
    this.depth = depth;
    this.#addressSoon();
  }

  setSide(side: Side): void {
    this.side = side;
    this.#addressSoon();
  }

  /** Asks the model of the step shown; see LearnRun.ask. */
  ask<T>(work: (model: Model, step: number) => Promise<T>): Promise<T> {
    return this.#run?.ask(work) ?? Promise.reject(new Error('no run'));
  }

  get run(): LearnRun | undefined {
    return this.#run;
  }

  /** A link to what is shown now, at rest at its step. */
  link(): string {
    return new URL(this.#written(this.view?.shownStep), location.href).href;
  }

  async #begin(settings: LessonSettings, example: number): Promise<boolean> {
    const old = this.#run;
    this.#run = undefined;
    this.error = undefined;
    try {
      await old?.close();
      const engine = await this.host.start();
      const run = new LearnRun(engine, settings, ownText(), () => this.#ticker.mark());
      this.#initial = settings;
      this.#run = run;
      await run.open(example);
      run.pace = this.pace;
      this.#place(run);
      this.#ticker.now();
      return true;
    } catch (error) {
      this.error = error;
      return false;
    }
  }

  /** Looks at a row where an answer counts, unless the address or the reader has chosen one. */
  #place(run: LearnRun): void {
    const targets = run.example?.targets ?? [];
    const last = targets.findLastIndex((target: number) => target >= 0);
    const chosen = this.#asked.selection.i !== undefined && run.settings === this.#asked.settings;
    if (chosen || last < 0) return;
    this.selection.release();
    this.selection.move({ layer: 0, head: 0, i: last, j: 0, channel: 0, address: undefined });
  }

  #do(work: (run: LearnRun) => Promise<void>): void {
    if (this.#run === undefined) return;
    work(this.#run).then(() => this.#ticker.now(), (error: unknown) => (this.error = error));
  }

  #flush(): void {
    const run = this.#run;
    if (run === undefined) return;
    const { frames } = run;
    this.view = {
      phase: run.phase, rest: run.rest, stage: run.stage, staged: run.staged, step: run.step,
      shownStep: frames.shown?.step ?? run.shownStep, firstStep: run.firstStep,
      scrubbed: run.scrubbedTo !== undefined,
      metrics: run.metrics, accuracy: run.accuracy, example: run.example,
      exampleIndex: run.exampleIndex, settings: run.settings, labels: run.lesson.labels,
      frame: frames.shown, before: frames.before, origin: frames.origin,
      losses: run.losses.copy(), groupChanges: run.groupChanges.copy(), canUndo: run.canUndo,
    };
    if (run.error !== undefined) this.error = run.error;
    this.selection.move({ step: this.view.shownStep });
    if (run.phase !== 'running') this.#addressSoon();
    // Freed once everything that showed them has been drawn anew.
    void tick().then(() => frames.sweep());
  }

  #selected(current: Readonly<Selection>, pinned: boolean): void {
    this.at = current;
    this.pinned = pinned;
    this.#addressSoon();
  }

  #written(step: number | undefined): string {
    const { chapter, depth, side } = this;
    const branchings = this.#run?.branchings ?? [];
    const selection = this.pinned ? this.at : { ...this.at, address: undefined };
    return writeAddress(
      { chapter, depth, side, settings: this.#initial, branchings, step, selection },
      this.#initial, location.search,
    );
  }

  #addressSoon(): void {
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      const resting = this.view !== undefined && this.view.phase === 'paused';
      const step = resting ? this.view?.shownStep : undefined;
      history.replaceState(history.state, '', this.#written(step));
    }, addressMs);
  }
}
