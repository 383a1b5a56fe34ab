// SPDX-License-Identifier: MIT
// Settings in the page's address, so that a link starts the same run elsewhere.

import {
  allFields, choiceFields, defaultSettings, furtherFields, isChoiceKey, isNumberKey, numberFields,
} from './fields';
import type { FieldKey, NumberKey, Settings } from './fields';

/** A parameter that was not understood and was replaced by its default. */
export interface IgnoredParameter {
  key: string;
  value: string;
}

export interface ParsedAddress {
  settings: Settings;
  ignored: IgnoredParameter[];
  /** Whether the address names any setting at all. */
  explicit: boolean;
}

function parseNumber(key: NumberKey, value: string): number | undefined {
  const { min, max, integer } = numberFields[key];
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || number < min || number > max) return undefined;
  return integer && !Number.isInteger(number) ? undefined : number;
}

function parse(key: FieldKey, value: string): number | string | boolean | undefined {
  if (isNumberKey(key)) return parseNumber(key, value);
  if (isChoiceKey(key)) return choiceFields[key].find((option) => option === value);
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/** `texts` lists the text ids a link may name. */
export function settingsFromAddress(search: string, texts: readonly string[]): ParsedAddress {
  const parameters = new URLSearchParams(search);
  const settings: Record<string, unknown> = { ...defaultSettings };
  const ignored: IgnoredParameter[] = [];
  let explicit = false;
  const text = parameters.get('text');
  if (text !== null) {
    explicit = true;
    if (texts.includes(text)) settings['text'] = text;
    else ignored.push({ key: 'text', value: text });
  }
  for (const key of allFields) {
    const value = parameters.get(key);
    if (value === null) continue;
    explicit = true;
    const parsed = parse(key, value);
    if (parsed === undefined) ignored.push({ key, value });
    else settings[key] = parsed;
  }
  return { settings: settings as unknown as Settings, ignored, explicit };
}

/**
 * What else the address says (the room, the language) stays. Of the further settings it names those
 * that are not the usual ones: a link stays short enough to be read.
 */
export function addressOf(settings: Settings, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.set('text', settings.text);
  for (const key of allFields) {
    const usual = furtherFields.includes(key) && settings[key] === defaultSettings[key];
    if (usual) parameters.delete(key);
    else parameters.set(key, String(settings[key]));
  }
  return `?${parameters}`;
}
