// SPDX-License-Identifier: MIT
// What every chapter is given: the room, what is drawn now, and the trace of the step shown.

import type { LearnRoom, View } from '../room.svelte';
import type { Frame } from '../run/frames';

export interface ChapterProps {
  room: LearnRoom;
  view: View;
  frame: Frame;
}
