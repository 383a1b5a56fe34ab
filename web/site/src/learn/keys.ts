// SPDX-License-Identifier: MIT
// The single keys of the learn room. Readers who use speech input can turn them off.

import { askedFor, groupOf, meantForPage } from '../shell/keys';
import type { KeyGroup } from '../shell/keys';
import type { LearnRoom } from './room.svelte';

const runKeys = { play: ' ', step: '.', back: ',', side: 'g' } as const;

/** What has the focus answers Space itself. */
const answers = 'button, a, summary, input, [role="gridcell"], [role="slider"]';

const actions: Readonly<Record<keyof typeof runKeys, (room: LearnRoom) => void>> = {
  play: (room) => room.toggle(),
  step: (room) => room.step(),
  back: (room) => room.back(),
  side: (room) => room.setSide(room.side === 'forward' ? 'gradient' : 'forward'),
};

export function handleKey(room: LearnRoom, event: KeyboardEvent): void {
  if (event.key === 'Escape' && meantForPage(event)) {
    room.selection.release();
    return;
  }
  const asked = askedFor(runKeys, event, answers);
  if (asked === undefined) return;
  actions[asked](room);
  event.preventDefault();
}

/** What the sheet lists; figures answer their keys themselves. */
export const learnKeys: readonly KeyGroup[] = [
  groupOf('run', runKeys),
  {
    of: 'figure',
    lines: [
      { does: 'item', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] },
      { does: 'ends', keys: ['Home', 'End'] },
      { does: 'pin', keys: ['Enter'] },
      { does: 'release', keys: ['Escape'] },
    ],
  },
];
