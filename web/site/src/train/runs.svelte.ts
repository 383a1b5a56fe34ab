// SPDX-License-Identifier: MIT
// The runs in this browser: listed, named, compared, deleted, carried elsewhere.

import type { Background } from '../background/client';
import type { RunInfo, RunNotes, RunsReply } from '../background/protocol';
import type { CurvesState } from './curves';
import { download } from './download';
import { failureInWords } from './failures';

/** Lines in one chart beside that of the run in progress; more cannot be told apart. */
export const mostCompared = 9;

export class Runs {
  /** Newest first. */
  list: RunInfo[] = $state.raw([]);
  storage: RunsReply['storage'] = $state.raw();
  /** Drawn over the run in progress, in the order in which they were chosen. */
  compared: readonly string[] = $state.raw([]);
  curves: Readonly<Record<string, CurvesState>> = $state.raw({});
  /** Can still be had back, the last one first. */
  deleted: readonly RunInfo[] = $state.raw([]);
  problem: string | undefined = $state();
  readonly #background: Background;

  constructor(background: Background) {
    this.#background = background;
  }

  of(id: string): RunInfo | undefined {
    return this.list.find((run) => run.id === id);
  }

  /** Also by itself, after a save; so what was said of something else stays. */
  async refresh(): Promise<void> {
    try {
      const { runs, storage } = await this.#background.ask({ kind: 'runs' });
      this.list = runs;
      this.storage = storage;
      this.compared = this.compared.filter((id) => runs.some((run) => run.id === id));
    } catch (error) {
      this.problem = failureInWords(error);
    }
  }

  note(id: string, notes: Partial<RunNotes>): Promise<void> {
    return this.#try(async () => {
      const changed = await this.#background.ask({ kind: 'note', id, notes });
      this.list = this.list.map((run) => (run.id === id ? changed : run));
    });
  }

  /** `drawn`: whether the chart is to show it. */
  compare(id: string, drawn: boolean): Promise<void> {
    const others = this.compared.filter((other) => other !== id);
    this.compared = drawn ? [...others, id].slice(-mostCompared) : others;
    return this.#try(async () => {
      this.curves = await this.#background.ask({ kind: 'curves', ids: [...this.compared] });
    });
  }

  delete(run: RunInfo): Promise<void> {
    return this.#try(async () => {
      await this.#background.ask({ kind: 'delete', id: run.id });
      await this.refresh();
      this.deleted = [...this.deleted, run];
    });
  }

  undelete(): Promise<void> {
    return this.#try(async () => {
      const last = this.deleted.at(-1);
      if (last === undefined) return;
      await this.#background.ask({ kind: 'restore', id: last.id });
      this.deleted = this.deleted.slice(0, -1);
      await this.refresh();
    });
  }

  /** As a file of that name. */
  export(id: string, name: string): Promise<void> {
    return this.#try(async () => {
      const { file } = await this.#background.ask({ kind: 'export', id });
      download(file, name);
    });
  }

  async import(file: Blob): Promise<RunInfo | undefined> {
    let run: RunInfo | undefined;
    await this.#try(async () => {
      run = await this.#background.ask({ kind: 'import', file });
      await this.refresh();
    });
    return run;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.problem = undefined;
    try {
      await work();
    } catch (error) {
      this.problem = failureInWords(error);
    }
  }
}
