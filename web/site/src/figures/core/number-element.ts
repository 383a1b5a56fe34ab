// SPDX-License-Identifier: MIT
// The element of a number of the model: its text is the rounded value, its attributes say whose it
// is, all of it, and to how many places it is rounded.

import type { AddressedNumber, FigureContext } from '../contracts';
import { html, setAttributes, setText } from './dom';

export interface Rounding {
  digits: number;
  /** Writes + and a true minus sign. */
  signed?: boolean;
}

export function setNumber(
  element: Element, { number }: FigureContext, { address, value }: AddressedNumber,
  { digits, signed = false }: Rounding,
): void {
  setAttributes(element, {
    'data-addr': address, 'data-value': value, 'data-digits': digits, 'data-signed': signed,
  });
  setText(element, number.fixed(value, digits, signed));
}

export function numberNode(
  context: FigureContext, number: AddressedNumber, rounding: Rounding,
): HTMLElement {
  const element = html('span', { class: 'number' });
  setNumber(element, context, number, rounding);
  return element;
}

/** Largest size among finite numbers, for a common rounding; 0 when there are none. */
export function largest(values: Iterable<number>): number {
  let found = 0;
  for (const value of values) if (Number.isFinite(value)) found = Math.max(found, Math.abs(value));
  return found;
}
