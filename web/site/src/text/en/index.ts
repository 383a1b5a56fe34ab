// SPDX-License-Identifier: MIT
// The English catalogue. Its type is what every other language has to fill.

import { figureWords } from './figures';
import { learn } from './learn';
import { train } from './train';

export const en = { ...train, figures: figureWords, learn };
