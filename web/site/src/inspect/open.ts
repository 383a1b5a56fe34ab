// SPDX-License-Identifier: MIT
// Opens the inspect room.

import type { EngineHost } from '../shell/engine-host.svelte';
import type { OpenedRoom } from '../shell/rooms';
import { inspectKeys } from './keys';
import InspectPage from './InspectPage.svelte';
import { InspectRoom } from './room.svelte';

export function open(host: EngineHost): OpenedRoom {
  const room = new InspectRoom(host, location.search);
  void room.open();
  return { component: InspectPage, props: { room }, keys: inspectKeys };
}
