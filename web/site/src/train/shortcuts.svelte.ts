// SPDX-License-Identifier: MIT
// Whether single keys work: readers who use speech input or press keys by accident can turn it off.

const key = 'heed-shortcuts';

class Shortcuts {
  on = $state(true);

  constructor() {
    try {
      this.on = localStorage.getItem(key) !== 'off';
    } catch {
      // Forbidden storage: on, as for a first visit.
    }
  }

  set(on: boolean): void {
    this.on = on;
    try {
      localStorage.setItem(key, on ? 'on' : 'off');
    } catch {
      // Lasts as long as the page.
    }
  }
}

export const shortcuts = new Shortcuts();
