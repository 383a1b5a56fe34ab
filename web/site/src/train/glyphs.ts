// SPDX-License-Identifier: MIT
// Token text for reading and for speech, in the words of the catalogue.

import { visibleToken } from '../figures/core/glyphs';
import { t } from '../text';

export { visibleToken };

/** For speech: a token that is one whitespace character by its name. */
export function spokenToken(text: string): string {
  if (text === ' ') return t.tokens.space;
  if (text === '\n') return t.tokens.newline;
  if (text === '\t') return t.tokens.tab;
  return visibleToken(text);
}
