// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';

import { HeedError } from '../errors.js';

/** The text of a UTF-8 file; what is not UTF-8 is refused by its position. */
export function readTextFile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HeedError('bad-data', `${path} could not be read: ${reason}. Check the path.`, {
      cause,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HeedError(
      'bad-data',
      `${path} (${bytes.length} bytes) is not a text in UTF-8. ` +
        'Convert it to UTF-8, or choose a text file.',
      { cause },
    );
  }
}
