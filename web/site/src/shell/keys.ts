// SPDX-License-Identifier: MIT
// Single keys of a page. The tables that are read here are the ones that the help sheet lists.

import type { help } from '../text/en/help';
import { shortcuts } from './switches.svelte';

/** What each single key does; letters are written small. */
export type KeyTable = Readonly<Partial<Record<keyof typeof help.does, string>>>;

/** A part of the help sheet. */
export interface KeyGroup {
  of: keyof typeof help.groups;
  lines: readonly { does: keyof typeof help.does; keys: readonly string[] }[];
}

export const groupOf = (of: KeyGroup['of'], table: KeyTable): KeyGroup => ({
  of,
  lines: Object.entries(table).map(([does, key]) => ({
    does: does as keyof typeof help.does, keys: [key],
  })),
});

const typed = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, '
  + '[contenteditable]';

/** Whether the page, and not what has the focus or lies over it, is meant by a key without others. */
export function meantForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (event.target instanceof Element && event.target.closest(typed) !== null) return false;
  return document.querySelector('dialog[open]') === null;
}

/** What a single key asks for; `answers` selects what takes Space for itself when it has the focus. */
export function askedFor<Does extends string>(
  table: Readonly<Record<Does, string>>,
  event: KeyboardEvent,
  answers = 'button, a, summary, input',
): Does | undefined {
  if (!shortcuts.on || !meantForPage(event)) return undefined;
  if (event.key === ' ' && event.target instanceof Element && event.target.closest(answers) !== null) {
    return undefined;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return (Object.keys(table) as Does[]).find((does) => table[does] === key);
}

export const sheetKeys = { help: '?' } as const;

/** Keys that work in every room. */
export const everywhere: KeyGroup = {
  of: 'everywhere',
  lines: [
    ...groupOf('everywhere', sheetKeys).lines,
    { does: 'tip', keys: ['F1'] },
    { does: 'close', keys: ['Escape'] },
  ],
};
