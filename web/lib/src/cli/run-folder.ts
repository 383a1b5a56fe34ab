// SPDX-License-Identifier: MIT
// A saved run: one checkpoint in a folder. A save that is interrupted leaves the former one whole.

import {
  closeSync,
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
    rmSync(temporary, { force: true });
    throw new HeedError(
      'bad-data',
      `The run could not be saved in ${folder}: ${reasonOf(cause)}. ` +
        'Choose a folder that can be written to and has room.',
      { cause },
    );
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

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
