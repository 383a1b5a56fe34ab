// SPDX-License-Identifier: MIT
// A prompt as the model reads it.

import type { Model, Tokenizer } from 'heed';

/** More columns than this cannot be read, and cost quadratically. */
export const longestPrompt = 64;

export interface Prompt {
  ids: Int32Array;
  /** The next token of each place but the last, which has none. */
  targets: Int32Array;
  texts: string[];
  cut: boolean;
}

export function promptOf(text: string, tokenizer: Tokenizer, { config }: Model): Prompt {
  const all = tokenizer.encode(text);
  const longest = Math.min(longestPrompt, config.context);
  const ids = all.slice(0, longest);
  const targets = Int32Array.from(ids, (_, i) => all[i + 1] ?? -1);
  if (ids.length > 0 && ids.length === all.length) targets[ids.length - 1] = -1;
  return {
    ids, targets, cut: all.length > longest, texts: Array.from(ids, (id) => tokenizer.token(id)),
  };
}
