// SPDX-License-Identifier: MIT
// Opens the learn room.

import type { EngineHost } from '../shell/engine-host.svelte';
import type { OpenedRoom } from '../shell/rooms';
import { learnKeys } from './keys';
import LearnPage from './LearnPage.svelte';
import { LearnRoom } from './room.svelte';

export function open(host: EngineHost): OpenedRoom {
  const room = new LearnRoom(location.search, host);
  void room.open();
  return { component: LearnPage, props: { room }, keys: learnKeys };
}
