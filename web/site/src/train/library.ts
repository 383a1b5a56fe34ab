// SPDX-License-Identifier: MIT
// Where runs come from: texts, and saved runs.

import { HeedError } from 'heed';
import type { Background } from '../background/client';
import type { OpenReply, PreparedText, RunRecord, TextSource } from '../background/protocol';
import { t } from '../text';
import type { Settings } from './fields';
import { tabRun } from './tab';
import { builtInTexts, isBuiltIn } from './texts';

export class Library {
  readonly #background: Background;

  constructor(background: Background) {
    this.#background = background;
  }

  /** A built-in text. */
  read({ text, tokenizer }: Pick<Settings, 'text' | 'tokenizer'>): Promise<PreparedText> {
    if (!isBuiltIn(text)) return Promise.reject(new RangeError(`no built-in text '${text}'`));
    return this.#prepare({ from: 'url', url: builtInTexts[text].url }, tokenizer);
  }

  #prepare(source: TextSource, tokenizer: Settings['tokenizer']): Promise<PreparedText> {
    return this.#background.ask({ kind: 'prepare', source, tokenizer, cut: false });
  }

  /** The run this tab had, or the newest that no other tab has; with these settings if given. */
  async saved(match: Settings | undefined): Promise<OpenReply> {
    const prefer = tabRun();
    try {
      return await this.#background.ask({
        kind: 'open',
        ...(prefer === undefined ? {} : { prefer }),
        ...(match === undefined ? {} : { match }),
      });
    } catch {
      // Storage that cannot be read cannot be written either, and the first save says so.
      return { damaged: false };
    }
  }

  /** The text a saved run was made of. */
  async textOf({ settings, ownText, tokenizer }: RunRecord): Promise<PreparedText> {
    const prepared = ownText === undefined
      ? await this.read(settings)
      : await this.#prepare({ from: 'kept', hash: ownText.hash }, settings.tokenizer);
    if (JSON.stringify(prepared.tokenizer) !== JSON.stringify(tokenizer)) {
      throw new HeedError('bad-data', t.notices.textChanged);
    }
    return prepared;
  }
}
