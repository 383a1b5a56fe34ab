// SPDX-License-Identifier: MIT
// What the reader turns on or off for all visits.

export class Switch {
  on: boolean = $state(false);
  readonly #key: string;

  constructor(key: string, usually: boolean) {
    this.#key = key;
    this.on = usually;
    try {
      const kept = localStorage.getItem(key);
      if (kept !== null) this.on = kept === 'on';
    } catch {
      // Forbidden storage: as for a first visit.
    }
  }

  set(on: boolean): void {
    this.on = on;
    try {
      localStorage.setItem(this.#key, on ? 'on' : 'off');
    } catch {
      // Lasts as long as the page.
    }
  }
}

/** Single keys: readers who use speech input or press keys by accident can turn them off. */
export const shortcuts = new Switch('heed-shortcuts', true);

/** Training rests while its tab cannot be seen, which saves energy; else it goes on. */
export const restHidden = new Switch('heed-rest-hidden', false);
