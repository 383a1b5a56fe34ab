// SPDX-License-Identifier: MIT
// The past of a run on this thread's core.

import type { Core } from './core.js';
import { describeModel, describeTrainer } from './local-describe.js';
import type { Handlers } from './local-backend.js';
import { frozen } from './local-train.js';
import type { Handle } from './protocol.js';
import { sliceMs, yieldWhenDue } from './slice-clock.js';

type TimelineMethod = 'record' | 'timeline' | 'startReplay' | 'seek' | 'branch';

export function timelineHandlers(core: Core): Pick<Handlers, TimelineMethod> {
  return {
    record: ({ trainer, every, maxBytes }) =>
      core.handle((m) => m.createTimeline(trainer, every, maxBytes)),
    timeline: ({ timeline }) => {
      const { first, last } = core.checked((m) => m.readTimeline(timeline));
      const kept = [...core.takeDoubles(core.handle((m) => m.listSnapshots(timeline)))];
      // The run itself holds its newest state.
      return { first, kept: kept.at(-1) === last ? kept : [...kept, last] };
    },
    startReplay: ({ timeline }) => {
      const { model, trainer } = core.checked((m) => m.createReplay(timeline));
      return { ...describeModel(core, model), trainer };
    },
    seek: ({ timeline, replay, step }) => seek(core, timeline, replay, step),
    branch: async ({ timeline, replay, step, train, freeze }) => {
      await seek(core, timeline, replay, step);
      core.writeConfigs([core.trainFields, train]);
      const { model, trainer } = core.checked((m) => m.branch(timeline, replay));
      const made = describeTrainer(core, model, trainer);
      return freeze === undefined ? made : frozen(core, made, freeze, true);
    },
  };
}

async function seek(core: Core, timeline: Handle, replay: Handle, step: number): Promise<void> {
  while (!core.checked((m) => m.advanceReplay(timeline, replay, step, sliceMs)).done) {
    await yieldWhenDue();
  }
}
