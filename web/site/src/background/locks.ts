// SPDX-License-Identifier: MIT
// One tab writes a run. A lock lives as long as this worker, so a closed or crashed tab frees it.

const claimed = new Set<string>();

/** Waits up to `patience` ms: after a reload the old worker's lock may still be going away. */
export async function claimRun(id: string, patience: number): Promise<boolean> {
  if (claimed.has(id)) return true;
  // Without Web Locks (insecure contexts) two tabs cannot be told apart; the newest save wins.
  if (navigator.locks === undefined) return true;
  const granted = await new Promise<boolean>((resolve) => {
    const options = patience > 0
      ? { signal: AbortSignal.timeout(patience) }
      : { ifAvailable: true };
    navigator.locks
      .request(`heed-run-${id}`, options, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<never>(() => {});
      })
      .catch(() => resolve(false));
  });
  if (granted) claimed.add(id);
  return granted;
}
