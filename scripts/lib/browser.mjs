// SPDX-License-Identifier: MIT
// Chromium, driven headless through playwright-core.
import { accessSync, constants } from 'node:fs';

// Kept equal to find_chromium in scripts/setup.d/browser.sh.
const candidates = [
  process.env.HEED_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a usable Chromium, or undefined. */
export function findChromium() {
  return candidates.find((path) => {
    if (!path) return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts Chromium with nothing that reaches out by itself (updates, sync, field trials). */
export async function launchChromium() {
  const executablePath = findChromium();
  if (!executablePath) {
    throw new Error('No Chromium found: run scripts/setup, or set HEED_CHROMIUM to its path.');
  }
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
