// SPDX-License-Identifier: MIT
// Errors of the engine and of the background worker in the reader's words.

import { HeedError } from 'heed';
import { BackgroundError, tableLimitBytes, textLimitBytes } from '../background/protocol';
import { t } from '../text';
import { formatBytes } from '../text/format';

export function failureInWords(error: unknown): string {
  if (error instanceof HeedError) return t.engineFailures[error.code](error.message);
  if (error instanceof BackgroundError) return backgroundInWords(error);
  return t.engineFailures.crashed(error instanceof Error ? error.message : String(error));
}

function backgroundInWords({ code, details }: BackgroundError): string {
  const message = details.message ?? '';
  switch (code) {
    case 'text-too-large':
      return t.textFailures.tooLarge({
        size: formatBytes(details.bytes ?? 0), limit: formatBytes(textLimitBytes),
      });
    case 'table-too-large':
      return t.textFailures.tableTooLarge({
        size: formatBytes(details.bytes ?? 0), limit: formatBytes(tableLimitBytes),
      });
    case 'text-table':
      return t.textFailures.table({ line: details.line, message });
    case 'aborted':
      return t.textFailures.aborted;
    case 'text-empty':
      return t.textFailures.empty;
    case 'text-binary':
      return t.textFailures.binary;
    case 'text-encoding':
      return t.textFailures.encoding;
    case 'text-unreachable':
      return t.textFailures.unreachable(message);
    case 'text-missing':
      return t.textFailures.missing;
    case 'run-missing':
      return t.runFailures.missing;
    case 'run-in-use':
      return t.runFailures.inUse;
    case 'run-file':
      return t.runFailures.file(message);
    case 'tokenizer':
      return message;
    case 'storage-unavailable':
      return t.storageFailures.unavailable;
    case 'storage-full':
      return t.storageFailures.full({
        needed: details.bytes === undefined ? undefined : formatBytes(details.bytes),
        free: details.free === undefined ? undefined : formatBytes(details.free),
      });
    case 'storage-failed':
      return t.storageFailures.failed(message);
  }
}
