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
