// SPDX-License-Identifier: MIT
// The Simplified Chinese catalogue.

import type { en } from '../en';
import { figureWords } from './figures';
import { inspect } from './inspect';
import { learn } from './learn';
import { train } from './train';
import { doctor } from './train-doctor';
import { runs } from './train-runs';
import { tasks } from './train-tasks';
import { texts } from './train-texts';

export const zh: typeof en = { ...train, ...doctor, ...runs, ...tasks, ...texts, ...inspect, figures: figureWords, learn };
