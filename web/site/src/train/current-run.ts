// SPDX-License-Identifier: MIT
// What is fixed about the run in progress, and how it is described when saved.

import type { Trainer } from 'heed';
import type { PreparedText, RunRecord } from '../background/protocol';
import type { Settings } from './fields';
import type { Live } from './live.svelte';
import type { Snapshot } from './saver.svelte';
import type { Session } from './session';

export interface CurrentRun {
  id: string;
  /** Rate and planned steps are those of now; a continuation may have changed them. */
  settings: Settings;
  prepared: PreparedText;
  parameters: number;
  /** Steps the present trainer will make, and those done before it began. */
  plannedSteps: number;
  stepOffset: number;
  /** Tokens seen before the present trainer began. */
  tokenOffset: number;
}

export interface Words {
  probe: string;
  prompt: string;
}

export function currentRun(
  trainer: Trainer,
  fixed: Omit<CurrentRun, 'parameters' | 'plannedSteps'>,
): CurrentRun {
  return { ...fixed, parameters: trainer.model.parameters, plannedSteps: trainer.config.steps };
}

export function snapshotOf(
  { id, settings, prepared, stepOffset }: CurrentRun,
  session: Session | undefined,
  live: Live,
  words: Words,
): Snapshot {
  const { step, tokens } = live.now;
  const snapshot: Snapshot = {
    id, step, tokens, stepOffset, settings, ...words,
    playing: session?.playing === true,
    tokenizer: prepared.tokenizer,
    curves: structuredClone(live.curves.state),
  };
  if (prepared.hash !== undefined) {
    snapshot.ownText = { hash: prepared.hash, name: prepared.name ?? '' };
  }
  return snapshot;
}

/** The inverse, for a trainer made from the record's checkpoint. */
export function runOf(record: RunRecord, prepared: PreparedText, trainer: Trainer): CurrentRun {
  const { id, settings, step, stepOffset, tokens } = record;
  const tokensOfTrainer =
    (step - stepOffset) * settings.accumulation * settings.batch * settings.context;
  return currentRun(trainer, {
    id, settings, prepared, stepOffset, tokenOffset: tokens - tokensOfTrainer,
  });
}
