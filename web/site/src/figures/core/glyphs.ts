// SPDX-License-Identifier: MIT
// Token text made visible: whitespace and control characters have no shape of their own.

const glyphs: Record<string, string> = { ' ': '␣', '\n': '↵', '\t': '⇥', '\r': '␍' };

/** An emoji with what belongs to it: joiners and selectors that have no shape of their own. */
const emoji =
  /(\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*)/u;

/** Grids ask for the same few tokens thousands of times a second. */
const known = new Map<string, string>();
const mostKnown = 1000;

/** Most tokens; the patterns above take a page that opens some time to compile. */
const plain = /^[!-~]+$/;

/** For an axis or a cell: a short string that can be seen. */
export function visibleToken(text: string): string {
  if (plain.test(text)) return text;
  let visible = glyphs[text] ?? known.get(text);
  if (visible === undefined) {
    visible = text.split(emoji)
      .map((piece, index) => (index % 2 === 1 ? piece : visibleCharacters(piece))).join('');
    if (known.size >= mostKnown) known.clear();
    known.set(text, visible);
  }
  return visible;
}

function visibleCharacters(text: string): string {
  return Array.from(text, (character) => {
    const glyph = glyphs[character];
    if (glyph !== undefined) return glyph;
    if (plain.test(character)) return character;
    const point = character.codePointAt(0)!;
    // The block of control pictures mirrors the control characters in order.
    if (point < 0x20) return String.fromCodePoint(0x2400 + point);
    if (/\p{Mark}/u.test(character)) return `◌${character}`;
    if (/[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cn}]/u.test(character)) {
      return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    }
    return character;
  }).join('');
}
