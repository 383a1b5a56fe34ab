// SPDX-License-Identifier: MIT
// The built-in texts: fingerprinted files and their sizes. Names and licences are in the catalogue.

import type { PreparedText } from '../background/protocol';
import { t } from '../text';
import index from '../../generated/texts/index.json';
import kingJames from '../../generated/texts/king-james.txt?url';
import mobyDick from '../../generated/texts/moby-dick.txt?url';
import sonnets from '../../generated/texts/sonnets.txt?url';
import stateOfTheUnion from '../../generated/texts/state-of-the-union.txt?url';

export const builtInIds = ['moby-dick', 'sonnets', 'king-james', 'state-of-the-union'] as const;
export type BuiltInId = (typeof builtInIds)[number];

export interface BuiltInText {
  url: string;
  bytes: number;
}

// Absolute, since the worker that fetches them resolves against its own address.
const at = (url: string): string => new URL(url, document.baseURI).href;

export const builtInTexts: Record<BuiltInId, BuiltInText> = {
  'moby-dick': { url: at(mobyDick), bytes: index['moby-dick'].bytes },
  sonnets: { url: at(sonnets), bytes: index['sonnets'].bytes },
  'king-james': { url: at(kingJames), bytes: index['king-james'].bytes },
  'state-of-the-union': { url: at(stateOfTheUnion), bytes: index['state-of-the-union'].bytes },
};

export const isBuiltIn = (id: string): id is BuiltInId => Object.hasOwn(builtInTexts, id);

interface FirstWords {
  /** Text whose attention is shown; words that come twice give heads something to find. */
  probe: string;
  /** What samples continue. */
  prompt: string;
}

const words: Record<BuiltInId, FirstWords> = {
  'moby-dick': { probe: 'the whale, the whale', prompt: 'The whale ' },
  sonnets: { probe: 'thy love, my love, th', prompt: 'Shall I ' },
  'king-james': { probe: 'And God said, And God', prompt: 'And the ' },
  'state-of-the-union': { probe: 'the people of the peo', prompt: 'The people ' },
};

export function firstWords(text: string, { excerpt }: PreparedText): FirstWords {
  if (isBuiltIn(text)) return words[text];
  const line = excerpt.trim().split('\n')[0]!;
  return {
    probe: Array.from(line).slice(0, 20).join(''),
    prompt: Array.from(line.split(' ')[0]!).slice(0, 20).join(''),
  };
}

export function nameOf(text: string, { name }: PreparedText): string {
  if (isBuiltIn(text)) return t.texts[text].name;
  return name === undefined || name === '' ? t.texts.own : name;
}
