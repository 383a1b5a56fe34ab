// SPDX-License-Identifier: MIT
// Opens the learn room.

import type { OpenedRoom } from '../shell/rooms';
import LearnPage from './LearnPage.svelte';
import { LearnRoom } from './room.svelte';

export function open(): OpenedRoom {
  const room = new LearnRoom(location.search);
  void room.open();
  return { component: LearnPage, props: { room } };
}
