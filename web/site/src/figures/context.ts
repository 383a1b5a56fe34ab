// SPDX-License-Identifier: MIT
// The context figures share, for a page that has no special wishes.

import type { FigureContext, FigureWords, SelectionStore } from './contracts';
import { numberFormat } from './numbers';
import { createLights, createSelection } from './selection';

interface Choices {
  words: FigureWords;
  selection?: SelectionStore;
  lights?: FigureContext['lights'];
  announce?: (text: string) => void;
  tools?: FigureContext['tools'];
}

/** Calls back when the system's scheme, forced colours or the page's own choice changes. */
function onTheme(listener: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query));
  for (const query of queries) query.addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    for (const query of queries) query.removeEventListener('change', listener);
    observer.disconnect();
  };
}

export function createFigureContext(choices: Choices): FigureContext {
  const context: FigureContext = {
    words: choices.words,
    number: numberFormat,
    selection: choices.selection ?? createSelection(),
    lights: choices.lights ?? createLights(),
    reducedMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
    onTheme,
    announce: choices.announce ?? (() => undefined),
  };
  return choices.tools === undefined ? context : { ...context, tools: choices.tools };
}
