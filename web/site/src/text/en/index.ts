// SPDX-License-Identifier: MIT
// The English catalogue. Its type is what every other language has to fill.

import { train } from './train';

export const en = { ...train };
