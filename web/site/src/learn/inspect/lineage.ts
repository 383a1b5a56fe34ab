// SPDX-License-Identifier: MIT
// Where a number comes from and where it goes: one entry for each kind of address. Formulas are in
// the notation of math/mathml.ts; terms are pairs of addresses whose products add up.

import { head, gradient } from './lineage-head';
import { model } from './lineage-model';

export interface Place {
  layer: number;
  head: number;
  /** `L0.H0` */
  scope: string;
  row: number;
  column: number;
  /** The selection, for where a number goes next. */
  i: number;
  j: number;
  channel: number;
}

export interface Sizes {
  time: number;
  width: number;
  headWidth: number;
  vocab: number;
  /** Counted targets and the token expected at each row (-1: none). */
  targets: ArrayLike<number>;
  tokens: ArrayLike<number>;
}

export interface Lineage {
  /** In letters. */
  formula: string;
  /** Pairs whose products add up; all of them times `factor`. */
  terms?: ReadonlyArray<readonly [string, string]>;
  /** What the sum is multiplied by: in letters and as a number. */
  factor?: { text: string; value: number };
  /** With numbers instead of letters, where it is no sum of products: `\num{0}` and so on. */
  numeric?: { text: string; addresses: readonly string[] };
  from: readonly string[];
  to: readonly string[];
}

export type Rule = (place: Place, sizes: Sizes) => Lineage;

export interface ParsedAddress {
  layer: number | undefined;
  head: number | undefined;
  name: string;
  row: number;
  column: number;
}

export function parseAddress(address: string): ParsedAddress | undefined {
  const match = /^(?:L(\d+)\.)?(?:H(\d+)\.)?([A-Za-z_|]+)\.(\d+)(?:\.(\d+))?$/.exec(address);
  if (match === null) return undefined;
  const [, layer, headIndex, name, row, column] = match;
  return {
    layer: layer === undefined ? undefined : Number(layer),
    head: headIndex === undefined ? undefined : Number(headIndex),
    name: name!, row: Number(row), column: Number(column ?? 0),
  };
}

/** Undefined for addresses that have no rule: their value is shown alone. */
export function lineageOf(
  parsed: ParsedAddress,
  at: { layer: number; head: number; i: number; j: number; channel: number },
  sizes: Sizes,
): Lineage | undefined {
  const layer = parsed.layer ?? at.layer;
  const headIndex = parsed.head ?? at.head;
  const rules: Record<string, Rule> = parsed.head === undefined ? model : { ...head, ...gradient };
  const rule = Object.hasOwn(rules, parsed.name) ? rules[parsed.name] : undefined;
  return rule?.({
    layer, head: headIndex, scope: `L${layer}.H${headIndex}`,
    row: parsed.row, column: parsed.column, i: at.i, j: at.j, channel: at.channel,
  }, sizes);
}
