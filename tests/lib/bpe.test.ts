// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BpeTokenizer, tokenizerFromJSON, tokenizerFromMetadata, tokenizerMetadata } from 'heed';

import { failure } from './support.js';

interface Fixture {
  vocab: number;
  merges: number[];
  encoded: { text: string; ids: number[] }[];
}

const scripts = ['latin', 'cyrillic', 'devanagari', 'han'];
const file = (name: string): string =>
  readFileSync(new URL(`../golden/bpe/${name}`, import.meta.url), 'utf8');
const textOf = (script: string): string => file(`${script}.txt`);
const mixed = await BpeTokenizer.train(scripts.map(textOf).join('\n'), { vocab: 2000 });

/** The definition, counted anew for every merge; pieces by the words of GPT-2's own pattern. */
function naive(text: string, vocab: number): number[] {
  const pattern =
    /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
  let pieces = (text.match(pattern) ?? []).map((piece) => [...new TextEncoder().encode(piece)]);
  const merges: number[] = [];
  for (let made = 256; made < vocab; ++made) {
    const counts = new Map<string, number>();
    for (const piece of pieces) {
      for (let i = 1; i < piece.length; ++i) {
        const key = `${piece[i - 1]} ${piece[i]}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const [best] = [...counts]
      .filter(([, count]) => count > 1)
      .map(([key, count]) => ({ count, ids: key.split(' ').map(Number) as [number, number] }))
      .sort((a, b) => b.count - a.count || a.ids[0] - b.ids[0] || a.ids[1] - b.ids[1]);
    if (best === undefined) break;
    merges.push(...best.ids);
    pieces = pieces.map((piece) => {
      const merged: number[] = [];
      for (let i = 0; i < piece.length; ++i) {
        const both = piece[i] === best.ids[0] && piece[i + 1] === best.ids[1];
        merged.push(both ? made : piece[i]!);
        if (both) ++i;
      }
      return merged;
    });
  }
  return merges;
}

const mergesOf = (tokenizer: BpeTokenizer): unknown => tokenizer.toJSON()['merges'];

describe('learning merges', () => {
  test('K21 R120: ties go to the smaller pair', async () => {
    const tokenizer = await BpeTokenizer.train('aaabdaaabac', { vocab: 259 });
    expect([...tokenizer.encode('aaabdaaabac')]).toEqual([258, 100, 258, 97, 99]);
  });

  test.each(scripts)('%s: the merges are those of Hugging Face\'s trainer', async (script) => {
    const { vocab, merges } = JSON.parse(file(`${script}.json`)) as Fixture;
    // Words of Devanagari are cut at every vowel sign, which leaves fewer pairs than the others have.
    expect(merges.length).toBeGreaterThan(500);
    expect(mergesOf(await BpeTokenizer.train(textOf(script), { vocab }))).toEqual(merges);
  });

  test('any text: the merges are those of the definition', async () => {
    const letters = fc.constantFrom('a', 'a', 'a', 'b', 'c', ' ', '\n', '\u00e9', '\u4e00', '7', "'s");
    const texts = fc.array(letters, { maxLength: 80 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(mergesOf(await BpeTokenizer.train(text, { vocab: 290 }))).toEqual(naive(text, 290));
      }),
      { numRuns: 500 },
    );
  });

  test('K21 R119: with nothing to merge it stops early, and a vocabulary below the bytes is refused', async () => {
    for (const text of ['', '   ', 'x', 'abcdefg']) {
      const tokenizer = await BpeTokenizer.train(text);
      expect(tokenizer.vocab).toBe(text === '   ' ? 257 : 256);
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    }
    expect((await BpeTokenizer.train('aa aa', { vocab: 256 })).vocab).toBe(256);
    for (const vocab of [255, 0, -1, 32769, 300.5, NaN]) {
      await failure(() => BpeTokenizer.train('aa aa', { vocab }), 'invalid-argument', 'vocab');
    }
    // @ts-expect-error: not a text
    await failure(() => BpeTokenizer.train(7), 'invalid-argument', 'string');
    // @ts-expect-error: no such option
    await failure(() => BpeTokenizer.train('a', { merges: 3 }), 'invalid-argument', 'merges');
  });

  test('it tells how far it is, lets others run and can be aborted', async () => {
    const text = scripts.map(textOf).join('\n').repeat(20);
    const told: number[] = [];
    let turns = 0;
    const timer = setInterval(() => ++turns, 1);
    const tokenizer = await BpeTokenizer.train(text, {
      vocab: 2256,
      onProgress: (done, wanted) => {
        expect(wanted).toBe(2000);
        told.push(done);
      },
    });
    clearInterval(timer);
    expect(tokenizer.vocab).toBe(2256);
    expect(told.at(-1)).toBe(2000);
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(turns).toBeGreaterThan(0);

    const controller = new AbortController();
    const options = { vocab: 2256, signal: controller.signal, onProgress: () => controller.abort() };
    await failure(() => BpeTokenizer.train(text, options), 'aborted');
    await failure(() => BpeTokenizer.train('a', { signal: AbortSignal.abort() }), 'aborted');
  });
});

describe('ids', () => {
  test.each(scripts)('%s: the ids are those of Hugging Face\'s tokenizers with our tokenizer.json', async (script) => {
    const { vocab, encoded } = JSON.parse(file(`${script}.json`)) as Fixture;
    const tokenizer = await BpeTokenizer.train(textOf(script), { vocab });
    expect(encoded.length).toBeGreaterThan(15);
    for (const { text, ids } of encoded) expect([...tokenizer.encode(text)], text).toEqual(ids);
  });

  test('decode(encode(x)) is x for 100,000 random strings', () => {
    const point = (): number => {
      const plane = random(4);
      if (plane === 0) return random(0x80);
      if (plane === 1) return random(0x800);
      const any = random(plane === 2 ? 0x10000 : 0x110000);
      return any >= 0xd800 && any < 0xe000 ? 0x20 : any;
    };
    let state = 1;
    /** Numerical Recipes' generator: the strings are the same in every run. */
    function random(below: number): number {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    }
    let wrong = 0;
    for (let run = 0; run < 100_000; ++run) {
      const text = String.fromCodePoint(...Array.from({ length: random(24) }, point));
      if (mixed.decode(mixed.encode(text)) !== text) ++wrong;
    }
    expect(wrong).toBe(0);
  });

  test('K21 R122: CR, BOM, NUL and combining marks come back', () => {
    for (const text of ['a\r\nb', '\r', '\uFEFFx', 'x \uFEFF y', 'a\0b', '\u00e9', 'e\u0301', '']) {
      expect(mixed.decode(mixed.encode(text))).toBe(text);
    }
  });

  test('K10 R052: lone surrogates become U+FFFD', () => {
    expect(mixed.decode(mixed.encode('a \uD800b\uDC00'))).toBe('a \uFFFDb\uFFFD');
  });

  test('K21 R121: no text becomes a special token', () => {
    const ids = mixed.encode('<|endoftext|>');
    expect(ids.length).toBeGreaterThan(1);
    expect(mixed.decode(ids)).toBe('<|endoftext|>');
  });

  test('K21 R123: streaming one token at a time gives the whole text and no U+FFFD', async () => {
    const text = '\u4f60\u597d \u{1F44B}\u{1F30D} na\u00efve \u0928\u092e\u0938\u094d\u0924\u0947';
    const stream = mixed.stream();
    const parts = [...mixed.encode(text)].map((id) => stream.push(id));
    parts.push(stream.end());
    expect(parts.join('')).toBe(text);
    await failure(() => stream.push(1), 'bad-state');
  });

  test('a piece of a megabyte is encoded as well', () => {
    const text = '\u4eba\u4eba'.repeat(170_000);
    expect(mixed.decode(mixed.encode(text))).toBe(text);
  });

  test('labels: whole characters as they are, parts of them as bytes', () => {
    expect(mixed.token(0x41)).toBe('A');
    expect(mixed.token(0xe2)).toBe('\\xE2');
    const all = Array.from({ length: mixed.vocab }, (_, id) => mixed.token(id));
    expect(new Set(all).size).toBe(mixed.vocab);
    expect(all).toContain(' the');
  });

  test('ids that are none are refused', async () => {
    for (const id of [-1, mixed.vocab, 1.5, NaN]) {
      await failure(() => mixed.decode([id]), 'bad-data');
      await failure(() => mixed.token(id), 'bad-data');
    }
    // @ts-expect-error: not a text
    await failure(() => mixed.encode(null), 'invalid-argument');
  });
});

describe('saving', () => {
  test('K21 R127: saved and read it gives the same ids, newlines and all', async () => {
    const text = 'a\n\nb\n\n\nc  d   e\n\n\n\n'.repeat(50);
    const tokenizer = await BpeTokenizer.train(text, { vocab: 300 });
    const copies = [
      tokenizerFromJSON(JSON.parse(JSON.stringify(tokenizer.toJSON()))),
      tokenizerFromMetadata(tokenizerMetadata(tokenizer))!,
    ];
    for (const copy of copies) {
      expect(copy.vocab).toBe(tokenizer.vocab);
      expect([...copy.encode(text)]).toEqual([...tokenizer.encode(text)]);
    }
  });

  test('tokenizer.json: every token is written, and each in its own way', () => {
    const { model } = mixed.toTokenizerJSON();
    // Digits stand first in an object, whatever their ids.
    const ids = Object.values(model.vocab).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: mixed.vocab }, (_, id) => id));
    expect(model.merges).toHaveLength(mixed.vocab - 256);
    for (const merge of model.merges) expect(merge.split(' ')).toHaveLength(2);
  });

  test('a saved tokenizer that cannot be is refused', async () => {
    const merges = [
      'x', [1], [1, 256], [1, -1], [1, 0.5], ['a', 'b'], [97, 98, 97, 98], [97, null],
      new Array(2 * 32768).fill(0), undefined,
    ];
    for (const wrong of merges) {
      await failure(() => tokenizerFromJSON({ kind: 'bpe', merges: wrong }), 'bad-data');
    }
    const more = { kind: 'bpe', merges: [], version: 2 };
    await failure(() => tokenizerFromJSON(more), 'bad-data');
  });
});
