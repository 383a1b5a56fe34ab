// SPDX-License-Identifier: MIT
// The chapters in English.

import { c0 } from './c0';
import { c10 } from './c10';
import { c11 } from './c11';
import { c12 } from './c12';
import { c4 } from './c4';
import { c5 } from './c5';
import { c7 } from './c7';
import { c8 } from './c8';

export const chapters = { c0, c4, c5, c7, c8, c10, c11, c12 };
