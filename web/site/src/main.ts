// SPDX-License-Identifier: MIT
import { mount } from 'svelte';
import './shell/theme.css';
import App from './shell/App.svelte';
import { roomOf } from './shell/rooms';
import type { OpenedRoom, RoomId } from './shell/rooms';
import { theme } from './shell/theme.svelte';
import { language } from './text/language.svelte';

const rooms: Record<RoomId, () => Promise<{ open: () => OpenedRoom }>> = {
  learn: () => import('./learn/open'),
  train: () => import('./train/open'),
};

theme.start();
const id = roomOf(location.search);
const [room] = await Promise.all([rooms[id](), language.start(location.search)]);
// The engine and its data load while the page is still being built.
const opened = room.open();
const embedded = new URLSearchParams(location.search).has('embed');
mount(App, { target: document.getElementById('app')!, props: { room: id, opened, embedded } });
