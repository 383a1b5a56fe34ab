// SPDX-License-Identifier: MIT
// A binary heap: push and pop in O(log n).

export class Heap<T> {
  readonly #items: T[];
  readonly #before: (a: T, b: T) => boolean;

  /** `before` is a strict order; `items` become the heap's own. */
  constructor(before: (a: T, b: T) => boolean, items: T[] = []) {
    this.#before = before;
    this.#items = items;
    for (let at = (items.length >> 1) - 1; at >= 0; --at) {
      this.#sink(at);
    }
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes the first item of the order; undefined when there is none. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last!;
      this.#sink(0);
    }
    return first;
  }

  #sink(from: number): void {
    const items = this.#items;
    const item = items[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1]!, items[child]!)) ++child;
      if (!this.#before(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
