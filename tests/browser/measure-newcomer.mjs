// SPDX-License-Identifier: MIT
// A newcomer's way, without reading anything: the bare address, the room Train, a text of one's own
// pasted, a run started, the first sample of it read. Prints one JSON object of seconds.
//   node tests/browser/measure-newcomer.mjs

import { launchChromium } from '../../scripts/lib/browser.mjs';
import { RoomPage } from './support/room.mjs';
import { serveSite } from './support/server.mjs';

const text = 'My neighbour feeds the crows at eight, and by nine they have told the whole street about it. '
  + 'On Sundays they come at seven and wait on the fence, as if the week were theirs. ';

const site = await serveSite();
const browser = await launchChromium({ whole: true });
try {
  const room = new RoomPage(await (await browser.newContext()).newPage());
  const start = performance.now();
  const seconds = {};
  const mark = (name) => (seconds[name] = Number(((performance.now() - start) / 1000).toFixed(2)));
  await room.page.goto(site.address);
  await room.page.getByRole('link', { name: 'Train', exact: true }).click();
  await room.phase('running');
  mark('roomTrains');
  await room.field('text').selectOption('own');
  await room.page.locator('form textarea').fill(text.repeat(12));
  await room.press('Use this text');
  await room.page.locator('.choice .state').getByText('tokens').first().waitFor();
  mark('textRead');
  await room.press('Start a new run');
  await room.page.waitForURL((url) => url.searchParams.get('text') === 'own');
  await room.waitForNumber('train.step', (step) => step > 0);
  mark('firstStep');
  await room.page.getByText(/written at step [1-9]/).waitFor();
  mark('firstSample');
  const sample = await room.page.locator('section', { hasText: 'written at step' }).last().innerText();
  await room.waitForNumber('train.loss', (loss) => loss < 1);
  mark('lossBelow1');
  const steps = await room.number('train.step');
  console.log(JSON.stringify({ seconds, steps, sample: sample.slice(0, 200) }));
} finally {
  await browser.close();
  await site.close();
}
