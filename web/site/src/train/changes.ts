// SPDX-License-Identifier: MIT
// What of a run's training was changed while it went on: part of what makes the run what it is, and of
// its link.

import { furtherTrainFields, trainFields } from './fields';
import type { FieldKey, Settings } from './fields';

/** What can change without a new run: all of the training but what fixes which numbers are drawn. */
export const changeableFields: readonly FieldKey[] = [
  ...trainFields.filter((key) => key !== 'seed'), ...furtherTrainFields,
];

export interface Change {
  /** Steps done before it. */
  step: number;
  settings: Partial<Settings>;
}

/** What `to` has otherwise than `from`; undefined where that is more than the training of a run. */
export function changeBetween(from: Settings, to: Settings): Partial<Settings> | undefined {
  const keys = (Object.keys(from) as (keyof Settings)[]).filter((key) => from[key] !== to[key]);
  if (keys.some((key) => !(changeableFields as readonly string[]).includes(key))) return undefined;
  return Object.fromEntries(keys.map((key) => [key, to[key]]));
}

/** The settings under which step number `step` + 1 is made. */
export function settingsAt(first: Settings, changes: readonly Change[], step: number): Settings {
  const made = changes.filter((change) => change.step <= step);
  return Object.assign({ ...first }, ...made.map(({ settings }) => settings)) as Settings;
}

/**
 * The changes of a run that goes on under `settings` from `step` on: those before stay, those at this step
 * and later are no more. None is added where nothing is other than before.
 */
export function changed(
  first: Settings,
  changes: readonly Change[],
  step: number,
  settings: Settings,
): Change[] {
  const before = changes.filter((change) => change.step < step);
  const change = changeBetween(settingsAt(first, before, step), settings) ?? {};
  return Object.keys(change).length === 0 ? before : [...before, { step, settings: change }];
}

export const sameChanges = (a: readonly Change[], b: readonly Change[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
