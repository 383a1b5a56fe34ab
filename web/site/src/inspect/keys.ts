// SPDX-License-Identifier: MIT
// The single keys of the inspect room.

import { askedFor, groupOf, meantForPage } from '../shell/keys';
import type { KeyGroup } from '../shell/keys';
import type { InspectRoom } from './room.svelte';

const stateKeys = { earlier: ',', later: '.' } as const;

export function handleKey(room: InspectRoom, event: KeyboardEvent): void {
  if (event.key === 'Escape' && meantForPage(event)) {
    room.selection.release();
    return;
  }
  const asked = askedFor(stateKeys, event);
  if (asked === undefined) return;
  room.move(asked === 'later' ? 1 : -1);
  event.preventDefault();
}

/** What the sheet lists; figures answer their keys themselves. */
export const inspectKeys: readonly KeyGroup[] = [
  groupOf('states', stateKeys),
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
