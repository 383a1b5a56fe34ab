// SPDX-License-Identifier: MIT
// The Simplified Chinese catalogue.

import type { en } from '../en';
import { figureWords } from './figures';
import { learn } from './learn';
import { train } from './train';

export const zh: typeof en = { ...train, figures: figureWords, learn };
