// SPDX-License-Identifier: MIT
// What the reader is told, and offered, when a run goes wrong or cannot go on.

import { t } from '../text';
import type { CurrentRun } from './current-run';
import { EngineHost } from '../shell/engine-host.svelte';
import { failureInWords } from './failures';
import { defaultSettings } from './fields';
import type { GoodState } from './good-state';
import type { NoticeAction, Notices } from './notices.svelte';

/** What the offers do; the room does it. */
export interface Remedies {
  startAt(learningRate: number): void;
  backTo(kept: GoodState, learningRate: number): void;
  openAgain(renewEngine: boolean): void;
}

export class Troubles {
  readonly #notices: Notices;
  readonly #remedies: Remedies;

  constructor(notices: Notices, remedies: Remedies) {
    this.#notices = notices;
    this.#remedies = remedies;
  }

  /** Training stopped by itself; a lower rate, from before it went wrong, is the usual way on. */
  stopped({ settings }: CurrentRun, why: string, kept: GoodState | undefined): void {
    const tenth = Number((settings.learningRate / 10).toPrecision(3));
    const rate = Math.min(tenth, defaultSettings.learningRate);
    const actions: NoticeAction[] = [
      { label: t.notices.startAt(rate), run: () => this.#remedies.startAt(rate) },
    ];
    if (kept !== undefined) {
      actions.unshift({
        label: t.notices.backTo(kept.step, rate),
        run: () => this.#remedies.backTo(kept, rate),
      });
    }
    this.#notices.warn(why, actions);
  }

  /** Nothing goes on; returns whether the engine is gone as well. */
  broke(error: unknown): boolean {
    const dead = EngineHost.died(error);
    this.#notices.warn(failureInWords(error), [
      { label: t.notices.tryAgain, run: () => this.#remedies.openAgain(dead) },
    ]);
    return dead;
  }
}
