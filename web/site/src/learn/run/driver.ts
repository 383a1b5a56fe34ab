// SPDX-License-Identifier: MIT
// Drives one trainer: plays at a chosen pace, does what is asked for between two steps, and looks
// at the model now and then. All engine calls of a run come from one loop, so none ever overlap.

import type { StepMetrics, Trainer } from 'heed';
import { Pacer } from '../../train/pacer';

export interface DriverListener {
  stepped(metrics: StepMetrics): void;
  /** Whether training goes on (true) or has come to rest. */
  playing(playing: boolean): void;
  failed(error: unknown): void;
}

/**
 * At most this often, and at most this share of the time, is the model looked at in training. Ten
 * times a second cost the page's thread a fifth of the speed on two cores; this costs a sixth.
 */
const lookMs = 150;
const lookShare = 0.1;

/**
 * At full speed the engine is asked for this much work at a time, so that it goes on while the page
 * draws. A stop is heard within it.
 */
const pullMs = 60;
const mostStepsPerPull = 100;

export class Driver {
  #trainer: Trainer;
  readonly #look: (trainer: Trainer) => Promise<void>;
  readonly #listener: DriverListener;
  readonly #looking = new Pacer(lookMs, lookShare);
  readonly #queue: Array<() => Promise<void>> = [];
  #playing = false;
  #closed = false;
  #stepsPerSecond = Number.POSITIVE_INFINITY;
  #nextAt = 0;
  /** Of the last step; unknown at first, so the first pull is of one step. */
  #stepMs = pullMs;
  #wakeUp: (() => void) | undefined;
  #abort = new AbortController();
  #loop: Promise<void> | undefined;

  /** `look` reads what figures show; it is called between steps, and at rest when asked to. */
  constructor(
    trainer: Trainer,
    look: (trainer: Trainer) => Promise<void>,
    listener: DriverListener,
  ) {
    this.#trainer = trainer;
    this.#look = look;
    this.#listener = listener;
  }

  get trainer(): Trainer {
    return this.#trainer;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Steps per second; infinity is as fast as the machine goes. */
  set pace(stepsPerSecond: number) {
    this.#stepsPerSecond = stepsPerSecond;
    this.#nextAt = 0;
    this.#wake();
  }

  play(): void {
    if (this.#closed || this.#playing) return;
    this.#playing = true;
    this.#nextAt = 0;
    this.#listener.playing(true);
    this.#wake();
  }

  pause(): void {
    if (!this.#playing) return;
    this.#playing = false;
    this.#listener.playing(false);
    this.look();
  }

  /** One step from rest; while playing it pauses first. */
  step(): Promise<void> {
    this.#rest();
    return this.request(async (trainer) => {
      for await (const metrics of trainer.run({ steps: 1, report: true })) this.#listener.stepped(metrics);
      await this.#look(trainer);
    });
  }

  /** Looks at the model soon. */
  look(): void {
    if (this.#closed) return;
    this.#queue.push(() => this.#look(this.#trainer));
    this.#wake();
  }

  /** Runs `work` between two steps; its errors are the caller's. */
  request<T>(work: (trainer: Trainer) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push(() => work(this.#trainer).then(resolve, reject));
      this.#wake();
    });
  }

  /** Goes on with another trainer; the old one is the caller's to free. */
  replace(trainer: Trainer): void {
    this.#trainer = trainer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#playing = false;
    this.#wake();
    await this.#loop;
  }

  #rest(): void {
    if (!this.#playing) return;
    this.#playing = false;
    this.#listener.playing(false);
  }

  #wake(): void {
    this.#abort.abort();
    this.#wakeUp?.();
    this.#loop ??= this.#run().finally(() => {
      this.#loop = undefined;
      // Asked for after the loop's last look.
      if (this.#queue.length > 0 && !this.#closed) this.#wake();
    });
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#abort = new AbortController();
      const work = this.#queue.shift();
      try {
        if (work !== undefined) await work();
        else if (this.#playing) await this.#advance();
        else return;
      } catch (error) {
        this.#rest();
        this.#listener.failed(error);
      }
    }
  }

  async #advance(): Promise<void> {
    const wait = this.#nextAt - performance.now();
    if (wait > 1) {
      await this.#sleep(wait);
      return;
    }
    const free = this.#stepsPerSecond === Number.POSITIVE_INFINITY;
    const every = Math.round(pullMs / this.#stepMs);
    const options = free
      ? {
          signal: this.#abort.signal, report: true,
          every: Math.max(1, Math.min(mostStepsPerPull, every)),
        }
      : { steps: 1, report: true };
    let stepped = false;
    for await (const metrics of this.#trainer.run(options)) {
      stepped = true;
      this.#stepMs = Math.max(0.1, metrics.stepMs);
      this.#listener.stepped(metrics);
      if (this.#looking.due) await this.#looking.run(() => this.#look(this.#trainer));
      if (!this.#playing || this.#closed || this.#queue.length > 0) break;
    }
    if (!free) {
      const interval = 1000 / this.#stepsPerSecond;
      // What was missed while the engine was busy is not caught up with in a burst.
      this.#nextAt = Math.max(this.#nextAt + interval, performance.now());
    } else if (!stepped && !this.#abort.signal.aborted) {
      // All planned steps are done.
      this.pause();
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
