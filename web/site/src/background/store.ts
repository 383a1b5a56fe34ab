// SPDX-License-Identifier: MIT
// Runs in IndexedDB. A save is written beside the others, read back, checked, and only then becomes
// the newest; the one before it is the spare, and older ones are the run's past.

import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import { crc32 } from './crc32';
import { asOnlyWriter, runsInUse } from './locks';
import { BackgroundError } from './protocol';
import type { RunInfo, RunNotes, RunRecord, SaveInfo } from './protocol';
import { tooMany } from './thinning';
import { sameChanges } from '../train/changes';
import { emptyCurves } from '../train/curves';
import type { CurvesState } from '../train/curves';
import { sameSettings } from '../train/fields';

/** Runs kept without a name or notes; the oldest of them make room. */
const keptUnnamed = 20;

export interface StoredText {
  hash: string;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface StoredRun extends RunInfo {
  /** Deleted by the reader, who can still have it back. */
  deleted?: boolean;
}

interface StoredSave {
  key: string;
  run: string;
  record: Omit<RunRecord, 'curves' | 'name' | 'notes'>;
  checksum: number;
}

interface Schema extends DBSchema {
  runs: { key: string; value: StoredRun };
  saves: { key: string; value: StoredSave };
  curves: { key: string; value: { run: string; curves: CurvesState } };
  texts: { key: string; value: StoredText };
}

type Stores = ['runs', 'saves', 'curves', 'texts'];
const stores: Stores = ['runs', 'saves', 'curves', 'texts'];
type Writing = IDBPTransaction<Schema, Stores, 'readwrite'>;

const keyOf = (run: string, { savedAt }: Pick<SaveInfo, 'savedAt'>): string => `${run}/${savedAt}`;

export class RunStore {
  /** One connection for all: a second one that nobody knows of would block its deletion for good. */
  #database: Promise<IDBPDatabase<Schema>> | undefined;

  #open(): Promise<IDBPDatabase<Schema>> {
    if (this.#database !== undefined) return this.#database;
    const opening = this.#connect();
    this.#database = opening;
    opening.catch(() => {
      if (this.#database === opening) this.#database = undefined;
    });
    return opening;
  }

  async #connect(): Promise<IDBPDatabase<Schema>> {
    const leave = (): void => this.close();
    try {
      return await openDB<Schema>('heed', 2, {
        upgrade(database) {
          // Version 1 was never released.
          for (const name of database.objectStoreNames) database.deleteObjectStore(name);
          database.createObjectStore('runs', { keyPath: 'id' });
          database.createObjectStore('saves', { keyPath: 'key' });
          database.createObjectStore('curves', { keyPath: 'run' });
          database.createObjectStore('texts', { keyPath: 'hash' });
        },
        // A connection that stays open would block another tab's upgrade or deletion.
        blocking: leave,
        terminated: leave,
      });
    } catch (error) {
      throw new BackgroundError('storage-unavailable', { message: String(error) });
    }
  }

  close(): void {
    const database = this.#database;
    this.#database = undefined;
    void database?.then((connection) => connection.close(), () => {});
  }

  /** Browsers drop connections (eviction, sleep); a fresh attempt tells that from real failure. */
  async #withDatabase<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      this.close();
      return work(await this.#open());
    }
  }

  /** Runs, newest first; of the beginning `match` if given. */
  list(match?: Pick<RunRecord, 'first' | 'changes'>): Promise<RunInfo[]> {
    return this.#withDatabase(async (database) => {
      const runs = await database.getAll('runs');
      return runs
        .filter(({ deleted }) => deleted !== true)
        .filter(({ first, changes }) => match === undefined
          || (sameSettings(first, match.first) && sameChanges(changes, match.changes)))
        .sort((a, b) => b.updatedAt - a.updatedAt);
    });
  }

  run(id: string): Promise<RunInfo | undefined> {
    return this.#withDatabase(async (database) => {
      const run = await database.get('runs', id);
      return run?.deleted === true ? undefined : run;
    });
  }

  /** The newest save that is whole; with `step`, none after it. */
  read(run: RunInfo, step = Number.POSITIVE_INFINITY): Promise<{ record?: RunRecord; damaged: boolean }> {
    return this.#withDatabase(async (database) => {
      let damaged = false;
      const { name, notes } = run;
      for (const save of run.saves.filter((one) => one.step <= step).reverse()) {
        const stored = await database.get('saves', keyOf(run.id, save));
        if (stored !== undefined && crc32(stored.record.checkpoint) === stored.checksum) {
          const found = await database.get('curves', run.id);
          const curves = found?.curves ?? emptyCurves();
          return { record: { ...stored.record, curves, name, notes }, damaged };
        }
        damaged = true;
      }
      return { damaged };
    });
  }

  /** Of the runs that there are. */
  curves(ids: readonly string[]): Promise<Record<string, CurvesState>> {
    return this.#withDatabase(async (database) => {
      const found = await Promise.all(ids.map((id) => database.get('curves', id)));
      return Object.fromEntries(found.flatMap((one) => (one === undefined ? [] : [[one.run, one.curves]])));
    });
  }

  text(hash: string): Promise<StoredText> {
    return this.#withDatabase(async (database) => {
      const text = await database.get('texts', hash);
      if (text === undefined) throw new BackgroundError('text-missing');
      return text;
    });
  }

  save(record: RunRecord, text?: StoredText): Promise<void> {
    return asOnlyWriter(() => this.#save(record, text));
  }

  #save({ curves, name, notes, ...record }: RunRecord, text?: StoredText): Promise<void> {
    return this.#withDatabase(async (database) => {
      const key = keyOf(record.id, record);
      const checksum = crc32(record.checkpoint);
      if (text !== undefined && (await database.getKey('texts', text.hash)) === undefined) {
        await database.put('texts', text);
      }
      await database.put('saves', { key, run: record.id, record, checksum });
      const written = await database.get('saves', key);
      if (written === undefined || crc32(written.record.checkpoint) !== checksum) {
        await database.delete('saves', key);
        throw new BackgroundError('storage-failed', { message: 'read back differs' });
      }
      // Asked before: a transaction ends when it waits for something else.
      const inUse = await runsInUse();
      const transaction = database.transaction(stores, 'readwrite');
      const before = await transaction.objectStore('runs').get(record.id);
      // A step reached again, after going back to before it, has another past.
      const kept = (before?.saves ?? []).filter(({ step }) => step < record.step);
      const bytes = record.checkpoint.length;
      const saves = [...kept, { step: record.step, savedAt: record.savedAt, bytes }];
      const gone = new Set(tooMany(saves));
      const { id, first, changes, origin, ownText, summary } = record;
      await transaction.objectStore('runs').put({
        id, name: before?.name ?? name, notes: before?.notes ?? notes,
        createdAt: before?.createdAt ?? record.savedAt, updatedAt: record.savedAt,
        first, changes, summary, saves: saves.filter((_, index) => !gone.has(index)),
        ...(origin === undefined ? {} : { origin }),
        ...(ownText === undefined ? {} : { ownText }),
      });
      await transaction.objectStore('curves').put({ run: id, curves });
      await this.#prune(transaction, inUse, false);
      await transaction.done;
    });
  }

  /** Name and notes; throws `run-missing`. */
  note(id: string, notes: Partial<RunNotes>): Promise<RunInfo> {
    return this.#change(id, (run) => ({ ...run, ...notes }));
  }

  delete(id: string): Promise<RunInfo> {
    return this.#change(id, (run) => ({ ...run, deleted: true }));
  }

  restore(id: string): Promise<RunInfo> {
    return this.#change(id, ({ deleted: _, ...run }) => run);
  }

  #change(id: string, change: (run: StoredRun) => StoredRun): Promise<RunInfo> {
    return this.#withDatabase(async (database) => {
      const transaction = database.transaction('runs', 'readwrite');
      const run = await transaction.store.get(id);
      if (run === undefined) throw new BackgroundError('run-missing');
      const next = change(run);
      await transaction.store.put(next);
      await transaction.done;
      return next;
    });
  }

  /** Frees what was deleted: it cannot be had back any more. */
  purge(): Promise<void> {
    return asOnlyWriter(() => this.#withDatabase(async (database) => {
      const inUse = await runsInUse();
      const transaction = database.transaction(stores, 'readwrite');
      await this.#prune(transaction, inUse, true);
      await transaction.done;
    }));
  }

  /** Deletes what no kept run refers to. */
  async #prune(
    transaction: Writing,
    inUse: ReadonlySet<string>,
    deletedToo: boolean,
  ): Promise<void> {
    const runs = (await transaction.objectStore('runs').getAll())
      .sort((a, b) => b.updatedAt - a.updatedAt);
    const unnamed = runs.filter((run) => run.deleted !== true && run.name === '' && run.notes === '');
    const old = new Set(unnamed.slice(keptUnnamed));
    // A run that some tab has open is there as long as the tab is.
    const goes = (run: StoredRun): boolean =>
      !inUse.has(run.id) && (old.has(run) || (deletedToo && run.deleted === true));
    const kept = runs.filter((run) => !goes(run));
    const keep = {
      runs: new Set(kept.map(({ id }) => id)),
      saves: new Set(kept.flatMap((run) => run.saves.map((save) => keyOf(run.id, save)))),
      curves: new Set(kept.map(({ id }) => id)),
      texts: new Set(kept.map(({ ownText }) => ownText?.hash)),
    };
    for (const name of stores) {
      const store = transaction.objectStore(name);
      for (const key of await store.getAllKeys()) {
        if (!keep[name].has(key)) await store.delete(key);
      }
    }
  }
}
