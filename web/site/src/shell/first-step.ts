// SPDX-License-Identifier: MIT
// Marks the page's first finished training step, for whoever measures how long an opening takes, and
// for what had better wait for it.

const name = 'heed:first-step';
let marked = false;
let tell: () => void;

export const afterFirstStep = new Promise<void>((resolve) => (tell = resolve));

export function markFirstStep(): void {
  if (marked) return;
  marked = true;
  performance.mark(name);
  tell();
}
