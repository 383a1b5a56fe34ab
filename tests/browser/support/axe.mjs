// SPDX-License-Identifier: MIT
// What axe finds in a page, one line for each broken rule.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All that another colour scheme can break. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Every rule, best practices included, or `only` some; `except` leaves rules out. */
export async function violations(page, { only, except = [] } = {}) {
  await page.evaluate(source);
  const found = await page.evaluate(async ([wanted, left]) => (await window.axe.run({
    ...(wanted === undefined ? {} : { runOnly: { type: 'rule', values: wanted } }),
    rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
    // Unique selectors and lists of what passed take most of the time and nobody reads them.
    resultTypes: ['violations'],
    selectors: false,
  })).violations, [only, except]);
  return found.map(({ id, nodes }) => {
    const some = nodes.filter((_, at) => at % Math.ceil(nodes.length / 6) === 0);
    return `${id}: ${nodes.length}: ${some.map(({ html }) => html.slice(0, 200)).join(' | ')}`;
  });
}
