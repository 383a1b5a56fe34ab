// SPDX-License-Identifier: MIT
// The learn room in Firefox, with as much of a page as the sweeps use: evaluate, keys, waiting.

import { findFirefox, launchFirefox } from '../../../../scripts/lib/browser.mjs';
import { serveSite } from '../../support/server.mjs';

/** For node:test's `skip`: a reason where there is no Firefox, except in CI, which needs one. */
export function skipReason() {
  if (findFirefox() !== undefined) return false;
  if (process.env.CI) throw new Error('No Firefox found, and CI needs one. See scripts/setup.');
  return 'no Firefox found (set HEED_FIREFOX, or run scripts/setup)';
}

export async function startFirefox() {
  const [site, browser] = await Promise.all([serveSite(), launchFirefox()]);
  return {
    address: site.address,
    browser,
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

export class FirefoxRoom {
  #faults = [];

  constructor(tab) {
    tab.on('pageerror', (error) => this.#faults.push(`page error: ${error.stack ?? error}`));
    this.page = {
      evaluate: (...call) => tab.evaluate(...call),
      waitForTimeout: (ms) => new Promise((done) => setTimeout(done, ms)),
      waitFor: (...call) => tab.waitForFunction(...call),
      keyboard: tab.keyboard,
      goto: (url) => tab.goto(url),
      close: () => tab.close(),
    };
  }

  /** At rest at `step`. */
  static async openAt(site, step, parameters = {}) {
    const room = new FirefoxRoom(await site.browser.newPage());
    await room.page.goto(
      `${site.address}?${new URLSearchParams({ room: 'learn', step, ...parameters })}`);
    await room.shows(`article[data-step="${step}"] h2`);
    return room;
  }

  shows(selector) {
    return this.page.waitFor((wanted) => document.querySelector(wanted) !== null,
      { timeout: 60_000 }, selector);
  }

  /** Chosen from the list of chapters, as the reader would. */
  async chapter(id) {
    await this.page.evaluate((wanted) => {
      const list = [...document.querySelectorAll('select')].find((select) =>
        [...select.options].some((option) => option.value === wanted));
      list.value = wanted;
      list.dispatchEvent(new Event('change', { bubbles: true }));
    }, id);
    await this.shows(`article[data-chapter="${id}"] h2`);
  }

  async close() {
    await this.page.close();
    if (this.#faults.length > 0) throw new Error(this.#faults.join('\n'));
  }
}
