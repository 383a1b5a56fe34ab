// SPDX-License-Identifier: MIT
// Builds a page part by part, one a task, so that no task is long: keys, clicks and what workers say
// get their turn in between.

/** Milliseconds between two parts: about a frame. */
const apart = 16;

export interface Parts {
  /** How many parts are there by now; never fewer than before. */
  readonly built: number;
}

/** Counts from `first` to what is `wanted`. Called while a component is being set up. */
export function partByPart(first: number, wanted: () => number): Parts {
  let built = $state(first);
  $effect(() => {
    if (wanted() <= built) return;
    const timer = setTimeout(() => (built += 1), apart);
    return () => clearTimeout(timer);
  });
  return {
    get built() {
      return built;
    },
  };
}
