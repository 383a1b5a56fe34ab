// SPDX-License-Identifier: MIT
// Opens the train room.

import type { EngineHost } from '../shell/engine-host.svelte';
import type { OpenedRoom } from '../shell/rooms';
import { trainKeys } from './keys';
import { Room } from './room.svelte';
import type { Started } from './start';
import TrainRoom from './TrainRoom.svelte';

export function open(host: EngineHost, started: Started): OpenedRoom {
  const room = new Room(host, started);
  void room.open(started);
  return { component: TrainRoom, props: { room }, keys: trainKeys };
}
