// SPDX-License-Identifier: MIT
// What a run is called.

import type { RunInfo } from '../background/protocol';
import { t } from '../text';
import { formatCompact } from '../text/format';
import { settingsAt } from './changes';
import type { Settings } from './fields';
import { taskOf } from './task-data';
import { isBuiltIn } from './texts';

/** Letters of the compared runs, in the order in which they were chosen. */
export const letterOf = (index: number): string => String.fromCharCode(97 + index);

export function settingsNow({ first, changes, saves }: RunInfo): Settings {
  return settingsAt(first, changes, saves.at(-1)?.step ?? 0);
}

export function textNameOf({ first: { text }, ownText }: RunInfo): string {
  const task = taskOf(text);
  if (task !== undefined) return t.tasks.kinds[task].name;
  if (isBuiltIn(text)) return t.texts[text].name;
  return ownText === undefined || ownText.name === '' ? t.texts.own : ownText.name;
}

/** Its own name, or what it is made of. */
export function nameOfRun(run: RunInfo): string {
  if (run.name !== '') return run.name;
  const { layers, heads, width } = run.first;
  return t.runs.usualName(textNameOf(run), formatCompact(run.summary.parameters), {
    layers, heads, width,
  });
}
