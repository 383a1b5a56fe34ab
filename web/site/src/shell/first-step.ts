// SPDX-License-Identifier: MIT
// Marks the page's first finished training step, for whoever measures how long an opening takes.

const name = 'heed:first-step';
let marked = false;

export function markFirstStep(): void {
  if (marked) return;
  marked = true;
  performance.mark(name);
}
