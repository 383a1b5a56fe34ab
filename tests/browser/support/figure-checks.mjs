// SPDX-License-Identifier: MIT
// Page-wide checks of figures: every number equals its source, no digit without an address, headers
// name what the address says. Each returns faults, one line each, so that a test can also see that
// a broken page is found out.

/** How a number has to be written: the checks' own rounding, not the page's. */
export function written(value, digits, signed) {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '\u2212∞';
  const size = Math.abs(value).toFixed(digits);
  if (signed) return (value > 0 ? '+' : value < 0 ? '\u2212' : '') + size;
  return (value < 0 && /[1-9]/.test(size) ? '\u2212' : '') + size;
}

/** Every number in the page (or below `selector`), as it stands there. */
export const shownNumbers = (page, selector = 'body') =>
  page.evaluate((within) => [...document.querySelectorAll(`${within} [data-addr]`)].map((element) => ({
    address: element.dataset.addr,
    value: element.dataset.value,
    digits: Number(element.dataset.digits),
    signed: 'signed' in element.dataset,
    text: element.textContent,
    figure: element.closest('section')?.id ?? '',
  })), selector);

/**
 * `source(address)` gives the true number. What a figure computes itself may differ from it by the
 * order of additions: `tolerance` times the size of the number (and at least 1e-12).
 */
export function numberFaults(numbers, source, tolerance = 1e-9) {
  return numbers.flatMap(({ address, value, digits, signed, text, figure }) => {
    const truth = source(address);
    const name = `${figure} ${address}`;
    if (truth === undefined) return [`${name}: nobody knows this address`];
    const given = Number(value);
    const same = Object.is(given, truth) || given === truth || (Number.isNaN(given) && Number.isNaN(truth))
      || Math.abs(given - truth) <= Math.max(1e-12, tolerance * Math.abs(truth));
    if (!same) return [`${name}: data-value ${value}, the source has ${truth}`];
    const expected = written(given, digits, signed);
    return text === expected ? [] : [`${name}: shows '${text}', ${expected} is right`];
  });
}

/** Texts with a digit that are no number of the model, no index, tick, token or title. */
export const looseDigits = (page, selector = '.figure') => page.evaluate((within) => {
  const excused = '[data-addr], [data-index], [data-axis], bdi, figcaption, caption';
  return [...document.querySelectorAll(within)].flatMap((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (/\d/.test(node.data) && !node.parentElement.closest(excused)) {
        found.push(`${root.closest('section')?.id ?? ''}: '${node.data.trim()}'`);
      }
    }
    return found;
  });
}, selector);

/**
 * Of every cell of a grid whose address ends in `.i.j`: the headers of its row and column name token
 * i and token j (or channel, where there are no tokens) with their indices. `glyphs` are the tokens
 * as they have to look.
 */
export async function headerFaults(page, glyphs, selector = 'body') {
  const cells = await page.evaluate((within) => [...document.querySelectorAll(
    `${within} .grid-cell [data-addr]`)].map((number) => {
    const cell = number.closest('.grid-cell');
    const grid = cell.closest('[role="grid"]');
    const read = (head) => ({
      index: head.querySelector('[data-index]')?.textContent,
      token: head.querySelector(':scope > bdi')?.textContent,
    });
    return {
      address: number.dataset.addr,
      row: read(grid.querySelector(`[role="rowheader"][data-row="${cell.dataset.row}"]`)),
      column: read(grid.querySelector(`[role="columnheader"][data-column="${cell.dataset.column}"]`)),
      // The label nearest the cell on the screen has to be the one that counts.
      above: grid.querySelectorAll('[role="columnheader"]')[Number(cell.dataset.column) + 1]
        .getBoundingClientRect().left - cell.getBoundingClientRect().left,
      swapped: grid.closest('.figure').querySelector('.figure-controls [aria-pressed="true"]')
        ?.textContent === 'Swap rows and columns',
    };
  }), selector);
  return cells.flatMap(({ address, row, column, above, swapped }) => {
    const [i, j] = address.split('.').slice(-2);
    const [first, second] = swapped ? [column, row] : [row, column];
    const faults = [];
    const check = (side, header, index) => {
      if (header.index !== index) faults.push(`${address}: ${side} header says ${header.index}`);
      if (header.token !== undefined && header.token !== glyphs[Number(index)]) {
        faults.push(`${address}: ${side} header says '${header.token}', token ${index} is '${
          glyphs[Number(index)]}'`);
      }
    };
    check('row', first, i);
    check('column', second, j);
    if (Math.abs(above) > 1) faults.push(`${address}: column header is off by ${above} px`);
    return faults;
  });
}

/**
 * Fills of grid cells mapped back to numbers: ink from 0 to 1, or brown and teal around 0 up to the
 * largest. One step of a channel of 8 bits is the tolerance. Signs agree with marks.
 */
export async function colourFaults(page, selector, { signed }) {
  const { cells, colours } = await page.evaluate((within) => {
    const style = getComputedStyle(document.querySelector(within));
    const probe = document.createElement('i');
    document.body.append(probe);
    const colour = (name) => {
      probe.style.color = style.getPropertyValue(name);
      return getComputedStyle(probe).color.match(/\d+/g).map(Number);
    };
    const colours = Object.fromEntries(['paper', 'ink', 'less', 'more'].map((name) =>
      [name, colour(`--${name}`)]));
    probe.remove();
    return {
      colours,
      cells: [...document.querySelectorAll(`${within} .grid-cell:not([data-masked])`)].map((cell) => ({
        fill: getComputedStyle(cell).backgroundColor.match(/\d+/g).map(Number),
        value: Number(cell.querySelector('[data-addr]').dataset.value),
        text: cell.querySelector('[data-addr]').textContent,
        mark: cell.dataset.sign,
      })),
    };
  }, selector);
  const limit = signed ? Math.max(...cells.map(({ value }) => Math.abs(value))) : 1;
  return cells.flatMap(({ fill, value, text, mark }, index) => {
    const full = signed ? (value < 0 ? colours.less : colours.more) : colours.ink;
    // The channel that changes most tells most.
    const channel = [0, 1, 2].reduce((best, at) =>
      (Math.abs(full[at] - colours.paper[at]) > Math.abs(full[best] - colours.paper[best]) ? at : best), 0);
    const range = full[channel] - colours.paper[channel];
    const decoded = ((fill[channel] - colours.paper[channel]) / range) * limit;
    const faults = [];
    if (Math.abs(decoded - Math.abs(value)) > limit / Math.abs(range) + 1e-9) {
      faults.push(`cell ${index}: fill says ${decoded}, value is ${value}`);
    }
    if (signed && value !== 0) {
      const sign = value > 0 ? '+' : '\u2212';
      if (text[0] !== sign) faults.push(`cell ${index}: '${text}' for ${value}`);
      if (mark !== undefined && mark !== sign) faults.push(`cell ${index}: mark ${mark} for ${value}`);
    }
    return faults;
  });
}
