// SPDX-License-Identifier: MIT
// Which run this tab has: survives a reload and belongs to no other tab.

const key = 'heed-run';

export function tabRun(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberTab(id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // Forbidden storage: after a reload the newest saved run is taken instead.
  }
}

/** `crypto.randomUUID` would need a secure context. Names a run, never feeds a model. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
