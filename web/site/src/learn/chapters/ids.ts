// SPDX-License-Identifier: MIT
// The chapters that there are, in the order of reading.

export const chapterIds = ['c0'] as const;
export type ChapterId = (typeof chapterIds)[number];
