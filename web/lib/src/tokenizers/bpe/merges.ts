// SPDX-License-Identifier: MIT
// The merges of a byte-level BPE: pair r of them becomes token 256 + r. Ids below are the bytes.

import { Heap } from './heap.js';

export const bytes = 256;
/** So that a pair of ids is a small integer of every JavaScript engine, which makes maps of pairs fast. */
export const mostTokens = 1 << 15;

export const pairKey = (left: number, right: number): number => left * mostTokens + right;

const earlier = (a: number, b: number): boolean => a < b;

export class Merges {
  readonly #tokenOf = new Map<number, number>();
  readonly #bytesOf: Uint8Array[] = Array.from({ length: bytes }, (_, byte) => Uint8Array.of(byte));

  /** Pairs of ids, flat: left and right of the first merge, of the second... Each names earlier ids. */
  constructor(readonly pairs: Int32Array) {
    for (let i = 0; i < pairs.length; i += 2) {
      const left = pairs[i]!;
      const right = pairs[i + 1]!;
      this.#tokenOf.set(pairKey(left, right), this.#bytesOf.length);
      const joined = new Uint8Array(this.#bytesOf[left]!.length + this.#bytesOf[right]!.length);
      joined.set(this.#bytesOf[left]!);
      joined.set(this.#bytesOf[right]!, this.#bytesOf[left]!.length);
      this.#bytesOf.push(joined);
    }
  }

  get tokens(): number {
    return this.#bytesOf.length;
  }

  bytesOf(token: number): Uint8Array {
    return this.#bytesOf[token]!;
  }

  /**
   * Tokens of one piece: of all pairs that can be merged always the one that was learnt first, the
   * leftmost of several. O(n log n) in the piece's length, since a text may be one piece of megabytes.
   */
  apply(piece: Uint8Array): Int32Array {
    const length = piece.length;
    const symbols = Int32Array.from(piece);
    const next = Int32Array.from(symbols, (_, i) => i + 1);
    const previous = Int32Array.from(symbols, (_, i) => i - 1);
    // A candidate is the token to be made, then the place, in one number, since objects cost a
    // text of one long piece more than twice the time.
    const heap = new Heap<number>(earlier);
    const offer = (at: number): void => {
      const after = at < 0 ? length : next[at]!;
      if (after >= length) return;
      const token = this.#tokenOf.get(pairKey(symbols[at]!, symbols[after]!));
      if (token !== undefined) heap.push(token * length + at);
    };
    for (let at = 0; at + 1 < length; ++at) offer(at);
    let left = length;
    for (let first = heap.pop(); first !== undefined; first = heap.pop()) {
      const token = Math.floor(first / length);
      const at = first % length;
      const after = next[at]!;
      const pair = 2 * (token - bytes);
      // What it was offered for may have been merged into something else since.
      if (symbols[at] !== this.pairs[pair] || after >= length) continue;
      if (symbols[after] !== this.pairs[pair + 1]) continue;
      symbols[at] = token;
      symbols[after] = -1;
      next[at] = next[after]!;
      if (next[at]! < length) previous[next[at]!] = at;
      left -= 1;
      offer(previous[at]!);
      offer(at);
    }
    return left === length ? symbols : symbols.filter((token) => token >= 0);
  }
}
