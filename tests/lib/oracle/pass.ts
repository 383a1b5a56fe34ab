// SPDX-License-Identifier: MIT
// One forward pass under observation: every intermediate goes through `tap`, which keeps it and may
// nudge one of its numbers. What is computed from it then sees the nudged number, what it was
// computed from does not: that difference of losses is the gradient of just this number.

import type { WhatIf } from '../../../web/lib/dist/api-explain.js';
import { type Matrix } from './matrix.js';
import type { OracleModel } from './model.js';

export interface Example {
  tokens: ArrayLike<number>;
  /** -1 does not count. */
  targets: ArrayLike<number>;
}

export interface Nudge {
  address: string;
  /** Row-major. */
  index: number;
  by: number;
}

/** A value, or one row of it, that is another pass's. */
export interface Patch {
  address: string;
  /** Undefined: all rows. */
  row: number | undefined;
  from: Pass;
}

export interface PassOptions {
  whatIf?: readonly WhatIf[];
  nudge?: Nudge;
  patch?: Patch;
}

export class Pass {
  /** By the addresses of api-explain.ts, and every tensor by its own name. */
  readonly values = new Map<string, Matrix>();
  readonly whatIf: readonly WhatIf[];
  readonly #nudge: Nudge | undefined;
  readonly #patch: Patch | undefined;

  constructor(
    readonly model: OracleModel,
    options: PassOptions = {},
  ) {
    this.whatIf = options.whatIf ?? [];
    this.#nudge = options.nudge;
    this.#patch = options.patch;
  }

  /** Only the loss of such a pass is of interest. */
  get nudged(): boolean {
    return this.#nudge !== undefined;
  }

  tap(address: string, matrix: Matrix): Matrix {
    let seen = matrix;
    if (this.#nudge?.address === address) {
      seen = matrix.copy();
      seen.values[this.#nudge.index]! += this.#nudge.by;
    }
    if (this.#patch?.address === address) {
      const { row, from } = this.#patch;
      const other = from.value(address);
      seen = row === undefined ? other : matrix.copy();
      if (row !== undefined) {
        seen.row(row).set(other.row(row));
      }
    }
    this.values.set(address, seen);
    return seen;
  }

  /** A weight; undefined where the model has none of that name. A tied one is tapped once. */
  tensor(name: string): Matrix | undefined {
    const known = this.values.get(name);
    const given = known ?? this.model.tensors.get(name);
    if (known !== undefined || given === undefined) {
      return known;
    }
    let used = given;
    for (const change of this.whatIf) {
      if ('set' in change && change.set === 'weight' && change.tensor === name) {
        used = used.copy();
        used.put(change.row, change.column, change.to);
      }
    }
    return this.tap(name, used);
  }

  /** A weight that must be there. */
  weight(name: string): Matrix {
    return required(this.tensor(name), name);
  }

  value(address: string): Matrix {
    return required(this.values.get(address), address);
  }
}

export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`there is no ${what}`);
  }
  return value;
}
