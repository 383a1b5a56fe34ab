// SPDX-License-Identifier: MIT
// Settings from outside, a file or a link: each value of its kind and inside its bounds, or none at all.

import { changeableFields } from './changes';
import type { Change } from './changes';
import { allFields, choiceFields, isChoiceKey, isNumberKey, numberFields } from './fields';
import type { FieldKey, Settings } from './fields';

/** Whether a field can have this value. */
export function isValueOf(key: FieldKey, value: unknown): boolean {
  if (isNumberKey(key)) {
    const { min, max, integer } = numberFields[key];
    return typeof value === 'number' && value >= min && value <= max
      && (!integer || Number.isInteger(value));
  }
  if (isChoiceKey(key)) return (choiceFields[key] as readonly unknown[]).includes(value);
  return typeof value === 'boolean';
}

export function checkedSettings(value: unknown): Settings | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Record<string, unknown>;
  if (typeof given['text'] !== 'string') return undefined;
  if (!allFields.every((key) => isValueOf(key, given[key]))) return undefined;
  const fields = allFields.map((key) => [key, given[key]]);
  return { ...Object.fromEntries(fields), text: given['text'] } as Settings;
}

export function checkedChange(value: unknown): Change | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { step, settings } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(step) || (step as number) < 0) return undefined;
  if (typeof settings !== 'object' || settings === null) return undefined;
  const entries = Object.entries(settings);
  const known = entries.every(([key, found]) =>
    (changeableFields as readonly string[]).includes(key) && isValueOf(key as FieldKey, found));
  return known && entries.length > 0 ? { step: step as number, settings } : undefined;
}

/** All of them, in the order of their steps. */
export function checkedChanges(value: unknown): Change[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const changes = value.map(checkedChange);
  const rising = changes.every((change, i) =>
    change !== undefined && change.step > (changes[i - 1]?.step ?? -1));
  return rising ? (changes as Change[]) : undefined;
}
