// SPDX-License-Identifier: MIT
// What is fixed about the run in progress, and how it is described when saved.

import type { Trainer } from 'heed';
import type { Origin, PreparedText, RunRecord } from '../background/protocol';
import { settingsAt } from './changes';
import type { Change } from './changes';
import type { Settings } from './fields';
import type { Live } from './live.svelte';
import type { Snapshot } from './saver.svelte';
import type { Session } from './session';

export interface CurrentRun {
  id: string;
  /** The state of another run from which this one went on. */
  origin?: Origin;
  /** As of step 0. */
  first: Settings;
  changes: readonly Change[];
  /** As of now. */
  settings: Settings;
  prepared: PreparedText;
  parameters: number;
}

/** Without what is undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

export interface Words {
  probe: string;
  prompt: string;
}

export function currentRun(
  trainer: Trainer,
  fixed: Omit<CurrentRun, 'parameters' | 'settings'>,
): CurrentRun {
  const { first, changes } = fixed;
  const settings = settingsAt(first, changes, trainer.step);
  return { ...fixed, settings, parameters: trainer.model.parameters };
}

export function snapshotOf(
  { id, origin, first, changes, prepared, parameters }: CurrentRun,
  session: Session | undefined,
  live: Live,
  words: Words,
): Snapshot {
  const { step, tokens, loss, validation, exact } = live.now;
  const summary = { parameters, vocab: prepared.vocab, ...defined({ loss, validation, exact }) };
  const snapshot: Snapshot = {
    id, step, tokens, first, changes, summary, ...defined({ origin }), ...words,
    // What is said of a run later stays with it in storage.
    name: '', notes: '',
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
  const { id, origin, first, changes } = record;
  return currentRun(trainer, { id, ...defined({ origin }), first, changes, prepared });
}
