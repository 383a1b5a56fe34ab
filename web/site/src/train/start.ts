// SPDX-License-Identifier: MIT
// What takes longest when the train room opens, begun while the room's own code is still loading.

import { Background } from '../background/client';
import type { PreparedText } from '../background/protocol';
import { Library } from './library';
import { settingsFromAddress } from './settings-url';
import type { ParsedAddress } from './settings-url';
import { taskTextIds } from './task-data';
import { builtInIds } from './texts';

/** What the address asks for. */
export interface Asked {
  address: ParsedAddress;
  /** Most visits need this text, and reading it need not wait for the storage to answer. */
  text: Promise<PreparedText> | undefined;
}

export interface Started extends Asked {
  background: Background;
  library: Library;
}

export function ask(library: Library, search: string): Asked {
  const address = settingsFromAddress(search, [...builtInIds, ...taskTextIds, 'own']);
  const text = address.settings.text === 'own' ? undefined : library.read(address.settings);
  // Whoever waits for it hears of a failure.
  text?.catch(() => {});
  return { address, text };
}

export function start(search: string): Started {
  const background = new Background();
  const library = new Library(background);
  return { background, library, ...ask(library, search) };
}
