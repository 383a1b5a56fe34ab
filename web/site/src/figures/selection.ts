// SPDX-License-Identifier: MIT
// The one selection, and the one lit part, that the figures of a page share.

import type { Lights, Selection, SelectionStore } from './contracts';

const start: Selection = {
  run: '', step: 0, example: 0, layer: 0, head: 0, i: 0, j: 0, channel: 0,
};

/** True when `part` says nothing that `whole` does not. */
const within = (part: Partial<Selection>, whole: Selection): boolean =>
  Object.entries(part).every(([key, value]) => whole[key as keyof Selection] === value);

export function createSelection(initial: Partial<Selection> = {}): SelectionStore {
  const listeners = new Set<(selection: Readonly<Selection>, pinned: boolean) => void>();
  let base: Selection = { ...start, ...initial };
  let shown = base;
  let pinned = false;

  function change(next: Selection, nextPinned: boolean): void {
    if (within(next, shown) && within(shown, next) && nextPinned === pinned) return;
    shown = next;
    pinned = nextPinned;
    for (const listener of [...listeners]) listener(shown, pinned);
  }

  return {
    get current() {
      return shown;
    },
    get pinned() {
      return pinned;
    },
    preview(part) {
      if (!pinned) change(part === undefined ? base : { ...base, ...part }, false);
    },
    move(part) {
      base = { ...base, ...part };
      change(base, pinned);
    },
    pin(part) {
      const again = pinned && within(part, base);
      base = { ...base, ...part };
      change(base, !again);
    },
    release() {
      change(base, false);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function createLights(): Lights {
  const listeners = new Set<(part: string | undefined) => void>();
  let lit: string | undefined;
  return {
    get lit() {
      return lit;
    },
    light(part) {
      if (part === lit) return;
      lit = part;
      for (const listener of [...listeners]) listener(lit);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
