// SPDX-License-Identifier: MIT
// One tab stop for a list of choosable things: arrows move inside it, Enter pins, Esc releases.

export interface Rover {
  /** Call after the items have been drawn again. `current` takes the tab stop. */
  refresh(items: readonly HTMLElement[], current: number): void;
}

interface Actions {
  /** Focus or pointer came to an item. */
  look(index: number, by: 'pointer' | 'keys'): void;
  leave(): void;
  choose(index: number): void;
  release(): void;
}

/** `list` holds the items; events are caught there, so items may come and go. */
export function createRover(list: HTMLElement, actions: Actions): Rover {
  let items: readonly HTMLElement[] = [];
  let current = 0;

  const indexOf = (target: EventTarget | null): number =>
    target instanceof Node ? items.findIndex((item) => item.contains(target)) : -1;

  function go(index: number): void {
    current = Math.max(0, Math.min(items.length - 1, index));
    items.forEach((item, at) => (item.tabIndex = at === current ? 0 : -1));
    actions.look(current, 'keys');
    items[current]?.focus();
  }

  list.addEventListener('keydown', (event) => {
    const at = indexOf(event.target);
    // Buttons inside an item keep their own keys.
    if (at < 0 || event.target !== items[at]) return;
    const moves: Record<string, number> = {
      ArrowUp: at - 1, ArrowLeft: at - 1, ArrowDown: at + 1, ArrowRight: at + 1,
      Home: 0, End: items.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) go(to);
    else if (event.key === 'Enter') actions.choose(at);
    else if (event.key === 'Escape') actions.release();
    else return;
    event.preventDefault();
  });
  list.addEventListener('pointerover', (event) => {
    const at = indexOf(event.target);
    if (at >= 0) actions.look(at, 'pointer');
  });
  list.addEventListener('pointerleave', () => actions.leave());
  list.addEventListener('click', (event) => {
    const at = indexOf(event.target);
    const control = event.target instanceof Element && event.target.closest('button, input');
    if (at >= 0 && !control) actions.choose(at);
  });

  return {
    refresh(next, at) {
      items = next;
      const inside = indexOf(document.activeElement);
      current = Math.max(0, Math.min(items.length - 1, inside >= 0 ? inside : at));
      items.forEach((item, index) => (item.tabIndex = index === current ? 0 : -1));
    },
  };
}
