// SPDX-License-Identifier: MIT
import { mount } from 'svelte';
import './shell/theme.css';
import App from './shell/App.svelte';
import { theme } from './shell/theme.svelte';
import { t } from './text';
import { Room } from './train/room.svelte';

// The workers start while the page is still being built.
const room = new Room();
void room.open();

theme.start();
document.documentElement.lang = t.language;
document.documentElement.dir = t.direction;
mount(App, { target: document.getElementById('app')!, props: { room } });
