// SPDX-License-Identifier: MIT
// The true numbers of the gallery by address: those of its data, and what figures add to them,
// computed here once more.

import { shownNumbers } from './figure-checks.mjs';

/** Tokens of `?tokens=plain`, and how those of `?tokens=odd` have to look. */
export const plain = ['D', 'A', 'F', 'A', 'C', 'B', 'p2', '?', 'E'];
export const oddGlyphs = ['a', 'a', '␣', '↵', '<b>', '👩‍🚀', 'ab', 'مرحبا', '</b>'];

/** Fields of one line of CSV. */
export const fields = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare);

/** Numbers of the gallery's data by address, and what figures add to them. */
export async function sourceOf(page) {
  const known = new Map(await page.evaluate(() => {
    const found = [];
    const walk = (data) => {
      if (data === null || typeof data !== 'object') return;
      if (typeof data.address === 'string' && typeof data.value === 'number') {
        found.push([data.address, String(data.value)]);
      } else if (typeof data.address === 'string' && data.steps !== undefined) {
        Array.from(data.steps).forEach((step, at) =>
          found.push([`${data.address}.${step}`, String(data.values[at])]));
      } else if (typeof data.address === 'string' && data.rows !== undefined) {
        Array.from(data.values).forEach((value, at) => found.push([
          `${data.address}.${Math.floor(at / data.columns)}.${at % data.columns}`, String(value)]));
      } else if (typeof data.address === 'string' && data.values !== undefined) {
        Array.from(data.values).forEach((value, at) =>
          found.push([`${data.address}.${at}`, String(value)]));
      } else {
        Object.values(data).forEach(walk);
      }
    };
    for (const { data } of Object.values(window.gallery.shown)) walk(data);
    return found;
  }));
  const nudge = await page.evaluate(() => {
    const { by = [], losses = [], slope = {}, loss = {} } =
      window.gallery.shown['nudge-curve']?.data ?? {};
    return { by: Array.from(by), losses: Array.from(losses), slope: slope.value, loss: loss.value };
  });
  /** One call for all: thousands of calls into the page would take minutes. */
  const readAll = (addresses) => page.evaluate((all) => all.map((address) => {
    try {
      return String(window.gallery.read(address));
    } catch {
      return undefined;
    }
  }), addresses);
  /** Numbers that come from several of the data's. */
  function derived(address) {
    const difference = /^(.*[^-])-((?:before\.|ledger\.).*)$/.exec(address);
    if (difference) return Number(known.get(difference[1])) - Number(known.get(difference[2]));
    const nudged = /\.nudge\.\d+\.\d+\.(-?[\d.]+?)(?:\.(line|gap))?$/.exec(address);
    if (nudged) {
      const by = Number(nudged[1]);
      const line = nudge.loss + nudge.slope * by;
      const loss = nudge.losses[nudge.by.indexOf(by)];
      return { line, gap: loss - line }[nudged[2]] ?? loss;
    }
    if (address === 'L0.H0.W_Q.share.sum') {
      return plain.reduce((sum, _, t) => sum + Number(known.get(`L0.H0.W_Q.share.${t}`)), 0);
    }
    return undefined;
  }
  const reads = new Map();
  const rest = [];
  for (const { address } of await shownNumbers(page)) {
    if (known.has(address) || reads.has(address)) continue;
    const value = derived(address) ?? ownCounts(address, known);
    reads.set(address, value);
    if (value === undefined) rest.push(address);
  }
  (await readAll(rest)).forEach((value, at) =>
    reads.set(rest[at], value === undefined ? undefined : Number(value)));
  return (address) => (known.has(address) ? Number(known.get(address)) : reads.get(address));
}

/** Counts and rank agreements of the importances, computed here in another way. */
function ownCounts(address, known) {
  const map = (name) => plain.map((_, i) => plain.slice(0, i + 1).map((__, j) =>
    Number(known.get(`L0.H0.${name}.${i}.${j}`))));
  const top = (row) => row.indexOf(Math.max(...row));
  if (address === 'L0.H0.selfTop') return map('A').filter((row, i) => top(row) === i).length;
  if (address === 'L0.H0.cutTop') {
    const cut = map('cut');
    return map('A').filter((row, i) => top(row) === top(cut[i])).length;
  }
  const pair = /agreement\.(\w+)\.(\w+)$/.exec(address);
  if (!pair) return undefined;
  const names = { weights: 'A', sizes: 'AV', firstOrder: 'AxdA', cut: 'cut' };
  const ranks = pair.slice(1).map((name) => {
    const values = map(names[name]).flat();
    return values.map((value) => values.filter((other) => other < value).length
      + (values.filter((other) => other === value).length + 1) / 2);
  });
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const centre = ranks.map((values) => values.map((value) => value - mean(values)));
  const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);
  return dot(...centre) / Math.sqrt(dot(centre[0], centre[0]) * dot(centre[1], centre[1]));
}
