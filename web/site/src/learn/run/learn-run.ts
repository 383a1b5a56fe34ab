// SPDX-License-Identifier: MIT
// A run of the learn room: one trainer, one probe example that every figure shows, and the way
// through its past. Knows nothing of Svelte; `onChange` says that something is different.

import type { Engine, Example, Model, StepMetrics, Trace, Trainer } from 'heed';
import { markFirstStep } from '../../shell/first-step';
import { Pacer } from '../../train/pacer';
import { Driver } from './driver';
import { Frames } from './frames';
import type { Frame } from './frames';
import { History } from './history';
import { dataOf } from './lesson-data';
import type { LessonData } from './lesson-data';
import { modelOf, trainOf } from './lessons';
import type { LessonSettings } from './lessons';
import { Past } from './past';
import { Rest } from './rest';
import type { RestReason } from './rest';

export type Phase = 'opening' | 'running' | 'paused' | 'broken';

/** Which part of the next step has been done. */
export type Stage = 'idle' | 'forward' | 'backward';

export interface Accuracy {
  step: number;
  /** Share of counted tokens, and of whole sequences, that are right on held-back examples. */
  accuracy: number;
  exact: number;
  sequences: number;
}

/** A change of training settings in mid-run, so that a link can repeat it. */
export interface Branching {
  step: number;
  learningRate: number;
  optimizer: LessonSettings['optimizer'];
}

/** Examples of the held-back split that accuracy is measured on. */
const checkedExamples = 64;

export class LearnRun {
  phase: Phase = 'opening';
  rest: RestReason | undefined;
  stage: Stage = 'idle';
  /** Of the stage in progress: loss after forward, gradient norm after backward. */
  staged: { loss?: number; gradientNorm?: number } = {};
  metrics: StepMetrics | undefined;
  accuracy: Accuracy | undefined;
  example: Example | undefined;
  exampleIndex = 0;
  /** The step being looked at, where that is not the newest. */
  scrubbedTo: number | undefined;
  settings: LessonSettings;
  readonly branchings: Branching[] = [];
  readonly losses = new History();
  /** By group of weights, the length of its change in a step. */
  readonly groupChanges = new History();
  readonly frames = new Frames();
  readonly lesson: LessonData;
  error: unknown;
  /** Whether the last thing that happened was a partial step. */
  canUndo = false;
  readonly #engine: Engine;
  readonly #onChange: () => void;
  readonly #past = new Past();
  readonly #rest = new Rest();
  readonly #checking = new Pacer(500, 0.1);
  #driver: Driver | undefined;
  /** Whose weights are shown: after a branching the same step number may mean others. */
  #shownOf: Trainer | undefined;

  constructor(engine: Engine, settings: LessonSettings, text: string, onChange: () => void) {
    this.#engine = engine;
    this.settings = settings;
    this.#onChange = onChange;
    this.lesson = dataOf(settings.task, text);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Completed steps. */
  get step(): number {
    return this.#driver?.trainer.step ?? 0;
  }

  get shownStep(): number {
    return this.scrubbedTo ?? this.step;
  }

  get firstStep(): number {
    return this.#past.first;
  }

  get model(): Model | undefined {
    return this.#driver?.trainer.model;
  }

  async open(exampleIndex: number): Promise<void> {
    const trainer = await this.#engine.createTrainer({
      model: modelOf(this.settings, this.lesson.vocab),
      train: trainOf(this.settings),
      data: this.lesson.data,
    });
    await this.#past.follow(trainer);
    this.#driver = new Driver(trainer, (now) => this.#look(now), {
      stepped: (metrics) => this.#stepped(metrics),
      playing: (playing) => {
        this.phase = playing ? 'running' : 'paused';
        this.#onChange();
      },
      failed: (error) => {
        this.error = error;
        this.#onChange();
      },
    });
    this.phase = 'paused';
    await this.showExample(exampleIndex);
  }

  /** Repeats a run of a link: trains to each branching, then to `step`. */
  async replay(branchings: readonly Branching[], step: number): Promise<void> {
    for (const { step: at, learningRate, optimizer } of branchings) {
      await this.#trainTo(at);
      await this.branch({ learningRate, optimizer });
    }
    await this.#trainTo(step);
    this.#driver?.look();
  }

  set pace(stepsPerSecond: number) {
    if (this.#driver !== undefined) this.#driver.pace = stepsPerSecond;
  }

  play(): void {
    this.rest = undefined;
    this.#rest.playFrom(this.step);
    if (this.scrubbedTo !== undefined) void this.showStep(this.step);
    this.#driver?.play();
  }

  pause(reason: RestReason = 'reader'): void {
    if (this.#driver?.playing !== true) return;
    this.rest = reason;
    this.#driver.pause();
  }

  /** The next step: of what was recorded while looking back, else a new one. */
  async stepOnce(): Promise<void> {
    if (this.scrubbedTo !== undefined) return this.showStep(this.scrubbedTo + 1);
    this.rest = 'reader';
    this.stage = 'idle';
    await this.#driver?.step();
  }

  async stepBack(): Promise<void> {
    this.pause();
    await this.showStep(Math.max(this.firstStep, this.shownStep - 1));
  }

  /** Forward, then backward, then update: one of them at each call. */
  async stageOnce(): Promise<void> {
    this.pause();
    if (this.scrubbedTo !== undefined) await this.showStep(this.step);
    await this.#driver?.request(async (trainer) => {
      if (this.stage === 'idle') {
        this.staged = { loss: (await trainer.forward()).loss };
        this.stage = 'forward';
      } else if (this.stage === 'forward') {
        const { gradientNorm } = await trainer.backward();
        this.staged = { ...this.staged, gradientNorm };
        this.stage = 'backward';
      } else {
        this.#stepped((await trainer.update()).metrics);
        await this.#look(trainer);
      }
    });
    this.#onChange();
  }

  /** One step in which only `groups` move; the rest of the step is the real one. */
  async partialStep(groups: string[] | undefined): Promise<void> {
    this.pause();
    await this.#driver?.request(async (trainer) => {
      await trainer.forward();
      await trainer.backward();
      this.#stepped((await trainer.update(groups)).metrics);
      this.canUndo = true;
      await this.#look(trainer);
    });
  }

  /**
   * Back to before the last partial step, to the bit: from the recorded past, since the trainer's
   * own undo reaches one step back and looking ahead has used it.
   */
  async undo(): Promise<void> {
    const driver = this.#driver;
    if (driver === undefined || !this.canUndo) return;
    const at = driver.trainer.step - 1;
    await driver.request(async () => {
      await this.#goOn(await this.#past.branch(at, {}), at);
    });
  }

  /** Shows the model as it was after `step`; the newest step is shown live. */
  async showStep(step: number): Promise<void> {
    const driver = this.#driver;
    if (driver === undefined) return;
    const wanted = Math.max(this.firstStep, Math.min(step, this.step));
    // At once, so that keys pressed in quick succession count on from each other.
    this.scrubbedTo = wanted === this.step ? undefined : wanted;
    await driver.request(async (trainer) => {
      if (this.scrubbedTo === undefined) return this.#look(trainer);
      // Overtaken by a later wish.
      if (this.scrubbedTo !== wanted) return;
      const before = wanted > this.firstStep && this.frames.shown?.step !== wanted - 1;
      if (before) this.frames.setBefore(await this.#frameAt(wanted - 1));
      this.frames.show(await this.#frameAt(wanted));
      this.#shownOf = undefined;
      this.#onChange();
    });
  }

  async showExample(index: number): Promise<void> {
    const driver = this.#driver;
    if (driver === undefined) return;
    await driver.request(async (trainer) => {
      this.example = await trainer.example(index, 'validation');
      this.exampleIndex = index;
      this.frames.clear();
      this.frames.setOrigin(await this.#frameAt(this.firstStep));
      if (this.scrubbedTo === undefined) await this.#look(trainer);
      else this.frames.show(await this.#frameAt(this.scrubbedTo));
      this.#onChange();
    });
  }

  /** Goes on from the step shown under other settings, without a reset. */
  async branch(change: Partial<Pick<LessonSettings, 'learningRate' | 'optimizer'>>): Promise<void> {
    const driver = this.#driver;
    if (driver === undefined) return;
    const settings = { ...this.settings, ...change };
    const at = this.shownStep;
    await driver.request(async () => {
      const { learningRate, optimizer } = settings;
      const trainer = await this.#past.branch(at, {
        learningRate, minLearningRate: learningRate, optimizer,
      });
      this.settings = settings;
      this.branchings.push({ step: at, learningRate, optimizer });
      await this.#goOn(trainer, at);
    });
  }

  /** Runs `work` on the model of the step shown, between two steps of training. */
  ask<T>(work: (model: Model, step: number) => Promise<T>): Promise<T> {
    const driver = this.#driver;
    if (driver === undefined) return Promise.reject(new Error('the run is not open'));
    return driver.request(async (trainer) => {
      const scrubbed = this.scrubbedTo;
      return scrubbed === undefined
        ? work(trainer.model, trainer.step)
        : work(await this.#past.at(scrubbed), scrubbed);
    });
  }

  /** An example with the weights of an earlier step; the caller disposes the trace. */
  traceAt(step: number, tokens: Int32Array, targets: Int32Array): Promise<Trace> {
    return this.askTrainer(async () => (await this.#past.at(step)).trace(tokens, targets));
  }

  /** Runs `work` on the trainer itself; what it changes it has to undo. */
  askTrainer<T>(work: (trainer: Trainer) => Promise<T>): Promise<T> {
    const driver = this.#driver;
    if (driver === undefined) return Promise.reject(new Error('the run is not open'));
    return driver.request(work);
  }

  async close(): Promise<void> {
    await this.#driver?.close();
    this.frames.clear();
    this.#past.clear();
  }

  /** Trains with `trainer` from now on; what came after `step` is forgotten. */
  async #goOn(trainer: Trainer, step: number): Promise<void> {
    await this.#past.follow(trainer);
    this.#driver?.replace(trainer);
    this.stage = 'idle';
    this.staged = {};
    this.canUndo = false;
    this.scrubbedTo = undefined;
    this.#cutLosses(step);
    await this.#look(trainer);
  }

  #stepped(metrics: StepMetrics): void {
    markFirstStep();
    this.metrics = metrics;
    this.canUndo = false;
    this.stage = 'idle';
    this.staged = {};
    this.losses.add(metrics.step, { loss: metrics.loss });
    this.#keepGroups(metrics);
    const reason = this.#rest.after(metrics, this.accuracy);
    if (reason !== undefined) this.pause(reason);
    this.#onChange();
  }

  async #look(trainer: Trainer): Promise<void> {
    if (this.scrubbedTo !== undefined || this.example === undefined) return;
    if (this.#shownOf !== trainer || this.frames.shown?.step !== trainer.step) {
      this.#shownOf = trainer;
      this.frames.show(await this.#trace(trainer.model, trainer.step));
    }
    if (this.#checking.due || this.phase !== 'running') {
      await this.#checking.run(() => this.#check(trainer));
    }
    this.#onChange();
  }

  async #check(trainer: Trainer): Promise<void> {
    if (this.accuracy?.step === trainer.step) return;
    const { accuracy, exact, sequences } = await trainer.evaluate({
      split: 'validation', maxWindows: checkedExamples,
    });
    this.accuracy = { step: trainer.step, accuracy, exact, sequences };
  }

  async #trace(model: Model, step: number): Promise<Frame> {
    const { tokens, targets } = this.example!;
    return { step, trace: await model.trace(tokens, targets) };
  }

  async #frameAt(step: number): Promise<Frame> {
    return this.#trace(await this.#past.at(step), step);
  }

  async #trainTo(step: number): Promise<void> {
    await this.#driver?.request(async (trainer) => {
      const steps = step - trainer.step;
      if (steps <= 0) return;
      for await (const metrics of trainer.run({ steps })) this.#stepped(metrics);
    });
  }

  #keepGroups({ step, groups }: StepMetrics): void {
    if (groups === undefined) return;
    this.groupChanges.add(
      step, Object.fromEntries(groups.map(({ name, change }) => [name, change])));
  }

  /** What came after `step` did not happen on this branch. */
  #cutLosses(step: number): void {
    this.losses.cutAfter(step);
    this.groupChanges.cutAfter(step);
  }
}
