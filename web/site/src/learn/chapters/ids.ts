// SPDX-License-Identifier: MIT
// The chapters that there are, in the order of reading.

export const chapterIds = ['c0', 'c4', 'c5', 'c7', 'c8', 'c10', 'c11', 'c12'] as const;
export type ChapterId = (typeof chapterIds)[number];
