// SPDX-License-Identifier: MIT
// Trainers on this thread's core: made, run, saved.

import type { Forecast, ModelConfig, TrainConfig } from './api.js';
import type { Core } from './core.js';
import { HeedError } from './errors.js';
import { describeTrainer, readMetadata } from './local-describe.js';
import { setFrozen } from './local-groups.js';
import type { Handlers } from './local-backend.js';
import { packMetadata } from './metadata.js';
import type { DataParams, Handle, TextParams, TrainerDescription } from './protocol.js';
import { advance, evaluate } from './slices.js';

type TrainMethod =
  | 'createTrainer'
  | 'changeTrainer'
  | 'resumeTrainer'
  | 'saveTrainer'
  | 'advance'
  | 'evaluate'
  | 'reset'
  | 'forecast';

export function trainHandlers(core: Core, memoryLimit: number): Pick<Handlers, TrainMethod> {
  return {
    createTrainer: ({ model, train, freeze, data }) => {
      if (typeof model === 'object') {
        checkFits(core, model, train, memoryLimit);
      }
      const made = createTrainer(core, model, train, data);
      return frozen(core, made, freeze, typeof model === 'object');
    },
    changeTrainer: ({ trainer, train }) => {
      core.writeConfigs([core.trainFields, train]);
      core.checked((m) => m.changeTrainer(trainer));
    },
    resumeTrainer: ({ file, data }) =>
      core.withBuffer(file, (buffer) => {
        const metadata = readMetadata(core, buffer);
        const { model, trainer } = resume(core, buffer, data);
        return { ...describeTrainer(core, model, trainer), metadata };
      }),
    saveTrainer: ({ trainer, metadata }) =>
      core.withBuffer(packMetadata(metadata), (list) =>
        core.takeBytes(core.handle((m) => m.saveTrainer(trainer, list))),
      ),
    advance: ({ trainer, steps, until, report }, signal) =>
      advance(core, trainer, steps, until, report, signal),
    evaluate: ({ trainer, split, maxWindows }, signal) =>
      evaluate(core, trainer, split, maxWindows, signal),
    reset: ({ trainer }) => {
      core.checked((m) => m.resetTrainer(trainer));
    },
    forecast: ({ config, train }) => forecast(core, config, train),
  };
}

/** Freezes groups of a trainer that has just been made; frees it when there are no such groups. */
export function frozen(
  core: Core,
  made: TrainerDescription,
  freeze: readonly string[],
  ownsModel: boolean,
): TrainerDescription {
  try {
    setFrozen(core, made.trainer, freeze);
    return made;
  } catch (error) {
    core.release(ownsModel ? made.model : made.trainer);
    throw error;
  }
}

function createTrainer(
  core: Core,
  over: Handle | ModelConfig,
  train: TrainConfig,
  data: DataParams,
): TrainerDescription {
  if (typeof over === 'object') {
    const run = () => {
      if ('task' in data) {
        core.writeConfigs(
          [core.modelFields, over],
          [core.trainFields, train],
          [core.taskFields, data],
        );
        return core.checked((m) => m.createTaskRun());
      }
      return withText(core, data, (tokens, mask) => {
        core.writeConfigs([core.modelFields, over], [core.trainFields, train]);
        return core.checked((m) => m.createRun(tokens, mask));
      });
    };
    const { model, trainer } = run();
    return describeTrainer(core, model, trainer);
  }
  const run = () => {
    if ('task' in data) {
      core.writeConfigs([core.trainFields, train], [core.taskFields, data]);
      return core.handle((m) => m.createTaskTrainer(over));
    }
    return withText(core, data, (tokens, mask) => {
      core.writeConfigs([core.trainFields, train]);
      return core.handle((m) => m.createTrainer(over, tokens, mask));
    });
  };
  return describeTrainer(core, over, run());
}

function resume(
  core: Core,
  file: Handle,
  data: DataParams | undefined,
): { model: Handle; trainer: Handle } {
  if (data !== undefined && !('task' in data)) {
    return withText(core, data, (ids, mask) =>
      core.checked((m) => m.resumeTrainer(file, ids, mask)),
    );
  }
  if (data !== undefined) {
    core.writeConfigs([core.taskFields, data]);
  }
  return core.checked((m) => m.resumeTaskTrainer(file, data !== undefined));
}

/** What can never fit is refused before anything is allocated. */
function checkFits(
  core: Core,
  config: ModelConfig,
  train: TrainConfig,
  memoryLimit: number,
): void {
  const { total } = forecast(core, config, train).bytes;
  if (total > memoryLimit) {
    throw new HeedError(
      'out-of-memory',
      `The model and its training need ${total} bytes, and there are at most ${memoryLimit}. ` +
        'Make the model, the context or the batch smaller.',
    );
  }
}

function forecast(core: Core, config: ModelConfig, train: TrainConfig): Forecast {
  core.writeConfigs([core.modelFields, config], [core.trainFields, train]);
  const reply = core.checked((m) => m.forecast());
  return {
    parameters: reply.parameters,
    bytes: {
      parameters: reply.parameterBytes,
      gradients: reply.gradientBytes,
      optimizer: reply.optimizerBytes,
      activations: reply.activationBytes,
      total: reply.totalBytes,
    },
    flopsPerStep: reply.flopsPerStep,
    tokensPerStep: reply.tokensPerStep,
  };
}

function withText<T>(
  core: Core,
  { tokens, lossMask }: TextParams,
  use: (tokens: Handle, mask: Handle) => T,
): T {
  return core.withBuffer(tokens, (buffer) =>
    lossMask === undefined
      ? use(buffer, 0)
      : core.withBuffer(lossMask, (mask) => use(buffer, mask)),
  );
}
