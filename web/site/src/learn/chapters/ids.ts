// SPDX-License-Identifier: MIT
// The chapters that there are, in the order of reading.

export const chapterIds = [
  'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c12', 'c13',
] as const;
export type ChapterId = (typeof chapterIds)[number];
