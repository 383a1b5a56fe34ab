// SPDX-License-Identifier: MIT
// How far two orders agree.

/** Ranks from 1; equal values share the mean of their places. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const found = new Array<number>(values.length).fill(0);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) ++end;
    for (let at = start; at <= end; ++at) found[order[at]!] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return found;
}

/**
 * Spearman's rank correlation, -1 to 1: Pearson's of the ranks, which stays right with ties. NaN
 * when one side has no order at all (all equal, or fewer than two).
 */
export function rankAgreement(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (x.length + 1) / 2;
  let [both, ofX, ofY] = [0, 0, 0];
  for (let at = 0; at < x.length; ++at) {
    const [dx, dy] = [x[at]! - mean, y[at]! - mean];
    both += dx * dy;
    ofX += dx * dx;
    ofY += dy * dy;
  }
  return ofX > 0 && ofY > 0 ? both / Math.sqrt(ofX * ofY) : Number.NaN;
}
