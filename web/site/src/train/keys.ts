// SPDX-License-Identifier: MIT
// The keys of the train room.

import { askedFor, groupOf } from '../shell/keys';
import type { KeyGroup } from '../shell/keys';

const runKeys = { play: ' ', step: '.', reset: 'r' } as const;
type Asked = keyof typeof runKeys;

/** Does what a key asks for, where it can be done now. */
export function handleKey(
  event: KeyboardEvent,
  can: Readonly<Record<Asked, boolean>>,
  actions: Readonly<Record<Asked, () => void>>,
): void {
  const asked = askedFor(runKeys, event);
  if (asked === undefined || !can[asked]) return;
  actions[asked]();
  event.preventDefault();
}

/** What the sheet lists; the map and the curves answer their keys themselves. */
export const trainKeys: readonly KeyGroup[] = [
  groupOf('run', runKeys),
  {
    of: 'map',
    lines: [
      { does: 'cell', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] },
      { does: 'edge', keys: ['Home', 'End'] },
      { does: 'cells', keys: ['PageUp', 'PageDown'] },
      { does: 'pin', keys: ['Enter'] },
      { does: 'release', keys: ['Escape'] },
    ],
  },
  {
    of: 'chart',
    lines: [
      { does: 'point', keys: ['ArrowLeft', 'ArrowRight'] },
      { does: 'points', keys: ['PageUp', 'PageDown'] },
      { does: 'ends', keys: ['Home', 'End'] },
      { does: 'release', keys: ['Escape'] },
    ],
  },
];
