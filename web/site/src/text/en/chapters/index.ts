// SPDX-License-Identifier: MIT
// The chapters in English.

import { c0 } from './c0';
import { c1 } from './c1';
import { c10 } from './c10';
import { c11 } from './c11';
import { c12 } from './c12';
import { c13 } from './c13';
import { c2 } from './c2';
import { c3 } from './c3';
import { c4 } from './c4';
import { c5 } from './c5';
import { c6 } from './c6';
import { c7 } from './c7';
import { c8 } from './c8';
import { c9 } from './c9';

export const chapters = {
  c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13,
};
