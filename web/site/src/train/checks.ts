// SPDX-License-Identifier: MIT
// What is wrong with the form as typed, field by field, before the engine is asked.

import type { PreparedText } from '../background/protocol';
import { allFields, defaultSettings, isNumberKey, numberFields } from './fields';
import type { FieldKey, NumberKey, Settings } from './fields';
import { valFraction } from './options';
import { tokensOf } from './task-data';
import { formatNumber } from '../text/format';
import { t } from '../text';

export type Typed = Record<FieldKey, string>;
export type Problems = Partial<Record<FieldKey, string>>;

export interface Checked {
  /** Present when no field is wrong. */
  settings?: Settings;
  problems: Problems;
}

function checkNumber(key: NumberKey, typed: string): number | string {
  const { min, max, integer } = numberFields[key];
  const text = typed.trim();
  const value = text === '' ? Number.NaN : Number(text);
  const range = { min: formatNumber(min), max: formatNumber(max) };
  if (text === '') return t.problems.missing(range);
  if (!Number.isFinite(value)) return t.problems.notNumber({ found: text, ...range });
  if (integer && !Number.isInteger(value)) return t.problems.notWhole({ found: text, ...range });
  if (value < min || value > max) return t.problems.outside({ found: text, ...range });
  return value;
}

/** The nearest widths that the heads divide, for the message. */
function nearestWidths(width: number, heads: number): string {
  const below = Math.floor(width / heads) * heads;
  const above = below + heads;
  return below > 0 ? t.problems.either(String(below), String(above)) : String(above);
}

/** Tokens a text needs so that both of its parts hold one window and its next token. */
export function tokensNeeded(context: number): number {
  return Math.ceil((context + 1) / valFraction);
}

/** What is wrong between fields that are right by themselves. */
function checkTogether(settings: Partial<Settings>, prepared: PreparedText | undefined): Problems {
  const problems: Problems = {};
  const { width, heads, headsPerKey, position, context } = settings;
  if (width !== undefined && heads !== undefined) {
    if (width % heads !== 0) {
      const instead = nearestWidths(width, heads);
      problems.width = t.problems.indivisible({ width, heads, instead });
    } else if (position === 'rope' && (width / heads) % 2 !== 0) {
      problems.position = t.problems.oddHead({ headWidth: width / heads });
    }
  }
  if (heads !== undefined && headsPerKey !== undefined && heads % headsPerKey !== 0) {
    problems.headsPerKey = t.problems.unevenSharing({ heads, headsPerKey });
  }
  const task = prepared?.task?.task;
  if (context !== undefined && task !== undefined && context < tokensOf(task)) {
    problems.context = t.problems.exampleTooLong({ context, needed: tokensOf(task) });
  }
  const tokens = task === undefined ? prepared?.tokens.length : undefined;
  if (context !== undefined && tokens !== undefined && tokens < tokensNeeded(context)) {
    const longest = Math.floor(tokens * valFraction) - 1;
    problems.context = t.problems.textTooShort({
      tokens: formatNumber(tokens),
      context,
      needed: formatNumber(tokensNeeded(context)),
      longest: Math.max(0, longest),
    });
  }
  return problems;
}

/** Of use to byte pairs only: where it cannot be seen, what is wrong with it does not count. */
export function vocabularyOf(typed: Typed): number {
  const value = checkNumber('vocabulary', typed.vocabulary);
  return typeof value === 'number' ? value : defaultSettings.vocabulary;
}

/** `prepared`: the chosen text or task, once it is there. */
export function check(text: string, typed: Typed, prepared: PreparedText | undefined): Checked {
  const problems: Problems = {};
  const settings: Record<string, unknown> = { text };
  for (const key of allFields) {
    if (!isNumberKey(key)) {
      const value = typed[key];
      settings[key] = value === 'true' ? true : value === 'false' ? false : value;
      continue;
    }
    if (key === 'vocabulary' && typed.tokenizer !== 'bpe') {
      settings[key] = vocabularyOf(typed);
      continue;
    }
    const value = checkNumber(key, typed[key]);
    if (typeof value === 'string') problems[key] = value;
    else settings[key] = value;
  }
  Object.assign(problems, checkTogether(settings, prepared));
  return Object.keys(problems).length > 0
    ? { problems }
    : { problems, settings: settings as unknown as Settings };
}

export function typedFrom(settings: Settings): Typed {
  return Object.fromEntries(allFields.map((key) => [key, String(settings[key])])) as Typed;
}
