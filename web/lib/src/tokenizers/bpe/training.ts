// SPDX-License-Identifier: MIT
// Learns merges from counted pieces (Sennrich et al. 2016, algorithm 1, on bytes): again and again the pair
// that stands side by side most often becomes a token. Counts are exact at every moment, overlapping pairs
// counted each ("aaa" holds two of a-a); of equally frequent pairs the one with the smaller ids wins, so
// that nothing depends on the order of the text or of a map.

import { Heap } from './heap.js';
import { bytes, mostTokens, pairKey } from './merges.js';

interface Pair {
  readonly key: number;
  count: number;
  /** Where it stands, ascending; places where it no longer stands stay listed. */
  readonly places: number[];
}

interface Entry {
  readonly pair: Pair;
  /** `pair.count` when it was put into the heap. */
  readonly count: number;
}

const before = (a: Entry, b: Entry): boolean =>
  a.count > b.count || (a.count === b.count && a.pair.key < b.pair.key);

/** A pair that stands once only makes no text shorter. */
const fewest = 2;

export class BpeTraining {
  /** All pieces behind each other, a byte a place; -1 where a token begun further left goes on. */
  readonly #symbols: Int32Array;
  /** How often the piece at a place occurs. */
  readonly #weights: Int32Array;
  /** The neighbouring places inside the piece, -1 at its ends. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #pairs = new Map<number, Pair>();
  readonly #heap: Heap<Entry>;
  readonly #merges: number[] = [];

  constructor(counts: ReadonlyMap<string, number>) {
    const encoder = new TextEncoder();
    const pieces = Array.from(counts, ([piece, count]) => ({ bytes: encoder.encode(piece), count }));
    const places = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    this.#symbols = new Int32Array(places);
    this.#weights = new Int32Array(places);
    this.#next = new Int32Array(places);
    this.#previous = new Int32Array(places);
    let at = 0;
    for (const piece of pieces) {
      const end = at + piece.bytes.length;
      this.#symbols.set(piece.bytes, at);
      this.#weights.fill(piece.count, at, end);
      for (let i = at; i < end; ++i) {
        this.#previous[i] = i === at ? -1 : i - 1;
        this.#next[i] = i + 1 === end ? -1 : i + 1;
        if (i > at) this.#count(i - 1, this.#symbols[i - 1]!, this.#symbols[i]!);
      }
      at = end;
    }
    const entries = Array.from(this.#pairs.values(), (pair) => ({ pair, count: pair.count }));
    this.#heap = new Heap(before, entries);
  }

  /** Merges so far: pairs of ids, flat. */
  get merges(): Int32Array {
    return Int32Array.from(this.#merges);
  }

  /** Learns one more merge; false when no pair stands twice. */
  step(): boolean {
    const best = this.#mostFrequent();
    if (best === undefined) return false;
    const left = Math.floor(best.key / mostTokens);
    const right = best.key % mostTokens;
    const token = bytes + this.#merges.length / 2;
    this.#merges.push(left, right);
    const made = new Set<Pair>();
    for (const at of best.places) {
      const after = this.#next[at]!;
      if (this.#symbols[at] === left && after >= 0 && this.#symbols[after] === right) {
        this.#merge(at, after, token, made);
      }
    }
    this.#pairs.delete(best.key);
    for (const pair of made) this.#heap.push({ pair, count: pair.count });
    return true;
  }

  #mostFrequent(): Pair | undefined {
    for (;;) {
      const entry = this.#heap.pop();
      if (entry === undefined) return undefined;
      const { pair, count } = entry;
      if (pair.count < fewest) continue;
      // A count only falls after its pair is made, so an entry promises too much at most.
      if (count === pair.count) return pair;
      this.#heap.push({ pair, count: pair.count });
    }
  }

  /** What stands at `at` and `after` becomes `token`; pairs that arise are added to `made`. */
  #merge(at: number, after: number, token: number, made: Set<Pair>): void {
    const symbols = this.#symbols;
    const weight = this.#weights[at]!;
    const before = this.#previous[at]!;
    const behind = this.#next[after]!;
    if (before >= 0) {
      this.#uncount(symbols[before]!, symbols[at]!, weight);
      made.add(this.#count(before, symbols[before]!, token));
    }
    if (behind >= 0) {
      this.#uncount(symbols[after]!, symbols[behind]!, weight);
      made.add(this.#count(at, token, symbols[behind]!));
      this.#previous[behind] = at;
    }
    symbols[at] = token;
    symbols[after] = -1;
    this.#next[at] = behind;
  }

  #count(at: number, left: number, right: number): Pair {
    const key = pairKey(left, right);
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = { key, count: 0, places: [] };
      this.#pairs.set(key, pair);
    }
    pair.count += this.#weights[at]!;
    pair.places.push(at);
    return pair;
  }

  #uncount(left: number, right: number, weight: number): void {
    const pair = this.#pairs.get(pairKey(left, right));
    if (pair !== undefined) pair.count -= weight;
  }
}
