// SPDX-License-Identifier: MIT
// One clock for all long work on a thread.

import { nextTask } from './env.js';

/** A stop is heard within a slice and a stage: far below the promised 250 ms. */
export const sliceMs = 30;

// Shared by all calls: a caller who pulls one short step or token at a time would otherwise start a
// new slice with each, and signals, timers and output would never get their turn.
let sliceEnd = 0;

/** For work that is only waited for: lets messages and other calls through when a slice is used up. */
export function pacer(): () => Promise<void> {
  let end = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < end) return;
    await nextTask();
    end = performance.now() + sliceMs;
  };
}

/** Whether the slice was over, and others had their turn. */
export async function yieldWhenDue(): Promise<boolean> {
  if (performance.now() < sliceEnd) return false;
  await nextTask();
  sliceEnd = performance.now() + sliceMs;
  return true;
}
