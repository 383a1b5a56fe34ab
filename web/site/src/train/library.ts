// SPDX-License-Identifier: MIT
// Where runs come from: texts, and saved runs.

import { HeedError } from 'heed';
import type { Background } from '../background/client';
import type { OpenReply, OpenRequest, PreparedText, RunRecord, TextSource } from '../background/protocol';
import { t } from '../text';
import type { Settings } from './fields';
import { tabRun } from './tab';
import { prepareTask, taskOf } from './task-data';
import { builtInTexts, isBuiltIn } from './texts';

export class Library {
  readonly #background: Background;

  constructor(background: Background) {
    this.#background = background;
  }

  /** A built-in text, or a task. */
  read(settings: Settings): Promise<PreparedText> {
    const { text } = settings;
    const task = taskOf(text);
    if (task !== undefined) return Promise.resolve(prepareTask(task));
    if (!isBuiltIn(text)) return Promise.reject(new RangeError(`no built-in text '${text}'`));
    return this.#prepare({ from: 'url', url: builtInTexts[text].url }, settings);
  }

  #prepare(source: TextSource, { tokenizer, vocabulary }: Settings): Promise<PreparedText> {
    return this.#background.ask({ kind: 'prepare', source, tokenizer, vocabulary, cut: false });
  }

  /** The run this tab had, or the newest that no other tab has; of that beginning if given. */
  async saved(match: OpenRequest['match']): Promise<OpenReply> {
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

  /** One run and no other; as of a step, if given. */
  async only(only: NonNullable<OpenRequest['only']>): Promise<RunRecord> {
    const { record } = await this.#background.ask({ kind: 'open', only });
    return record!;
  }

  /** Of all runs this tab has had, it keeps this one; others may open the rest. */
  keepOnly(id: string): void {
    this.#background.ask({ kind: 'keep-only', id }).catch(() => {});
  }

  /** The text a saved run was made of. */
  async textOf({ first, ownText, tokenizer }: RunRecord): Promise<PreparedText> {
    const prepared = ownText === undefined
      ? await this.read(first)
      : await this.#prepare({ from: 'kept', hash: ownText.hash }, first);
    if (JSON.stringify(prepared.tokenizer) !== JSON.stringify(tokenizer)) {
      throw new HeedError('bad-data', t.notices.textChanged);
    }
    return prepared;
  }
}
