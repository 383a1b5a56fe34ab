// SPDX-License-Identifier: MIT
// A trace as the source of numbers by address, those that figures derive included.

import type { Trace } from 'heed';
import { readNumber } from '../../figures/addresses';
import type { AddressedNumber } from '../../figures/contracts';

export interface TraceNumbers {
  readonly trace: Trace;
  readonly time: number;
  /** D */
  readonly headWidth: number;
  /** C */
  readonly width: number;
  /** Undefined where the trace has no such number. */
  read(address: string): number | undefined;
  /** Throws where there is none. */
  number(address: string): AddressedNumber;
}

export function numbersOf(trace: Trace): TraceNumbers {
  const headWidth = trace.matrix('L0.H0.Q').columns;
  const width = trace.matrix('L0.X').columns;
  const source = { read: (address: string) => trace.read(address), time: trace.time, headWidth };
  const number = (address: string): AddressedNumber =>
    ({ address, value: readNumber(source, address) });
  return {
    trace, headWidth, width, time: trace.time, number,
    read(address) {
      try {
        return number(address).value;
      } catch {
        return undefined;
      }
    },
  };
}
