// SPDX-License-Identifier: MIT
// Follows the session in progress: what state the run is in, and whether it is going wrong.

import type { HeedError, StepMetrics } from 'heed';
import { markFirstStep } from '../shell/first-step';
import { t } from '../text';
import { formatLoss } from '../text/format';
import type { CurrentRun } from './current-run';
import { Divergence } from './divergence';
import { failureInWords } from './failures';
import { StateKeeper } from './good-state';
import type { GoodState } from './good-state';
import type { Session, SessionListener } from './session';
import type { Troubles } from './troubles';
import type { Views } from './views.svelte';

export type Phase =
  /** No trainer yet. */
  | 'opening'
  | 'running' | 'paused' | 'finished'
  /** Training stopped by itself because it went wrong. */
  | 'stopped'
  /** No run: the form can start one. */
  | 'empty'
  /** No engine. */
  | 'broken';

export class RunWatch {
  phase: Phase = $state('opening');
  readonly keeper: StateKeeper;
  readonly #views: Views;
  readonly #troubles: Troubles;
  #run: CurrentRun | undefined;
  #session: Session | undefined;
  #divergence = new Divergence(1);
  /** Training stopped by itself and has not gone on. */
  #stopped = false;

  constructor(views: Views, troubles: Troubles) {
    this.#views = views;
    this.#troubles = troubles;
    this.keeper = new StateKeeper(() => (this.learning ? views.live.now : undefined));
  }

  /** The loss is below that of guessing evenly. */
  get learning(): boolean {
    return this.#divergence.learning;
  }

  /** `make` makes the session that is followed from now on. */
  follow(
    run: CurrentRun,
    kept: GoodState | undefined,
    make: (listener: SessionListener) => Session,
  ): Session {
    const session: Session = make({
      stepped: (metrics) => this.#stepped(metrics),
      wasReset: () => this.#wasReset(),
      // A session that was left still comes to rest, which is not this run's state any more.
      running: (running) => this.#session === session && this.#runs(running),
      failed: (error) => this.#session === session && this.#failed(error),
    });
    this.#run = run;
    this.#session = session;
    this.#divergence = new Divergence(run.prepared.vocab);
    this.#stopped = false;
    this.keeper.begin(kept);
    this.phase = session.finished ? 'finished' : 'paused';
    return session;
  }

  /** The run goes on under other settings, which may serve it better. */
  changed(run: CurrentRun): void {
    this.#run = run;
    this.#stopped = false;
    this.#views.live.begin(run.settings.steps);
    this.#views.doctor.begin(run, this.#views.live.now.step);
    if (this.phase === 'finished' || this.phase === 'stopped') this.phase = 'paused';
  }

  leave(): void {
    this.#session = undefined;
    this.phase = 'opening';
  }

  /** No run goes on. Whether the form may start another depends on whether the engine lives. */
  broke(error: unknown): void {
    const dead = this.#troubles.broke(error);
    this.phase = dead ? 'broken' : this.#session === undefined ? 'empty' : 'paused';
  }

  #stepped(metrics: StepMetrics): void {
    markFirstStep();
    this.#views.live.stepped(metrics);
    this.#views.doctor.stepped(metrics);
    this.#views.ticker.mark();
    if (!this.#divergence.passes(metrics.loss)) return;
    const uniform = Math.log(this.#run?.prepared.vocab ?? 1);
    this.#stop(t.notices.diverging(formatLoss(this.#divergence.mean), formatLoss(uniform)));
    this.#session?.pause();
  }

  #wasReset(): void {
    this.#views.live.clear();
    this.keeper.begin();
    if (this.#run !== undefined) {
      this.#views.live.begin(this.#run.settings.steps);
      this.#views.doctor.begin(this.#run, 0);
      this.#divergence = new Divergence(this.#run.prepared.vocab);
    }
    this.#stopped = false;
    this.phase = 'paused';
    this.#views.ticker.now();
  }

  #runs(running: boolean): void {
    if (running) {
      this.phase = 'running';
      this.#stopped = false;
      return;
    }
    this.#views.live.rest();
    this.phase = this.#stopped ? 'stopped'
      : this.#session?.finished === true ? 'finished'
      : 'paused';
    this.#views.ticker.now();
  }

  #failed(error: HeedError): void {
    if (error.code === 'non-finite') this.#stop(failureInWords(error));
    else this.broke(error);
  }

  #stop(why: string): void {
    this.#stopped = true;
    this.phase = 'stopped';
    if (this.#run !== undefined) this.#troubles.stopped(this.#run, why, this.keeper.kept);
  }
}
