// SPDX-License-Identifier: MIT
// A saved run: one checkpoint in a folder. A save that is interrupted leaves the former one whole.

import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { HeedError } from '../errors.js';

const fileName = 'run.safetensors';

/** Makes the folder and tries it: better to learn now than after hours of training. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw saveError(folder, cause);
  }
}

export function saveRun(folder: string, bytes: Uint8Array): string {
  const path = join(folder, fileName);
  const temporary = join(folder, `.${fileName}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const file = openSync(temporary, 'w');
    try {
      // A write may take fewer bytes than it was given.
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at);
      }
      // The data must be on disk before the name points to it.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    syncFolder(folder);
    return path;
  } catch (cause) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // What kept the file from being written may keep it from being removed.
    }
    throw saveError(folder, cause);
  }
}

export function loadRun(folder: string): Uint8Array {
  try {
    return readFileSync(join(folder, fileName));
  } catch (cause) {
    throw new HeedError(
      'bad-data',
      `${folder} holds no saved run: ${reasonOf(cause)}. ` +
        'Pass the folder that "heed train --out" wrote.',
      { cause },
    );
  }
}

/** Makes the rename itself lasting; not every system lets a folder be opened. */
function syncFolder(folder: string): void {
  let file: number;
  try {
    file = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(file);
  } catch {
    // Some file systems refuse to sync a folder; the file itself is safe.
  } finally {
    closeSync(file);
  }
}

function saveError(folder: string, cause: unknown): HeedError {
  return new HeedError(
    'bad-data',
    `The run cannot be saved in ${folder}: ${reasonOf(cause)}. ` +
      'Choose a folder that can be written to and has room.',
    { cause },
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
