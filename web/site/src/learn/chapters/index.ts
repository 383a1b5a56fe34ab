// SPDX-License-Identifier: MIT
// Chapters by name. Only what is listed here can be reached.

import type { Component } from 'svelte';
import C0 from './C0.svelte';
import C10 from './C10.svelte';
import C11 from './C11.svelte';
import C12 from './C12.svelte';
import C4 from './C4.svelte';
import C5 from './C5.svelte';
import C7 from './C7.svelte';
import C8 from './C8.svelte';
import type { ChapterId } from './ids';
import type { ChapterProps } from './props';

export const chapters: Record<ChapterId, Component<ChapterProps>> = {
  c0: C0, c4: C4, c5: C5, c7: C7, c8: C8, c10: C10, c11: C11, c12: C12,
};
