// SPDX-License-Identifier: MIT
// What the tests do with the train room: open it, press its buttons, read its numbers.

import assert from 'node:assert/strict';
import { findChromium, launchChromium } from '../../../scripts/lib/browser.mjs';
import { serveSite } from './server.mjs';

/** A model that makes a step in a few milliseconds. */
export const tiny = {
  text: 'sonnets', layers: 1, heads: 2, width: 32, ffn: 64, context: 32, batch: 4, steps: 100000,
};

/** The train room's address with these settings. */
export const query = (settings) => `?${new URLSearchParams({ room: 'train', ...settings })}`;

/** For node:test's `skip`: a reason where there is no browser, except in CI, which needs one. */
export function skipReason() {
  if (findChromium() !== undefined) return false;
  if (process.env.CI) throw new Error('No Chromium found, and CI needs one. See scripts/setup.');
  return 'no Chromium found (set HEED_CHROMIUM, or run scripts/setup)';
}

/** A browser and a server for one test file. */
export async function startSite(options) {
  const [site, browser] = await Promise.all([serveSite(options), launchChromium()]);
  return {
    address: site.address,
    browser,
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

export class RoomPage {
  #faults = [];

  /** `expected`: console errors that the test itself causes. */
  constructor(page, { expected } = {}) {
    this.page = page;
    page.on('pageerror', (error) => this.#faults.push(`page error: ${error.stack ?? error}`));
    page.on('console', (message) => {
      const text = message.text();
      const fault = message.type() === 'error' && !expected?.test(text);
      if (fault) this.#faults.push(`console: ${text}`);
    });
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') {
        this.#faults.push(`request to ${request.url()}`);
      }
    });
  }

  /** Opens a page in a context of its own: nothing saved, nothing cached. */
  static async open(site, settings = tiny, contextOptions = {}) {
    const context = await site.browser.newContext(contextOptions);
    const room = new RoomPage(await context.newPage());
    await room.page.goto(site.address + query(settings));
    return room;
  }

  /** Another page of the same browser profile. */
  async another(url = this.page.url()) {
    const room = new RoomPage(await this.page.context().newPage());
    await room.page.goto(url);
    return room;
  }

  async close() {
    await this.page.context().close();
    assert.deepEqual(this.#faults, [], 'the page reported errors');
  }

  phase(...phases) {
    const selector = phases.map((phase) => `#controls[data-phase="${phase}"]`).join(', ');
    return this.page.waitForSelector(selector, { timeout: 60_000 });
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  press(name) {
    return this.button(name).click();
  }

  /** The full-precision number behind an output, or undefined while there is none. */
  async number(address) {
    const output = this.page.locator(`output[data-addr="${address}"]`);
    const text = await output.getAttribute('data-value');
    return text === null ? undefined : Number(text);
  }

  async waitForNumber(address, test) {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const value = await this.number(address);
      if (value !== undefined && test(value)) return value;
      if (Date.now() > deadline) assert.fail(`${address} is ${value} after 60 s`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Trains until `step` is reached, then pauses. */
  async trainTo(step) {
    await this.waitForNumber('train.step', (value) => value >= step);
    await this.pause();
  }

  async pause() {
    await this.press('Pause');
    await this.phase('paused');
  }

  field(name) {
    return this.page.locator(`form [name="${name}"]`);
  }

  /** What is said to be wrong with a field. */
  problemAt(name) {
    return this.page.locator(`.field:has([name="${name}"]) .problem`);
  }

  /** Waits until the map shows a probe of so many tokens. */
  async probeOf(tokens) {
    await this.page.locator(`[role="grid"][aria-rowcount="${tokens + 1}"]`).waitFor();
  }

  notice() {
    return this.page.locator('[data-notice]');
  }
}
