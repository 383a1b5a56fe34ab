// SPDX-License-Identifier: MIT
// Runs in IndexedDB. A save is written beside the last one, read back, checked, and only then
// becomes the current one; the one before it stays as a spare.

import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import { crc32 } from './crc32';
import { BackgroundError } from './protocol';
import type { RunRecord } from './protocol';
import { sameSettings } from '../train/fields';
import type { Settings } from '../train/fields';

/** Runs kept; the oldest are deleted with their saves and texts. */
const keptRuns = 5;

interface StoredRun {
  id: string;
  updatedAt: number;
  settings: Settings;
  /** Keys of saves, newest first, at most two. */
  saves: string[];
  ownText?: string;
}

interface StoredSave {
  key: string;
  run: string;
  record: RunRecord;
  checksum: number;
}

interface Schema extends DBSchema {
  runs: { key: string; value: StoredRun };
  saves: { key: string; value: StoredSave };
  texts: { key: string; value: { hash: string; name: string; bytes: Uint8Array<ArrayBuffer> } };
}

export class RunStore {
  #database: IDBPDatabase<Schema> | undefined;

  async #open(): Promise<IDBPDatabase<Schema>> {
    if (this.#database !== undefined) return this.#database;
    try {
      this.#database = await openDB<Schema>('heed', 1, {
        upgrade(database) {
          database.createObjectStore('runs', { keyPath: 'id' });
          database.createObjectStore('saves', { keyPath: 'key' });
          database.createObjectStore('texts', { keyPath: 'hash' });
        },
        // A connection that stays open would block another tab's upgrade or deletion.
        blocking: () => this.close(),
        terminated: () => this.close(),
      });
    } catch (error) {
      throw new BackgroundError('storage-unavailable', { message: String(error) });
    }
    return this.#database;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
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

  /** Runs, newest first. */
  list(match?: Settings): Promise<StoredRun[]> {
    return this.#withDatabase(async (database) => {
      const runs = await database.getAll('runs');
      return runs
        .filter((run) => match === undefined || sameSettings(run.settings, match))
        .sort((a, b) => b.updatedAt - a.updatedAt);
    });
  }

  /** The newest save that is whole. */
  read(run: StoredRun): Promise<{ record?: RunRecord; damaged: boolean }> {
    return this.#withDatabase(async (database) => {
      let damaged = false;
      for (const key of run.saves) {
        const save = await database.get('saves', key);
        if (save !== undefined && crc32(save.record.checkpoint) === save.checksum) {
          return { record: save.record, damaged };
        }
        damaged = true;
      }
      return { damaged };
    });
  }

  text(hash: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
    return this.#withDatabase(async (database) => {
      const text = await database.get('texts', hash);
      if (text === undefined) throw new BackgroundError('text-missing');
      return text;
    });
  }

  save(
    record: RunRecord,
    text?: { hash: string; name: string; bytes: Uint8Array<ArrayBuffer> },
  ): Promise<void> {
    return this.#withDatabase(async (database) => {
      const key = `${record.id}/${record.savedAt}`;
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
      const before = await database.get('runs', record.id);
      const saves = [key, ...(before?.saves ?? [])].slice(0, 2);
      await database.put('runs', {
        id: record.id,
        updatedAt: record.savedAt,
        settings: record.settings,
        saves,
        ...(record.ownText === undefined ? {} : { ownText: record.ownText.hash }),
      });
      await this.#prune(database);
    });
  }

  /** Deletes what no kept run refers to. */
  async #prune(database: IDBPDatabase<Schema>): Promise<void> {
    const transaction = database.transaction(['runs', 'saves', 'texts'], 'readwrite');
    const runs = (await transaction.objectStore('runs').getAll())
      .sort((a, b) => b.updatedAt - a.updatedAt);
    const kept = runs.slice(0, keptRuns);
    const saves = new Set(kept.flatMap((run) => run.saves));
    const texts = new Set(kept.map((run) => run.ownText));
    const deletions: Promise<void>[] = [];
    for (const run of runs.slice(keptRuns)) {
      deletions.push(transaction.objectStore('runs').delete(run.id));
    }
    for (const key of await transaction.objectStore('saves').getAllKeys()) {
      if (!saves.has(key)) deletions.push(transaction.objectStore('saves').delete(key));
    }
    for (const key of await transaction.objectStore('texts').getAllKeys()) {
      if (!texts.has(key)) deletions.push(transaction.objectStore('texts').delete(key));
    }
    await Promise.all([...deletions, transaction.done]);
  }
}
