// SPDX-License-Identifier: MIT
// Whether a page fits its window.

/**
 * What makes a page scroll sideways: nothing where it does not, else its width and the elements that
 * reach past the window, outermost first.
 */
export const tooWide = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const past = [...document.querySelectorAll('body *')]
    .map((element) => ({ element, right: element.getBoundingClientRect().right }))
    .filter(({ right }) => right > clientWidth + 0.5)
    .map(({ element, right }) =>
      `${element.tagName}.${element.className} to ${Math.round(right)}: ${element.textContent.trim().slice(0, 40)}`);
  return [`${scrollWidth} of ${clientWidth} px`, ...past.slice(0, 20)];
});

/** Opens every `details` that there is, also those that come while others open. */
export async function openAllDetails(page) {
  const closed = page.locator('details:not([open]) > summary:visible');
  while ((await closed.count()) > 0) await closed.first().click();
}
