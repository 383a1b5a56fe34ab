// SPDX-License-Identifier: MIT
// The selection, kept inside what the trace has: examples, tasks and models differ in size.

import type { Selection } from '../../figures/contracts';
import type { Frame } from '../run/frames';
import { scopeOf } from './matrices';

export interface PlaceIn {
  layer: number;
  head: number;
  i: number;
  j: number;
  channel: number;
  /** `L0.H0` */
  scope: string;
}

export function placeIn(at: Readonly<Selection>, { trace }: Frame): PlaceIn {
  const layer = Math.min(at.layer, trace.layers - 1);
  const head = Math.min(at.head, trace.heads - 1);
  const last = trace.time - 1;
  return {
    layer, head, i: Math.min(at.i, last), j: Math.min(at.j, last), channel: at.channel,
    scope: scopeOf({ layer, head }),
  };
}
