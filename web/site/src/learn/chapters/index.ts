// SPDX-License-Identifier: MIT
// Chapters by name. Only what is listed here can be reached.

import type { Component } from 'svelte';
import C0 from './C0.svelte';
import C1 from './C1.svelte';
import C10 from './C10.svelte';
import C11 from './C11.svelte';
import C12 from './C12.svelte';
import C13 from './C13.svelte';
import C2 from './C2.svelte';
import C3 from './C3.svelte';
import C4 from './C4.svelte';
import C5 from './C5.svelte';
import C6 from './C6.svelte';
import C7 from './C7.svelte';
import C8 from './C8.svelte';
import C9 from './C9.svelte';
import type { ChapterId } from './ids';
import type { ChapterProps } from './props';

export const chapters: Record<ChapterId, Component<ChapterProps>> = {
  c0: C0, c1: C1, c2: C2, c3: C3, c4: C4, c5: C5, c6: C6,
  c7: C7, c8: C8, c9: C9, c10: C10, c11: C11, c12: C12, c13: C13,
};
