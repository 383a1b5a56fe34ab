// SPDX-License-Identifier: MIT
// The learn room's address: everything that is needed to see the same thing again.

import type { Selection } from '../figures/contracts';
import { blocks, defaultsOf, headChoices, taskIds } from './run/lessons';
import type { LessonSettings } from './run/lessons';
import type { Branching } from './run/learn-run';

export const depths = ['picture', 'numbers', 'algebra', 'code'] as const;
export type Depth = (typeof depths)[number];

export const sides = ['forward', 'gradient'] as const;
/** Whether figures show values or what the loss says about them. */
export type Side = (typeof sides)[number];

export interface LearnAddress {
  chapter: string;
  depth: Depth;
  side: Side;
  settings: LessonSettings;
  branchings: Branching[];
  /** The step to show, at rest; undefined: train from the start. */
  step: number | undefined;
  selection: Partial<Selection>;
  embed: boolean;
  /** Which controls an embedded page has; undefined: all. */
  controls: readonly string[] | undefined;
}

const optimizers = ['adamw', 'sgd'] as const;
const places = ['example', 'layer', 'head', 'i', 'j', 'channel'] as const;

/** Bounds of what a link may ask for: a page must not be busy for minutes by a link. */
const longestReplay = 20_000;

function whole(text: string | null, max: number): number | undefined {
  if (text === null || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

function rate(text: string | null | undefined): number | undefined {
  const value = Number(text ?? '');
  return value >= 1e-6 && value <= 10 ? value : undefined;
}

/** `120~0.02~sgd,300~0.001~sgd` */
function branchingsOf(text: string | null): Branching[] {
  const found: Branching[] = [];
  for (const part of text?.split(',') ?? []) {
    const [at, newRate, name] = part.split('~');
    const step = whole(at ?? null, longestReplay);
    const learningRate = rate(newRate);
    const optimizer = optimizers.find((id) => id === name);
    if (step === undefined || learningRate === undefined || optimizer === undefined) continue;
    found.push({ step, learningRate, optimizer });
  }
  return found;
}

export function readAddress(search: string, chapters: readonly string[]): LearnAddress {
  const query = new URLSearchParams(search);
  const one = <T extends string>(key: string, of: readonly T[]): T | undefined =>
    of.find((id) => id === query.get(key));
  const defaults = defaultsOf(one('task', taskIds) ?? 'pointAndShift');
  const heads = whole(query.get('heads'), 64);
  const settings: LessonSettings = {
    ...defaults,
    block: one('block', blocks) ?? defaults.block,
    heads: headChoices.find((count) => count === heads) ?? defaults.heads,
    seed: whole(query.get('seed'), Number.MAX_SAFE_INTEGER) ?? defaults.seed,
    learningRate: rate(query.get('rate')) ?? defaults.learningRate,
    optimizer: one('optimizer', optimizers) ?? defaults.optimizer,
  };
  const selection: Partial<Selection> = {};
  for (const place of places) {
    const value = whole(query.get(place), 1_000_000);
    if (value !== undefined) selection[place] = value;
  }
  const address = query.get('address');
  if (address !== null) selection.address = address;
  return {
    chapter: chapters.find((id) => id === query.get('chapter')) ?? chapters[0]!,
    depth: one('depth', depths) ?? 'numbers',
    side: one('side', sides) ?? 'forward',
    settings,
    branchings: branchingsOf(query.get('branches')),
    step: whole(query.get('step'), longestReplay),
    selection,
    embed: query.has('embed'),
    controls: query.get('controls')?.split(','),
  };
}

/** `initial` are the settings the run began with, before any branching. */
export function writeAddress(
  address: Omit<LearnAddress, 'embed' | 'controls'>,
  initial: LessonSettings,
  search: string,
): string {
  const before = new URLSearchParams(search);
  const query = new URLSearchParams({ room: 'learn' });
  for (const kept of ['lang', 'embed', 'controls']) {
    const value = before.get(kept);
    if (value !== null) query.set(kept, value);
  }
  query.set('chapter', address.chapter);
  query.set('depth', address.depth);
  if (address.side !== 'forward') query.set('side', address.side);
  const defaults = defaultsOf(initial.task);
  query.set('task', initial.task);
  if (initial.block !== defaults.block) query.set('block', initial.block);
  if (initial.heads !== defaults.heads) query.set('heads', String(initial.heads));
  query.set('seed', String(initial.seed));
  query.set('rate', String(initial.learningRate));
  if (initial.optimizer !== defaults.optimizer) query.set('optimizer', initial.optimizer);
  if (address.branchings.length > 0) {
    const written = address.branchings.map(({ step, learningRate, optimizer }) =>
      `${step}~${learningRate}~${optimizer}`);
    query.set('branches', written.join(','));
  }
  if (address.step !== undefined) query.set('step', String(address.step));
  for (const place of places) {
    const value = address.selection[place];
    if (value !== undefined) query.set(place, String(value));
  }
  if (address.selection.address !== undefined) query.set('address', address.selection.address);
  return `?${query}`;
}
