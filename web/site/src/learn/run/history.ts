// SPDX-License-Identifier: MIT
// Numbers of a run by step, for curves: of a long run only some steps.

export interface Kept {
  steps: readonly number[];
  /** By name, one value for each kept step. */
  columns: Readonly<Record<string, readonly number[]>>;
}

/** More points than a curve is wide; what is kept costs the page nothing to copy and draw. */
const most = 2000;

/**
 * When there are too many steps, every second one goes. Each value kept is that of its step; means
 * would be numbers that no step had.
 */
export class History implements Kept {
  readonly steps: number[] = [];
  readonly columns: Record<string, number[]> = {};
  readonly #most: number;

  constructor(mostSteps = most) {
    this.#most = mostSteps;
  }

  /** Steps come in order, and each with the same names. */
  add(step: number, values: Readonly<Record<string, number>>): void {
    this.steps.push(step);
    for (const [name, value] of Object.entries(values)) (this.columns[name] ??= []).push(value);
    if (this.steps.length > this.#most) this.#thin();
  }

  /** Forgets what came after `step`. */
  cutAfter(step: number): void {
    const kept = this.steps.findLastIndex((value) => value <= step) + 1;
    for (const list of this.#lists()) list.length = kept;
  }

  copy(): Kept {
    const columns = Object.entries(this.columns).map(([name, list]) => [name, list.slice()] as const);
    return { steps: this.steps.slice(), columns: Object.fromEntries(columns) };
  }

  #thin(): void {
    // Counted from the newest, which always stays, as does the first.
    const last = this.steps.length - 1;
    const keep = this.steps.map((_, index) => index === 0 || (last - index) % 2 === 0);
    for (const list of this.#lists()) {
      const kept = list.filter((_, index) => keep[index]);
      list.length = 0;
      list.push(...kept);
    }
  }

  #lists(): number[][] {
    return [this.steps, ...Object.values(this.columns)];
  }
}
