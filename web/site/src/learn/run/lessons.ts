// SPDX-License-Identifier: MIT
// The tasks of the learn room and the model that each is learned by. Attention alone where it is
// enough, since norms, residual branches and feed-forward layers make "what this weight did"
// depend on more than attention; `block: 'full'` adds them.

import { describeTask } from 'heed';
import type { ModelOptions, Optimizer, TaskInfo, TaskKind, TrainOptions } from 'heed';

export const taskIds = ['pointAndShift', 'copy', 'reverse', 'induction', 'sort', 'text'] as const;
export type TaskId = (typeof taskIds)[number];

export const blocks = ['attention', 'full'] as const;
export type Block = (typeof blocks)[number];

/** What the reader chooses; everything else about a run follows from it. */
export interface LessonSettings {
  task: TaskId;
  block: Block;
  heads: number;
  seed: number;
  learningRate: number;
  optimizer: Optimizer;
}

export const headChoices = [1, 2, 4] as const;

interface Shape {
  layers: number;
  heads: number;
  width: number;
  block: Block;
  learningRate: number;
}

// Widths divide by every choice of heads.
const shapes: Record<TaskId, Shape> = {
  pointAndShift: { layers: 1, heads: 1, width: 24, block: 'attention', learningRate: 0.01 },
  copy: { layers: 1, heads: 1, width: 32, block: 'attention', learningRate: 0.01 },
  reverse: { layers: 1, heads: 1, width: 32, block: 'attention', learningRate: 0.01 },
  induction: { layers: 2, heads: 1, width: 32, block: 'attention', learningRate: 0.005 },
  sort: { layers: 2, heads: 2, width: 32, block: 'full', learningRate: 0.005 },
  text: { layers: 2, heads: 2, width: 48, block: 'full', learningRate: 0.003 },
};

export const defaultSeed = 11;

export function defaultsOf(task: TaskId): LessonSettings {
  const { block, heads, learningRate } = shapes[task];
  return { task, block, heads, seed: defaultSeed, learningRate, optimizer: 'adamw' };
}

/** Text is cut into windows of this many tokens: a matrix of it still fits a page. */
const textContext = 24;

/** A tenth is kept back, and that has to hold a few windows. */
export const shortestText = 600;

export function taskInfo(task: Exclude<TaskId, 'text'>): TaskInfo {
  return describeTask({ task: task satisfies TaskKind });
}

export function modelOf(
  { task, block, heads }: LessonSettings,
  vocab: number,
): ModelOptions {
  const { layers, width } = shapes[task];
  const context = task === 'text' ? textContext : taskInfo(task).context;
  const full = block === 'full';
  // One attention layer needs no W_O: with the heads side by side its output is as wide as the
  // stream. In a stack, W_O gives a layer its own directions to write in.
  return {
    vocab, context, layers, heads, width, headWidth: width / heads,
    ffn: full ? 4 * width : 0,
    norm: full ? 'layer' : 'none',
    outProjection: full || layers > 1,
    position: 'learned', bias: full, tied: true, dropout: 0, init: 'unit',
  };
}

/** The planned number of steps is a bound only; runs come to rest long before. */
export const plannedSteps = 100_000;

export function trainOf({ task, seed, learningRate, optimizer }: LessonSettings): TrainOptions {
  return {
    steps: plannedSteps, batch: task === 'text' ? 16 : 32, seed, optimizer, learningRate,
    minLearningRate: learningRate, schedule: 'constant', warmup: 0, weightDecay: 0, clip: 0,
    valFraction: task === 'text' ? 0.1 : 0,
  };
}
