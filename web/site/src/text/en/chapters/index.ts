// SPDX-License-Identifier: MIT
// The chapters in English.

import { c0 } from './c0';

export const chapters = { c0 };
