// SPDX-License-Identifier: MIT
// What a task is trained on, and how its tokens are written: generated examples, or a text.

import { CharTokenizer } from 'heed';
import type { TaskOptions, TrainingData } from 'heed';
import { taskInfo } from './lessons';
import type { TaskId } from './lessons';

export interface LessonData {
  data: TrainingData | TaskOptions;
  vocab: number;
  /** One for each token id. */
  labels: readonly string[];
}

/** Longer texts are for the train room: here every letter is looked at one by one. */
export const longestText = 100_000;

export function dataOf(task: TaskId, text: string): LessonData {
  if (task !== 'text') {
    const { vocab, labels } = taskInfo(task);
    return { data: { task }, vocab, labels };
  }
  const used = text.slice(0, longestText);
  const tokenizer = CharTokenizer.fromText(used);
  const { vocab } = tokenizer;
  return {
    data: { tokens: tokenizer.encode(used) },
    vocab,
    labels: Array.from({ length: vocab }, (_, id) => tokenizer.token(id)),
  };
}
