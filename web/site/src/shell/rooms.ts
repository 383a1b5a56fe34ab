// SPDX-License-Identifier: MIT
// Which room the address names, and the addresses of the others.

import type { Component } from 'svelte';
import type { KeyGroup } from './keys';

export const roomIds = ['learn', 'train', 'inspect'] as const;
export type RoomId = (typeof roomIds)[number];

/** An address that names no room, or one that there is not, leads to the first. */
export const roomOf = (search: string): RoomId =>
  roomIds.find((id) => id === new URLSearchParams(search).get('room')) ?? roomIds[0];

/** Settings of one room mean nothing in another; the language goes along. */
export function addressOfRoom(id: RoomId, search: string): string {
  const parameters = new URLSearchParams({ room: id });
  const lang = new URLSearchParams(search).get('lang');
  if (lang !== null) parameters.set('lang', lang);
  return `?${parameters}`;
}

/** A room's component with what it is given. */
export interface OpenedRoom {
  // Each room has its own properties, which only the room itself puts together.
  component: Component<any>;
  props: Record<string, unknown>;
  /** What the sheet of keys lists for it. */
  keys?: readonly KeyGroup[];
}
