// SPDX-License-Identifier: MIT
// Hands a file to the reader.

/** Characters that file systems refuse become dashes: addresses may hold `|` and `:`. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  link.click();
  // The download has started by the next task; until then the address must live.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
