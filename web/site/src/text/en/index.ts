// SPDX-License-Identifier: MIT
// The English catalogue. Its type is what every other language has to fill.

import { figureWords } from './figures';
import { inspect } from './inspect';
import { learn } from './learn';
import { train } from './train';
import { doctor } from './train-doctor';
import { runs } from './train-runs';
import { tasks } from './train-tasks';
import { texts } from './train-texts';

export const en = { ...train, ...doctor, ...runs, ...tasks, ...texts, ...inspect, figures: figureWords, learn };
