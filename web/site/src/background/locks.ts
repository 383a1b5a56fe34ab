// SPDX-License-Identifier: MIT
// One tab writes a run. A lock lives as long as this worker, so a closed or crashed tab frees it.

/** How to let go of each. */
const claimed = new Map<string, () => void>();

const prefix = 'heed-run-';

/** Runs that any tab has, this one too; none where locks cannot be asked for. */
export async function runsInUse(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(prefix));
  return new Set(names.map((name) => name.slice(prefix.length)));
}

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
      .request(`${prefix}${id}`, options, (lock) => {
        resolve(lock !== null);
        if (lock === null) return undefined;
        return new Promise<void>((release) => claimed.set(id, release));
      })
      .catch(() => resolve(false));
  });
  return granted;
}

let writing: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` while no other writer of any tab runs: a save is several steps, and whoever tidies up in
 * between would take a half-written one for a leftover.
 */
export function asOnlyWriter<T>(work: () => Promise<T>): Promise<T> {
  // Without Web Locks at least this tab's writers wait for each other.
  if (navigator.locks !== undefined) return navigator.locks.request('heed-store', work) as Promise<T>;
  const result = writing.then(work);
  writing = result.catch(() => {});
  return result;
}

/** This tab has moved to run `id`; others may have what it had before. */
export function releaseOthers(id: string): void {
  for (const [other, release] of claimed) {
    if (other === id) continue;
    release();
    claimed.delete(other);
  }
}
