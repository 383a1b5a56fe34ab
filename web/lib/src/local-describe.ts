// SPDX-License-Identifier: MIT
// What the core says of its models and trainers.

import type { ModelConfig, TrainConfig } from './api.js';
import type { Core } from './core.js';
import { unpackMetadata } from './metadata.js';
import type {
  DataDescription,
  Handle,
  ModelDescription,
  TaskParams,
  TrainerDescription,
} from './protocol.js';

export function modelConfig(core: Core, model: Handle): ModelConfig {
  core.checked((m) => m.readModelConfig(model));
  return core.readConfig<ModelConfig>(core.modelFields);
}

export function describeModel(core: Core, model: Handle): ModelDescription {
  const config = modelConfig(core, model);
  return { model, config, parameters: core.call((m) => m.parameterCount(model)) };
}

export function describeTrainer(core: Core, model: Handle, trainer: Handle): TrainerDescription {
  core.checked((m) => m.readTrainConfig(trainer));
  const trainConfig = core.readConfig<TrainConfig>(core.trainFields);
  const { step } = core.checked((m) => m.readProgress(trainer));
  const data = describeData(core, trainer);
  return { ...describeModel(core, model), trainer, trainConfig, step, data };
}

function describeData(core: Core, trainer: Handle): DataDescription {
  const { high, low, time, generated } = core.checked((m) => m.readData(trainer));
  const task = generated ? core.readConfig<TaskParams>(core.taskFields) : null;
  return { fingerprint: hex(high) + hex(low), time, task };
}

/** The caller's own entries of a file. */
export function readMetadata(core: Core, file: Handle): Record<string, string> {
  return unpackMetadata(core.takeBytes(core.handle((m) => m.readMetadata(file))));
}

/** A 32-bit word as eight digits. */
export function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
