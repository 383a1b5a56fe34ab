// SPDX-License-Identifier: MIT
// Long work in slices: between two of them messages, aborts and other calls get their turn.

import type { Evaluation, StepMetrics } from './api.js';
import type { Core } from './core.js';
import { nextTask } from './env.js';
import { HeedError, type SerializedError, serializeError } from './errors.js';
import type { LossReply, StepReply } from './generated/heed.mjs';
import { readReports } from './local-groups.js';
import type { Handle, Returned } from './protocol.js';
import { sliceMs, yieldWhenDue } from './slice-clock.js';

export async function nextToken(core: Core, generator: Handle): Promise<number> {
  for (;;) {
    const reply = core.checked((m) => m.advanceGenerator(generator, sliceMs));
    await yieldWhenDue();
    if (reply.done) {
      return reply.token;
    }
  }
}

export async function advance(
  core: Core,
  trainer: Handle,
  steps: number,
  until: number,
  report: boolean,
  signal: AbortSignal | undefined,
): Promise<Returned<'advance'>> {
  if (report) {
    core.checked((m) => m.keepUndo(trainer));
  }
  let { step } = core.checked((m) => m.readProgress(trainer));
  let metrics: StepMetrics | null = null;
  let failure: SerializedError | undefined;
  const last = Math.min(step + steps, until);
  while (step < last) {
    if (signal?.aborted === true) {
      core.checked((m) => m.abandonTrainer(trainer));
      break;
    }
    let reply: StepReply;
    try {
      reply = core.checked((m) => m.advanceTrainer(trainer, sliceMs));
    } catch (error) {
      if (error instanceof HeedError && error.code === 'non-finite') {
        // What was done before counts; the caller learns of both.
        failure = serializeError(error);
        break;
      }
      throw error;
    }
    const { progress } = reply;
    if (core.call((m) => progress === m.Progress.stepDone)) {
      ({ step } = reply);
      metrics = metricsOf(reply);
    } else if (core.call((m) => progress === m.Progress.finished)) {
      break;
    }
    await yieldWhenDue();
  }
  if (report && metrics !== null) {
    metrics.groups = readReports(core, trainer);
  }
  return failure === undefined ? { metrics, step } : { metrics, step, failure };
}

export async function evaluate(
  core: Core,
  trainer: Handle,
  split: 'train' | 'validation',
  maxWindows: number,
  signal: AbortSignal | undefined,
): Promise<Returned<'evaluate'>> {
  // A step that stands between two of its parts runs anew afterwards, with the same bits.
  core.checked((m) => m.abandonTrainer(trainer));
  core.checked((m) => m.beginEvaluation(trainer, m.Split[split], maxWindows));
  for (;;) {
    if (signal?.aborted === true) {
      core.checked((m) => m.abandonTrainer(trainer));
      throw new HeedError('aborted', 'The evaluation was aborted. Call evaluate() again.');
    }
    const reply = core.checked((m) => m.advanceEvaluation(trainer, sliceMs));
    if (reply.done) {
      return evaluationOf(reply);
    }
    await nextTask();
  }
}

export function evaluationOf(reply: LossReply): Evaluation {
  const { loss, tokens, accuracy, exact, sequences } = reply;
  return { loss, tokens, accuracy, exact, sequences };
}

export function metricsOf(reply: StepReply): StepMetrics {
  const { step, loss, learningRate, gradientNorm, tokens, milliseconds: stepMs } = reply;
  // Clocks may be too coarse for a tiny step; a rate is a finite number all the same.
  const tokensPerSecond = reply.stepTokens / (Math.max(stepMs, 1e-3) / 1000);
  return { step, loss, learningRate, gradientNorm, tokens, stepMs, tokensPerSecond };
}
