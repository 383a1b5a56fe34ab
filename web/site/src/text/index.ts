// SPDX-License-Identifier: MIT
// The catalogue in use. Another language is another object of the same type.

import { en } from './en';

export type Catalogue = typeof en;
export const t: Catalogue = en;
