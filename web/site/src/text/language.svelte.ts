// SPDX-License-Identifier: MIT
// Which language the page speaks: the address decides (`?lang=`), then the reader's last choice,
// then the browser's languages.

import type { Catalogue } from '.';
import { en } from './en';
import { pseudo } from './pseudo';

const key = 'heed-language';

interface Entry {
  /** In the language itself, as a reader who looks for it would read it. */
  name: string;
  direction: 'ltr' | 'rtl';
  load: () => Promise<Catalogue>;
}

const entries = {
  en: { name: 'English', direction: 'ltr', load: async () => en },
  'zh-Hans': { name: '简体中文', direction: 'ltr', load: async () => (await import('./zh')).zh },
} as const satisfies Record<string, Entry>;

// For tests: longer words with accents, and the same from right to left.
const testEntries: Record<string, Entry> = {
  'en-XA': { name: 'Pseudo', direction: 'ltr', load: async () => pseudo(en) },
  'ar-XB': { name: 'Pseudo, right to left', direction: 'rtl', load: async () => pseudo(en) },
};

export type LanguageId = keyof typeof entries;
export const languages = Object.entries(entries).map(([id, { name }]) => ({ id, name }));

const entryOf = (id: string): Entry | undefined =>
  Object.hasOwn(entries, id) ? entries[id as LanguageId] : testEntries[id];

/** `zh-CN` and plain `zh` are read by those who read Simplified Chinese. */
function nearest(wanted: readonly string[]): string {
  for (const tag of wanted) {
    if (entryOf(tag) !== undefined) return tag;
    const [base] = tag.toLowerCase().split('-');
    if (base === 'zh') return 'zh-Hans';
    if (base === 'en') return 'en';
  }
  return 'en';
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

class Language {
  id = $state('en');
  catalogue: Catalogue = $state.raw(en);

  /** Speaks what the address or the reader asks for; English where that cannot be loaded. */
  async start(search: string): Promise<void> {
    const asked = new URLSearchParams(search).get('lang') ?? stored();
    await this.#use(nearest(asked === undefined ? navigator.languages : [asked]));
  }

  /** The reader's choice: remembered, and put into the address. */
  async choose(id: string): Promise<void> {
    await this.#use(id);
    try {
      localStorage.setItem(key, id);
    } catch {
      // Forbidden storage: the address still says it.
    }
    const url = new URL(location.href);
    url.searchParams.set('lang', this.id);
    history.replaceState(history.state, '', url);
  }

  async #use(id: string): Promise<void> {
    const entry = entryOf(id) ?? entries.en;
    try {
      this.catalogue = await entry.load();
      this.id = id;
      document.documentElement.dir = entry.direction;
    } catch {
      // The file of a language may be out of reach; the page goes on in the one it speaks.
    }
    document.documentElement.lang = this.id;
  }
}

export const language = new Language();
