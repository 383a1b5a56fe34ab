// SPDX-License-Identifier: MIT
// The built-in texts: fingerprinted files and their sizes. Names and licences are in the catalogue.

import type { PreparedText } from '../background/protocol';
import { t } from '../text';
import index from '../../generated/texts/index.json';
import kingJames from '../../generated/texts/king-james.txt?url';
import mobyDick from '../../generated/texts/moby-dick.txt?url';
import rightsArabic from '../../generated/texts/rights-arabic.txt?url';
import rightsCyrillic from '../../generated/texts/rights-cyrillic.txt?url';
import rightsDevanagari from '../../generated/texts/rights-devanagari.txt?url';
import rightsHan from '../../generated/texts/rights-han.txt?url';
import sonnets from '../../generated/texts/sonnets.txt?url';
import stateOfTheUnion from '../../generated/texts/state-of-the-union.txt?url';

export const builtInIds = [
  'moby-dick', 'sonnets', 'king-james', 'state-of-the-union', 'rights-cyrillic', 'rights-arabic',
  'rights-devanagari', 'rights-han',
] as const;
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
  'rights-cyrillic': { url: at(rightsCyrillic), bytes: index['rights-cyrillic'].bytes },
  'rights-arabic': { url: at(rightsArabic), bytes: index['rights-arabic'].bytes },
  'rights-devanagari': { url: at(rightsDevanagari), bytes: index['rights-devanagari'].bytes },
  'rights-han': { url: at(rightsHan), bytes: index['rights-han'].bytes },
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
  'rights-cyrillic': { probe: 'каждый человек, каждый', prompt: 'Каждый ' },
  'rights-arabic': { probe: 'لكل شخص الحق، لكل شخص', prompt: 'لكل ' },
  'rights-devanagari': { probe: 'हर व्यक्ति, हर व्यक्ति', prompt: 'प्रत्येक ' },
  'rights-han': { probe: '人人有权享有,人人有权', prompt: '人人' },
};

export function firstWords(text: string, { excerpt }: PreparedText): FirstWords {
  if (isBuiltIn(text)) return words[text];
  const line = excerpt.trim().split('\n')[0]!;
  return {
    probe: Array.from(line).slice(0, 20).join(''),
    prompt: Array.from(line.split(' ')[0]!).slice(0, 20).join(''),
  };
}

export function nameOf(text: string, { name, task }: PreparedText): string {
  if (task !== undefined) return t.tasks.kinds[task.task].name;
  if (isBuiltIn(text)) return t.texts[text].name;
  return name === undefined || name === '' ? t.texts.own : name;
}
