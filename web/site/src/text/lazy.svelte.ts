// SPDX-License-Identifier: MIT
// Words that no page needs at its start: loaded when they are asked for, in the language of the page.

import { language } from './language.svelte';
import type { LanguageId } from './language.svelte';
import { pseudo } from './pseudo';

export class LazyWords<Words> {
  /** In the language that was asked for last; undefined until they are there. */
  words: Words | undefined = $state.raw();
  failed = $state(false);
  readonly #loaders: Readonly<Record<LanguageId, () => Promise<Words>>>;
  #in: string | undefined;

  constructor(loaders: Readonly<Record<LanguageId, () => Promise<Words>>>) {
    this.#loaders = loaders;
  }

  /** Asked again, it does nothing unless the language has changed or loading has failed. */
  async load(): Promise<void> {
    const { id } = language;
    if (this.#in === id) return;
    this.#in = id;
    try {
      const words = Object.hasOwn(this.#loaders, id)
        ? await this.#loaders[id as LanguageId]()
        : pseudo(await this.#loaders.en());
      if (this.#in !== id) return;
      this.words = words;
      this.failed = false;
    } catch {
      if (this.#in !== id) return;
      this.#in = undefined;
      this.failed = true;
    }
  }
}

export const tipWords = new LazyWords({
  en: async () => (await import('./en/tips')).tips,
  'zh-Hans': async () => (await import('./zh/tips')).tips,
});

export const helpWords = new LazyWords({
  en: async () => (await import('./en/help')).help,
  'zh-Hans': async () => (await import('./zh/help')).help,
});
