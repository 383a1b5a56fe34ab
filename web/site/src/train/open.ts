// SPDX-License-Identifier: MIT
// Opens the train room.

import type { OpenedRoom } from '../shell/rooms';
import { Room } from './room.svelte';
import TrainRoom from './TrainRoom.svelte';

export function open(): OpenedRoom {
  const room = new Room();
  void room.open();
  return { component: TrainRoom, props: { room } };
}
