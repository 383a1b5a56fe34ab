// SPDX-License-Identifier: MIT
// Settings in the page's address, so that a link starts the same run elsewhere.

import type { Change } from './changes';
import { allFields, defaultSettings, isChoiceKey, isNumberKey, unusualFields } from './fields';
import type { FieldKey, Settings } from './fields';
import { checkedChange, isValueOf } from './settings-check';
import { usualSettings } from './task-data';

/** The parameter of a link that says what changes after so many steps; one a change. */
const changeKey = 'then';

/** A parameter that was not understood and was replaced by its default. */
export interface IgnoredParameter {
  key: string;
  value: string;
}

export interface ParsedAddress {
  /** As of step 0. */
  settings: Settings;
  /** What is to change after it. */
  changes: Change[];
  ignored: IgnoredParameter[];
  /** Whether the address names any setting at all. */
  explicit: boolean;
}

/** The value that a link's text stands for; undefined where the field cannot have it. */
function parse(key: FieldKey, text: string): number | string | boolean | undefined {
  const value = isNumberKey(key) ? (text.trim() === '' ? Number.NaN : Number(text))
    : isChoiceKey(key) ? text
    : text === 'true' ? true
    : text === 'false' ? false
    : undefined;
  return isValueOf(key, value) ? value : undefined;
}

/** `STEP key value key value ...`; undefined where any of it is not understood. */
function parseChange(value: string): Change | undefined {
  const [step = '', ...rest] = value.trim().split(/ +/);
  if (!/^\d{1,15}$/.test(step) || rest.length % 2 !== 0) return undefined;
  const settings: Record<string, unknown> = {};
  for (let i = 0; i < rest.length; i += 2) {
    const key = rest[i]!;
    const known = allFields.find((field) => field === key);
    if (known === undefined) return undefined;
    settings[key] = parse(known, rest[i + 1]!);
  }
  return checkedChange({ step: Number(step), settings });
}

const writtenChange = ({ step, settings }: Change): string =>
  [step, ...Object.entries(settings).flat()].join(' ');

/** `texts` lists the text ids a link may name. */
export function settingsFromAddress(search: string, texts: readonly string[]): ParsedAddress {
  const parameters = new URLSearchParams(search);
  const text = parameters.get('text');
  const known = text !== null && texts.includes(text);
  const settings: Record<string, unknown> = { ...usualSettings(known ? text : defaultSettings.text) };
  const ignored: IgnoredParameter[] = [];
  let explicit = text !== null;
  if (text !== null && !known) ignored.push({ key: 'text', value: text });
  for (const key of allFields) {
    const value = parameters.get(key);
    if (value === null) continue;
    explicit = true;
    const parsed = parse(key, value);
    if (parsed === undefined) ignored.push({ key, value });
    else settings[key] = parsed;
  }
  const changes: Change[] = [];
  for (const value of parameters.getAll(changeKey)) {
    const change = parseChange(value);
    if (change !== undefined && change.step > (changes.at(-1)?.step ?? -1)) changes.push(change);
    else ignored.push({ key: changeKey, value });
  }
  return { settings: settings as unknown as Settings, changes, ignored, explicit };
}

/**
 * What else the address says (the room, the language) stays. Of the further settings it names those
 * that are not the usual ones: a link stays short enough to be read.
 */
export function addressOf(
  settings: Settings,
  changes: readonly Change[],
  search: string,
): string {
  const parameters = new URLSearchParams(search);
  parameters.set('text', settings.text);
  const usual = usualSettings(settings.text);
  for (const key of allFields) {
    if (unusualFields.includes(key) && settings[key] === usual[key]) parameters.delete(key);
    else parameters.set(key, String(settings[key]));
  }
  parameters.delete(changeKey);
  for (const change of changes) parameters.append(changeKey, writtenChange(change));
  return `?${parameters}`;
}
