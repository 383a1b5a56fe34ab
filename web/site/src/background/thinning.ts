// SPDX-License-Identifier: MIT
// Which of a run's saves stay as its past, and which make room.

/** A save, as far as this is concerned. */
export interface Kept {
  step: number;
  bytes: number;
}

/** Enough to see how a run came about, at a few megabytes for a model as the page usually has it. */
export const mostSaves = 24;
/** Large models have a shorter past. */
export const mostBytes = 64_000_000;
/** The newest, and the one before it should it be damaged, are always kept. */
const spare = 2;

/**
 * Indices of `saves` (by step) that go. Those go whose neighbours are closest by ratio: a model changes most in
 * its first steps, so the past is kept ever more finely towards them.
 */
export function tooMany(saves: readonly Kept[]): number[] {
  const left = saves.map((save, index) => ({ ...save, index }));
  const gone: number[] = [];
  const bytes = (): number => left.reduce((sum, save) => sum + save.bytes, 0);
  while (left.length > spare && (left.length > mostSaves || bytes() > mostBytes)) {
    let least = 0;
    let smallest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < left.length - spare; ++i) {
      const before = left[i - 1]?.step ?? 0;
      const ratio = (left[i + 1]!.step + 1) / (before + 1);
      if (ratio < smallest) [smallest, least] = [ratio, i];
    }
    gone.push(left[least]!.index);
    left.splice(least, 1);
  }
  return gone.sort((a, b) => a - b);
}
