// SPDX-License-Identifier: MIT
// Kills the train room's tab at random moments while it trains and saves, and opens it again each
// time. Prints one JSON object; fails where a save that was confirmed is gone.
//   node tests/browser/measure-kills.mjs [--kills 50] [--seed 1]

import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/lib/browser.mjs';
import { serveSite } from './support/server.mjs';
import { killTabs } from './train/support/killed-tab.mjs';

const { values: options } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const site = await serveSite();
const browser = await launchChromium({ whole: true });
try {
  const found = await killTabs(
    { address: site.address, browser }, { kills: Number(options.kills), seed: Number(options.seed) });
  const lost = found.filter(({ confirmed, opened }) => opened < confirmed).length;
  console.log(JSON.stringify({ kills: found.length, lost, found }));
} finally {
  await browser.close();
  await site.close();
}
