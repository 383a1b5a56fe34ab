// SPDX-License-Identifier: MIT
// Tasks where a text could be: their ids, what is trained on, and the settings that solve them.

import { describeTask, taskPresets, tokenizerFromJSON } from 'heed';
import type { TaskKind, TaskOptions, Tokenizer, TokenizerState, TrainingData } from 'heed';
import type { PreparedText } from '../background/protocol';
import { defaultSettings } from './fields';
import type { Settings } from './fields';
import { LabelTokenizer } from './label-tokenizer';

export const taskKinds = Object.keys(taskPresets) as TaskKind[];

const prefix = 'task-';
export type TaskTextId = `task-${TaskKind}`;
export const taskTextId = (kind: TaskKind): TaskTextId => `${prefix}${kind}`;
export const taskTextIds = taskKinds.map(taskTextId);

/** The task that a setting `text` names, if it names one. */
export function taskOf(text: string): TaskKind | undefined {
  const kind = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return taskKinds.find((known) => known === kind);
}

/** What a run on a task has in a text's place. */
export function prepareTask(kind: TaskKind): PreparedText {
  const { data } = taskPresets[kind];
  const { labels, vocab } = describeTask(data);
  return {
    tokens: new Int32Array(0), tokenizer: new LabelTokenizer(labels).toJSON(), vocab, bytes: 0,
    excerpt: '', encoding: 'utf-8', cut: false, task: data,
  };
}

export const dataOf = ({ task, tokens }: PreparedText): TrainingData | TaskOptions =>
  task ?? { tokens };

/** Tokens of a task's example; what a model's context has to hold. */
export const tokensOf = (kind: TaskKind): number => describeTask(taskPresets[kind].data).context;

export function tokenizerOf(state: TokenizerState): Tokenizer {
  return state.kind === 'labels'
    ? new LabelTokenizer(state['labels'] as string[])
    : tokenizerFromJSON(state);
}

/** The settings from which those of a run on `text` differ, or do not. */
export function usualSettings(text: string): Settings {
  const kind = taskOf(text);
  if (kind === undefined) return { ...defaultSettings, text };
  const { model, train } = taskPresets[kind];
  return { ...defaultSettings, ...model, ...train, text, context: tokensOf(kind) } as Settings;
}
