// SPDX-License-Identifier: MIT
// The single keys of the learn room. Readers who use speech input can turn them off.

import { shortcuts } from '../shell/switches.svelte';
import type { LearnRoom } from './room.svelte';

const typing = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, '
  + '[contenteditable]';

export function handleKey(room: LearnRoom, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest(typing)) return;
  if (event.key === 'Escape') {
    room.selection.release();
    return;
  }
  if (!shortcuts.on) return;
  // What has the focus answers Space itself.
  const answers = target?.closest('button, a, summary, input, [role="gridcell"], [role="slider"]');
  if (event.key === ' ' && answers) return;
  switch (event.key) {
    case ' ':
      room.toggle();
      break;
    case '.':
      room.step();
      break;
    case ',':
      room.back();
      break;
    case 'g':
    case 'G':
      room.setSide(room.side === 'forward' ? 'gradient' : 'forward');
      break;
    default:
      return;
  }
  event.preventDefault();
}
