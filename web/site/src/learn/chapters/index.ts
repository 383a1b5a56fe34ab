// SPDX-License-Identifier: MIT
// Chapters by name. Only what is listed here can be reached.

import type { Component } from 'svelte';
import C0 from './C0.svelte';
import type { ChapterId } from './ids';
import type { ChapterProps } from './props';

export const chapters: Record<ChapterId, Component<ChapterProps>> = { c0: C0 };
