// SPDX-License-Identifier: MIT
// Numbers, sizes and durations for reading. The language is the catalogue's.

import { t } from '.';
import { language } from './language.svelte';

const made = new Map<string, Intl.NumberFormat>();

/** Making one takes longer than using it a thousand times. */
function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  // The pretended languages of tests write digits as English does, so that tests can read them.
  const locale = language.id === 'zh-Hans' ? language.id : 'en';
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = made.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, options);
    made.set(key, format);
  }
  return format;
}

export const formatNumber = (value: number): string =>
  Math.abs(value) >= 1e-4 || value === 0
    ? numbers({ maximumSignificantDigits: 6 }).format(value)
    : value.toExponential();

/** 1234567 -> "1.23M". */
export const formatCompact = (value: number): string =>
  numbers({ notation: 'compact', maximumSignificantDigits: 3 }).format(value);

export const formatLoss = (value: number): string => value.toFixed(3);

/** Three significant digits without trailing zeros: 0.003, 0.000512, 5.88e-5. */
export function formatRate(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return value !== 0 && Math.abs(value) < 1e-4 ? rounded.toExponential() : String(rounded);
}

/** Two digits of what may be very small: 0.043, 1.9 × 10⁻⁶. */
export function formatRatio(value: number): string {
  if (value === 0 || (Math.abs(value) >= 0.001 && Math.abs(value) < 1000)) {
    return String(Number(value.toPrecision(2)));
  }
  if (!Number.isFinite(value)) return String(value);
  const [digits, power] = value.toExponential(1).split('e');
  const raised = Array.from(String(Number(power)), (sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)]);
  return `${digits} × 10${raised.join('')}`;
}

export const formatWeight = (value: number): string => value.toFixed(2);

/** A share as a percentage: all of it only when it is all. */
export const formatPercent = (share: number): string =>
  `${share === 1 ? '100' : (Math.floor(share * 1000) / 10).toFixed(1)} %`;

/** Milliseconds to two digits, since more would pretend to be known. */
export const formatMs = (ms: number): string => formatNumber(Number(ms.toPrecision(2)));

/** A moment, in milliseconds since 1970, to the minute. */
export function formatTime(at: number): string {
  const locale = language.id === 'zh-Hans' ? language.id : 'en';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Rounded to what a forecast is worth: "40 s", "3 min", "2 h 10 min", "4 days". */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return t.durations.underSecond;
  if (seconds < 90) return t.durations.seconds(Math.round(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return t.durations.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t.durations.hours(hours, minutes % 60);
  return t.durations.days(Math.round(hours / 24));
}
