// SPDX-License-Identifier: MIT
// A tab that dies while it trains and saves: the last completed save is there, and nothing is said
// to be lost. tests/browser/measure-kills.mjs does it fifty times.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipReason, startSite } from '../support/room.mjs';
import { killTabs } from './support/killed-tab.mjs';

test('a tab killed while it trains opens at its last save', {
  skip: skipReason(), timeout: 300_000,
}, async () => {
  const site = await startSite();
  try {
    const found = await killTabs(site, { kills: 4, longestMs: 1500 });
    assert.equal(found.length, 4);
    assert.ok(found.at(-1).confirmed > 0, 'nothing was ever saved');
  } finally {
    await site.close();
  }
});
