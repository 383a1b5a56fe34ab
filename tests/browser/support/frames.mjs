// SPDX-License-Identifier: MIT
// Frame intervals and long tasks of a page, for measuring.

/** An init script: collects both from the document's first moment, in window.frames_ and tasks_. */
export function observe() {
  window.frames_ = [];
  window.tasks_ = [];
  let last;
  const frame = (now) => {
    if (last !== undefined) window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.tasks_.push({ at: startTime, ms: duration });
    }
  }).observe({ type: 'longtask', buffered: true });
}

export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
