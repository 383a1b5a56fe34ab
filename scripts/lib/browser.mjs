// SPDX-License-Identifier: MIT
// Chromium, driven headless through playwright-core, and Firefox through puppeteer-core, which
// drives an installed one where playwright needs a build of its own.
//
// Tests take Chromium's headless shell where there is one: the same Blink, V8 and network without
// the browser's own windows, tabs and services, which took a third of the browser tests' time.
// Measurements take the browser that readers have.
import { accessSync, constants } from 'node:fs';

// Kept equal to the same names in scripts/setup.d/browser.sh.
const shells = ['/usr/bin/chromium-headless-shell'];
const chromiums = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const firefoxes = [
  process.env.HEED_FIREFOX,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];

const usable = (candidates) =>
  candidates.find((path) => {
    if (!path) return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Path of a usable Chromium, or undefined; `whole`: rather the browser than its headless shell. */
export const findChromium = ({ whole = false } = {}) =>
  usable([process.env.HEED_CHROMIUM, ...(whole ? [...chromiums, ...shells] : [...shells, ...chromiums])]);
/** Path of a usable Firefox, or undefined. */
export const findFirefox = () => usable(firefoxes);

/** Starts Chromium with nothing that reaches out by itself (updates, sync, field trials). */
export async function launchChromium(options) {
  const executablePath = findChromium(options);
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

/** Starts Firefox through WebDriver BiDi. Its pages have puppeteer's methods, not playwright's. */
export async function launchFirefox() {
  const executablePath = findFirefox();
  if (!executablePath) {
    throw new Error('No Firefox found: run scripts/setup, or set HEED_FIREFOX to its path.');
  }
  const { launch } = await import('puppeteer-core');
  return launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    // Nothing that reaches out by itself.
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'browser.safebrowsing.malware.enabled': false,
      'browser.safebrowsing.phishing.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'extensions.update.enabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  });
}
