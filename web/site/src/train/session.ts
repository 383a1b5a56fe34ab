// SPDX-License-Identifier: MIT
// One trainer being driven: play, pause, single steps, reset, and the side tasks that run between
// steps. All engine calls of a run come from one loop, so none of them ever overlap.

import { HeedError } from 'heed';
import type { StepMetrics, Trainer } from 'heed';
import type { ChangePlan } from './change-plan';
import type { Pacer } from './pacer';

/** Work done between two steps. An aborted task gives up and leaves things as they were. */
export interface SideTask {
  readonly pacer: Pacer;
  run(trainer: Trainer, signal: AbortSignal): Promise<void>;
}

export interface SessionListener {
  stepped(metrics: StepMetrics): void;
  wasReset(): void;
  /** Training goes on (true) or has come to rest (false). */
  running(running: boolean): void;
  failed(error: HeedError): void;
}

export class Session {
  readonly trainer: Trainer;
  /** Changes that are still to come. */
  plan: ChangePlan;
  readonly #tasks: readonly SideTask[];
  readonly #listener: SessionListener;
  #playing = false;
  #steps = 0;
  #reset = false;
  #refresh = true;
  #closed = false;
  #requests: Array<() => Promise<void>> = [];
  #abort = new AbortController();
  #drive: Promise<void> | undefined;

  constructor(
    trainer: Trainer,
    plan: ChangePlan,
    tasks: readonly SideTask[],
    listener: SessionListener,
  ) {
    this.trainer = trainer;
    this.plan = plan;
    this.#tasks = tasks;
    this.#listener = listener;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get finished(): boolean {
    const { step } = this.trainer;
    return step >= this.trainer.config.steps && step !== this.plan.due;
  }

  play(): void {
    if (this.#closed || this.finished) return;
    this.#playing = true;
    this.#wake();
  }

  pause(): void {
    this.#playing = false;
    this.#wake();
  }

  /** One step from rest; while playing it pauses first. */
  stepOnce(): void {
    if (this.#closed || this.finished) return;
    this.#playing = false;
    this.#steps += 1;
    this.#wake();
  }

  /** Back to step 0 with the same seed; goes on playing if it was. */
  reset(): void {
    this.#reset = true;
    this.#steps = 0;
    this.#wake();
  }

  /** Runs a side task soon, at rest as well as between steps. */
  hurry(task: SideTask): void {
    task.pacer.force();
    if (this.#playing) return;
    this.#refresh = true;
    this.#wake();
  }

  /** Runs `work` between two steps, or now when at rest. */
  request<T>(work: (trainer: Trainer) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#requests.push(() => work(this.trainer).then(resolve, reject));
      if (!this.#playing) this.#wake();
    });
  }

  /** Resolves when nothing is running; at rest only. */
  async idle(): Promise<void> {
    while (this.#drive !== undefined) await this.#drive;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#playing = false;
    this.#abort.abort();
    await this.idle();
    this.trainer.dispose();
  }

  #wake(): void {
    this.#abort.abort();
    this.#drive ??= this.#run().finally(() => {
      this.#drive = undefined;
      // Asked for after the loop's last look.
      if (this.#requests.length > 0 && !this.#closed) this.#wake();
    });
  }

  /** Does what is asked for until nothing is. */
  async #run(): Promise<void> {
    for (let more = true; more && !this.#closed; ) {
      this.#abort = new AbortController();
      try {
        await this.#answerRequests();
        more = await this.#next();
      } catch (error) {
        const known = asHeedError(error);
        this.#playing = false;
        this.#steps = 0;
        this.#listener.running(false);
        this.#listener.failed(known);
        // The refused step changed nothing, so the figures can show what is there.
        more = known.code === 'non-finite';
        if (more) this.#settle();
      }
    }
  }

  /** Does the most pressing thing; false when there is nothing to do. */
  async #next(): Promise<boolean> {
    if (this.#reset) {
      this.#reset = false;
      await this.trainer.reset();
      this.#listener.wasReset();
      this.#settle();
    } else if (this.#steps > 0) {
      this.#steps -= 1;
      await this.#advance({ steps: 1 });
      this.#listener.running(false);
      this.#settle();
    } else if (this.#playing && !this.finished) {
      this.#listener.running(true);
      await this.#advance({ signal: this.#abort.signal });
      if (this.finished) this.#playing = false;
      if (!this.#playing) {
        this.#listener.running(false);
        this.#settle();
      }
    } else if (this.#refresh) {
      this.#refresh = false;
      await this.#sideTasks(this.#abort.signal);
    } else {
      return false;
    }
    return true;
  }

  /** At rest every figure shows the weights as they are now. */
  #settle(): void {
    this.#refresh = true;
    for (const task of this.#tasks) task.pacer.force();
  }

  async #advance(options: { steps?: number; signal?: AbortSignal }): Promise<void> {
    try {
      await this.plan.make(this.trainer);
      const untilChange = this.plan.due - this.trainer.step;
      const steps = Math.min(options.steps ?? Number.POSITIVE_INFINITY, untilChange);
      const limited = Number.isFinite(steps) ? { ...options, steps } : options;
      for await (const metrics of this.trainer.run(limited)) {
        if (this.#closed) return;
        this.#listener.stepped(metrics);
        const { signal } = options;
        if (signal === undefined) continue;
        await this.#sideTasks(signal);
        await this.#answerRequests();
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
  }

  async #answerRequests(): Promise<void> {
    for (const answer of this.#requests.splice(0)) await answer();
  }

  async #sideTasks(signal: AbortSignal): Promise<void> {
    for (const task of this.#tasks) {
      if (signal.aborted) return;
      if (!task.pacer.due) continue;
      try {
        await task.pacer.run(() => task.run(this.trainer, signal));
      } catch (error) {
        // Interrupted by the reader: still due when there is time again.
        if (isAbort(error)) task.pacer.force();
        // Weights that overflow a figure: it keeps its last state, and training tells by itself.
        else if (!(error instanceof HeedError && error.code === 'non-finite')) throw error;
      }
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof HeedError
    ? error.code === 'aborted'
    : error instanceof DOMException && error.name === 'AbortError';
}

function asHeedError(error: unknown): HeedError {
  if (error instanceof HeedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new HeedError('crashed', message, { cause: error });
}
