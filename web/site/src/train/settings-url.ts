// SPDX-License-Identifier: MIT
// Settings in the page's address, so that a link starts the same run elsewhere.

import { allFields, choiceFields, defaultSettings, numberFields } from './fields';
import type { ChoiceKey, FieldKey, NumberKey, Settings } from './fields';

const isNumberKey = (key: FieldKey): key is NumberKey => key in numberFields;

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
    const parsed = isNumberKey(key)
      ? parseNumber(key, value)
      : choiceFields[key as ChoiceKey].options.find((option) => option === value);
    if (parsed === undefined) ignored.push({ key, value });
    else settings[key] = parsed;
  }
  return { settings: settings as unknown as Settings, ignored, explicit };
}

/** What else the address says (the room, the language) stays. */
export function addressOf(settings: Settings, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.set('text', settings.text);
  for (const key of allFields) parameters.set(key, String(settings[key]));
  return `?${parameters}`;
}
