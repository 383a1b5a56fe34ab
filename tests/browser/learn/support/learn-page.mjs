// SPDX-License-Identifier: MIT
// The learn room in a browser.

import { RoomPage } from '../../support/room.mjs';

export const openLearn = (site, parameters = {}, contextOptions = {}) =>
  RoomPage.open(site, { room: 'learn', ...parameters }, contextOptions);

/** At rest at `step`, with everything that was asked of the model answered. */
export async function openAt(site, step, parameters = {}, contextOptions = {}) {
  const room = await openLearn(site, { step, ...parameters }, contextOptions);
  await shownStep(room, step);
  await settled(room);
  return room;
}

export const shownStep = (room, step) => stepIn(room.page, step);

/** The same in a page or a frame: the step is shown and every figure drawn. */
export const stepIn = (page, step) => page.waitForFunction(
  (wanted) => document.querySelector(`article[data-step="${wanted}"] h2`) !== null
    && document.querySelector('[data-stale]') === null,
  step, { timeout: 60_000 });

/** Waits until questions to the model are answered, figures drawn, and numbers have stopped changing. */
export const settled = (room) => room.page.evaluate(async () => {
  const state = () =>
    [...document.querySelectorAll('main [data-addr]')].map((e) => e.dataset.value).join();
  let before;
  for (let still = 0; still < 2; ) {
    // Two frames, so that whatever follows from an answer has asked its own question.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const answered = document.querySelector('article[data-asking="0"]') !== null
      && document.querySelector('[data-stale]') === null;
    const now = state();
    still = answered && now === before ? still + 1 : 0;
    before = now;
  }
});

/** Every number in the page with what it is of: step, example, and what was asked of the model. */
export const learnNumbers = (room) => room.page.evaluate(() => {
  const near = (element, name) => element.closest(`[data-${name}]`)?.getAttribute(`data-${name}`);
  return [...document.querySelectorAll('main [data-addr]')].flatMap((element) => {
    if (element.dataset.value === undefined || element.dataset.value === '') return [];
    return [{
      address: element.dataset.addr,
      value: element.dataset.value,
      digits: element.dataset.digits === 'full' ? 'full' : Number(element.dataset.digits),
      signed: 'signed' in element.dataset,
      text: element.textContent,
      step: Number(near(element, 'step')),
      example: Number(near(element, 'example') ?? 0),
      whatIf: near(element, 'what-if') ?? '[]',
      figure: element.closest('article, aside, section')?.tagName ?? '',
    }];
  });
});

export async function chapter(room, id) {
  await room.page.getByRole('combobox', { name: 'Chapters' }).selectOption(id);
  await room.page.locator(`article[data-chapter="${id}"] h2`).first().waitFor();
  await settled(room);
}
