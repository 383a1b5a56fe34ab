// SPDX-License-Identifier: MIT
// The catalogue in use. Reading through `t` follows the reader's choice of language: what was
// rendered from it is rendered again when the language changes.

import type { en } from './en';
import { language } from './language.svelte';

export type Catalogue = typeof en;

export const t: Catalogue = new Proxy({} as Catalogue, {
  get: (_, key) => Reflect.get(language.catalogue, key) as unknown,
});
