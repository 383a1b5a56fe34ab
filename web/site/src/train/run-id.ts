// SPDX-License-Identifier: MIT
// Names of runs.

/** `crypto.randomUUID` would need a secure context. Names a run, never feeds a model. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
