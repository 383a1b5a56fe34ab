// SPDX-License-Identifier: MIT
import { mount } from 'svelte';
import './shell/theme.css';
import App from './shell/App.svelte';
import { EngineHost } from './shell/engine-host.svelte';
import { roomOf } from './shell/rooms';
import type { OpenedRoom, RoomId } from './shell/rooms';
import { theme } from './shell/theme.svelte';
import { language } from './text/language.svelte';
import { start } from './train/start';

/** Loads a room's code; what comes back opens it once the language is there. */
const rooms: Record<RoomId, (host: EngineHost) => Promise<() => OpenedRoom>> = {
  learn: async (host) => {
    const { open } = await import('./learn/open');
    return () => open(host);
  },
  train: async (host) => {
    const started = start(location.search);
    const { open } = await import('./train/open');
    return () => open(host, started);
  },
  inspect: async (host) => {
    const { open } = await import('./inspect/open');
    return () => open(host);
  },
};

theme.start();
const id = roomOf(location.search);
// The engine loads while the page is still being put together; the room says what went wrong.
const host = new EngineHost();
host.start().catch(() => {});
const [open] = await Promise.all([rooms[id](host), language.start(location.search)]);
const opened = open();
const embedded = new URLSearchParams(location.search).has('embed');
mount(App, { target: document.getElementById('app')!, props: { room: id, opened, embedded } });
