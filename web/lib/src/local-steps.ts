// SPDX-License-Identifier: MIT
// A trainer looked at closely on this thread's core: examples, groups, a step in parts, twins.

import type { StepMetrics } from './api.js';
import type { Example, Ledger } from './api-train.js';
import type { Core } from './core.js';
import { HeedError, serializeError } from './errors.js';
import type { StageReply } from './generated/heed.mjs';
import type { Handlers } from './local-backend.js';
import { listGroups, readNorms, readReports, setFrozen, withNames } from './local-groups.js';
import type { Handle, Returned } from './protocol.js';
import { sliceMs, yieldWhenDue } from './slice-clock.js';
import { metricsOf } from './slices.js';

type StepMethod =
  | 'example'
  | 'batch'
  | 'groups'
  | 'norms'
  | 'setFrozen'
  | 'stepForward'
  | 'stepBackward'
  | 'update'
  | 'undo'
  | 'ledger'
  | 'lossAfter'
  | 'advanceTwins';

export function stepHandlers(core: Core): Pick<Handlers, StepMethod> {
  return {
    example: ({ trainer, split, index }) => {
      const rows = core.takeInts(
        core.handle((m) => m.readExample(trainer, m.Split[split], index)),
      );
      return examplesOf(rows, rows.length / 2)[0]!;
    },
    batch: ({ trainer, step }) => {
      const { time } = core.checked((m) => m.readData(trainer));
      return examplesOf(core.takeInts(core.handle((m) => m.readBatch(trainer, step))), time);
    },
    groups: ({ trainer }) => listGroups(core, trainer),
    norms: ({ trainer }) => readNorms(core, trainer),
    setFrozen: ({ trainer, names }) => setFrozen(core, trainer, names),
    stepForward: async ({ trainer }) => {
      const loss = await finish(() => core.checked((m) => m.advanceForward(trainer, sliceMs)));
      return { loss };
    },
    stepBackward: async ({ trainer }) => ({ gradientNorm: await backward(core, trainer) }),
    update: async ({ trainer, groups }) => {
      await backward(core, trainer);
      const reply = withNames(core, groups, (names) =>
        core.checked((m) => m.updateGroups(trainer, names)),
      );
      return { metrics: metricsOf(reply), groups: readReports(core, trainer) };
    },
    undo: ({ trainer }) => {
      core.checked((m) => m.undo(trainer));
      return core.checked((m) => m.readProgress(trainer)).step;
    },
    ledger: ({ trainer }) => ledger(core, trainer),
    lossAfter: async ({ trainer, groups }) => {
      await backward(core, trainer);
      return tryUpdate(core, trainer, groups);
    },
    advanceTwins: ({ trainers, steps, report }, signal) =>
      advanceTwins(core, trainers, steps, report, signal),
  };
}

/** Runs a part of a step to its end; its value. */
async function finish(advance: () => StageReply): Promise<number> {
  for (;;) {
    const { done, value } = advance();
    await yieldWhenDue();
    if (done) {
      return value;
    }
  }
}

function backward(core: Core, trainer: Handle): Promise<number> {
  return finish(() => core.checked((m) => m.advanceBackward(trainer, sliceMs)));
}

/** Loss of the step's batch if only these groups (null: all) had moved; nothing changes. */
function tryUpdate(core: Core, trainer: Handle, groups: readonly string[] | null): number {
  return withNames(core, groups, (names) => core.checked((m) => m.tryUpdate(trainer, names))).loss;
}

async function ledger(core: Core, trainer: Handle): Promise<Ledger> {
  await backward(core, trainer);
  const { step } = core.checked((m) => m.readProgress(trainer));
  const before = tryUpdate(core, trainer, []);
  const after = tryUpdate(core, trainer, null);
  const reports = readReports(core, trainer);
  const groups = [];
  for (const report of reports) {
    // As many passes as groups: signals and other calls get their turn in between.
    await yieldWhenDue();
    const measured = tryUpdate(core, trainer, [report.name]) - before;
    groups.push({ ...report, measured });
  }
  const predicted = groups.reduce((sum, group) => sum + group.predicted, 0);
  const remainder = after - before - predicted;
  return { step: step + 1, before, after, predicted, remainder, groups };
}

/**
 * Each round first runs everybody's step up to its update and then makes all updates: an abort or a
 * NaN in one of them then finds none that has moved.
 */
async function advanceTwins(
  core: Core,
  trainers: readonly Handle[],
  steps: number,
  report: boolean,
  signal: AbortSignal | undefined,
): Promise<Returned<'advanceTwins'>> {
  const positions = trainers.map((trainer) => core.checked((m) => m.readProgress(trainer)).step);
  let step = positions[0]!;
  if (positions.some((other) => other !== step)) {
    throw new HeedError(
      'bad-state',
      `The twins stand at different steps (${positions.join(', ')}), so their batches would ` +
        'differ. Bring them to one step, or reset them.',
    );
  }
  let metrics: StepMetrics[] | null = null;
  const abandon = () => trainers.forEach((t) => core.checked((m) => m.abandonTrainer(t)));
  for (let round = 0; round < steps; ++round) {
    for (const trainer of trainers) {
      let done = false;
      while (!done) {
        if (signal?.aborted === true) {
          abandon();
          return { metrics, step };
        }
        try {
          ({ done } = core.checked((m) => m.advanceBackward(trainer, sliceMs)));
        } catch (error) {
          abandon();
          if (error instanceof HeedError && error.code === 'non-finite') {
            return { metrics, step, failure: serializeError(error) };
          }
          throw error;
        }
        await yieldWhenDue();
      }
    }
    metrics = trainers.map((trainer) => metricsOf(core.checked((m) => m.updateGroups(trainer, 0))));
    step = metrics[0]!.step;
  }
  if (report && metrics !== null) {
    metrics.forEach((entry, i) => {
      entry.groups = readReports(core, trainers[i]!);
    });
  }
  return { metrics, step };
}

/** Rows of `time` tokens and as many targets. */
function examplesOf(rows: Int32Array, time: number): Example[] {
  return Array.from({ length: rows.length / (2 * time) }, (_, i) => {
    const start = 2 * i * time;
    return {
      tokens: rows.slice(start, start + time),
      targets: rows.slice(start + time, start + 2 * time),
    };
  });
}
