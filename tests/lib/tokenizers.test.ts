// SPDX-License-Identifier: MIT
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ByteTokenizer,
  CharTokenizer,
  type Tokenizer,
  tokenizerFromJSON,
  tokenizerFromMetadata,
  tokenizerMetadata,
} from 'heed';

import { failure } from './support.js';

/** Any well-formed text, with what breaks tokenizers made likely. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\r\n', '\r', '\uFEFF', '\0', 'e\u0301', '\u00e9', '\u{1F44B}', '\u{10FFFF}'),
    ),
  )
  .map((parts) => parts.join('').toWellFormed());

/** Any sequence of UTF-16 units, well-formed or not. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codes) => String.fromCharCode(...codes));

function streamed(tokenizer: Tokenizer, ids: Int32Array): string {
  const stream = tokenizer.stream();
  return [...ids].map((id) => stream.push(id)).join('') + stream.end();
}

describe('byte tokenizer', () => {
  const bytes = new ByteTokenizer();

  test('K10 R052: lone surrogates become U+FFFD, as TextEncoder has it', () => {
    expect([...bytes.encode('\uD800')]).toEqual([0xef, 0xbf, 0xbd]);
    expect([...bytes.encode('\uD800a')]).toEqual([0xef, 0xbf, 0xbd, 0x61]);
    expect([...bytes.encode('\uDC00\uD800')]).toEqual([0xef, 0xbf, 0xbd, 0xef, 0xbf, 0xbd]);
  });

  test('ids of any UTF-16 are the bytes of TextEncoder', () => {
    fc.assert(
      fc.property(units, (input) => {
        expect([...bytes.encode(input)]).toEqual([...new TextEncoder().encode(input)]);
      }),
    );
  });

  test('K21 R122: decode(encode(x)) is x, with CR, BOM, NUL and combining marks', () => {
    for (const input of ['a\r\nb', '\r', '\uFEFFx', 'a\0b', '\u00e9', 'e\u0301', '']) {
      expect(bytes.decode(bytes.encode(input))).toBe(input);
    }
    fc.assert(
      fc.property(text, (input) => {
        expect(bytes.decode(bytes.encode(input))).toBe(input);
      }),
    );
  });

  test('K21 R123: streaming one token at a time gives the whole text and no U+FFFD', () => {
    const input = '\u4f60\u597d \u{1F44B}\u{1F30D} na\u00efve';
    expect(streamed(bytes, bytes.encode(input))).toBe(input);
    fc.assert(
      fc.property(text, (each) => {
        expect(streamed(bytes, bytes.encode(each))).toBe(each);
      }),
    );
  });

  test('malformed bytes decode to U+FFFD, streamed or not', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 })), (ids) => {
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(ids));
        expect(bytes.decode(ids)).toBe(expected);
        expect(streamed(bytes, Int32Array.from(ids))).toBe(expected);
      }),
    );
  });

  test('labels: ASCII as itself, parts of characters in hex', () => {
    expect(bytes.token(0x41)).toBe('A');
    expect(bytes.token(0x0a)).toBe('\n');
    expect(bytes.token(0xe2)).toBe('\\xE2');
    expect(new Set(Array.from({ length: 256 }, (_, id) => bytes.token(id))).size).toBe(256);
  });

  test('a stream that has ended takes nothing more', async () => {
    const stream = bytes.stream();
    stream.push(0xe2);
    expect(stream.end()).toBe('\uFFFD');
    await failure(() => stream.push(65), 'bad-state', 'stream');
  });
});

describe('character tokenizer', () => {
  test('one id for each code point, in code point order', () => {
    const chars = CharTokenizer.fromText('b\u{1F44B}a\nb');
    expect(chars.vocab).toBe(4);
    expect([...chars.encode('\nab\u{1F44B}')]).toEqual([0, 1, 2, 3]);
    expect(chars.token(3)).toBe('\u{1F44B}');
  });

  test('lone surrogates count as U+FFFD everywhere', () => {
    const chars = CharTokenizer.fromText('a\uD800');
    expect(chars.vocab).toBe(2);
    expect(chars.decode(chars.encode('\uDC00a'))).toBe('\uFFFDa');
  });

  test('K21 R122: decode(encode(x)) is x for every text over its characters', () => {
    fc.assert(
      fc.property(text.filter((input) => input !== ''), (input) => {
        const chars = CharTokenizer.fromText(input);
        const ids = chars.encode(input);
        expect(ids.length).toBe([...input].length);
        expect(chars.decode(ids)).toBe(input);
        expect(streamed(chars, ids)).toBe(input);
      }),
    );
  });

  test('K23 R134: characters without an id are listed', async () => {
    const chars = CharTokenizer.fromText('abc');
    await failure(() => chars.encode('a\u{1F44B}bz'), 'bad-data', /U\+1F44B/, /"z" \(U\+007A\)/);
    await failure(() => chars.encode('a\tb'), 'bad-data', /U\+0009/);
    await failure(() => chars.encode('0123456789defg'), 'bad-data', /and 4 more/);
  });

  test('K21 R119: an empty text makes no vocabulary; blanks and one character do', async () => {
    await failure(() => CharTokenizer.fromText(''), 'bad-data', /empty/);
    expect(CharTokenizer.fromText('   ').vocab).toBe(1);
    expect(CharTokenizer.fromText('x').vocab).toBe(1);
  });
});

describe('both', () => {
  const input = 'To be, or not\r\nto be \u{1F44B}';
  const all: [string, Tokenizer][] = [
    ['byte', new ByteTokenizer()],
    ['char', CharTokenizer.fromText(input)],
  ];

  test.each(all)('%s: K21 R127 saved, as JSON and as metadata, it gives the same ids', (_, one) => {
    const restored = tokenizerFromJSON(JSON.parse(JSON.stringify(one)));
    expect([...restored.encode(input)]).toEqual([...one.encode(input)]);
    const carried = tokenizerFromMetadata(tokenizerMetadata(one));
    expect([...carried!.encode(input)]).toEqual([...one.encode(input)]);
  });

  test.each(all)('%s: K21 R121 nothing typed becomes a special id', (_, one) => {
    const typed = '<|endoftext|>';
    const chars = one instanceof CharTokenizer ? CharTokenizer.fromText(input + typed) : one;
    expect(chars.encode(typed).length).toBe(typed.length);
  });

  test.each(all)('%s: K04 R020 wrong arguments are typed errors', async (_, one) => {
    for (const wrong of [undefined, null, 5, {}, [], new Uint8Array(1)]) {
      await failure(() => one.encode(wrong as never), 'invalid-argument', 'string');
    }
    for (const wrong of [undefined, null, 5, 'text', {}]) {
      await failure(() => one.decode(wrong as never), 'invalid-argument', 'Token ids');
    }
    for (const wrong of [-1, one.vocab, 0.5, Number.NaN, 2 ** 40, '1', null]) {
      await failure(() => one.decode([wrong as number]), 'bad-data', 'Token ids');
      await failure(() => one.token(wrong as number), 'bad-data', 'Token ids');
      await failure(() => one.stream().push(wrong as number), 'bad-data', 'Token ids');
    }
  });

  test('saved forms that are not are refused', async () => {
    for (const wrong of [
      null,
      undefined,
      {},
      { kind: 'bpe' },
      { kind: 'char' },
      { kind: 'char', characters: '' },
      { kind: 'char', characters: 'aba' },
      { kind: 'char', characters: 'ab', merges: [] },
      { kind: 'byte', vocab: 300 },
    ]) {
      await failure(() => tokenizerFromJSON(wrong as never), 'bad-data');
    }
    await failure(() => tokenizerFromMetadata({ tokenizer: '{' }), 'bad-data', 'JSON');
    expect(tokenizerFromMetadata({ other: 'x' })).toBeNull();
  });
});
