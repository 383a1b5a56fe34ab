// SPDX-License-Identifier: MIT
// The Simplified Chinese catalogue.

import type { en } from '../en';
import { figureWords } from './figures';
import { learn } from './learn';
import { train } from './train';
import { runs } from './train-runs';
import { tasks } from './train-tasks';
import { texts } from './train-texts';

export const zh: typeof en = { ...train, ...runs, ...tasks, ...texts, figures: figureWords, learn };
