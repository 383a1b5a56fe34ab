// SPDX-License-Identifier: MIT
// Bytes to characters. UTF-8 is known by itself: other encodings hardly ever happen to be valid UTF-8. The others
// are guessed from how often their letters come, and the reader may say otherwise.

import { BackgroundError } from './protocol';

/** What the reader can choose; names of the Encoding Standard. */
export const encodings = [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253',
  'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-874', 'iso-8859-2',
  'koi8-r', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr',
] as const;
export type EncodingName = (typeof encodings)[number];

/** A guess is as good from this much as from more. */
const sampleBytes = 65_536;

export interface Decoded {
  text: string;
  encoding: EncodingName;
}

/** A cut may end inside a character. Throws `text-binary` or `text-encoding`. */
export async function decodeText(
  bytes: Uint8Array,
  cut: boolean,
  chosen: EncodingName | undefined,
): Promise<Decoded> {
  if (chosen !== undefined) {
    return { text: decodeAs(bytes, chosen, cut, false)!, encoding: chosen };
  }
  const marked = markedEncoding(bytes) ?? unmarkedUtf16(bytes);
  // A NUL is a valid character but no text has one; most binary formats do within a few bytes.
  if (marked === undefined && bytes.includes(0)) throw new BackgroundError('text-binary');
  const text = decodeAs(bytes, marked ?? 'utf-8', cut, true);
  if (text !== undefined) return { text, encoding: marked ?? 'utf-8' };
  const encoding = await guess(bytes);
  const guessed = encoding === undefined ? undefined : decodeAs(bytes, encoding, cut, true);
  if (guessed === undefined) throw new BackgroundError('text-encoding');
  return { text: guessed, encoding: encoding! };
}

/** Strictly undefined where the bytes are none of that encoding, else U+FFFD for each. */
function decodeAs(
  bytes: Uint8Array,
  encoding: EncodingName,
  cut: boolean,
  strictly: boolean,
): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: strictly }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

/** By a byte order mark. */
function markedEncoding(bytes: Uint8Array): EncodingName | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Spaces and line ends of UTF-16 have a zero byte, always on the same side of a pair. */
function unmarkedUtf16(bytes: Uint8Array): EncodingName | undefined {
  const sample = bytes.subarray(0, sampleBytes & ~1);
  if (sample.length < 4) return undefined;
  let [even, odd] = [0, 0];
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) ++even;
    if (sample[i + 1] === 0) ++odd;
  }
  if (even === 0 && odd > 0) return 'utf-16le';
  if (odd === 0 && even > 0) return 'utf-16be';
  return undefined;
}

async function guess(bytes: Uint8Array): Promise<EncodingName | undefined> {
  const { analyse } = await import('chardet');
  const known = new Map<string, EncodingName>(encodings.map((name) => [name, name]));
  // The Encoding Standard reads these names as their supersets.
  known.set('iso-8859-1', 'windows-1252').set('iso-8859-9', 'windows-1254');
  known.set('iso-8859-8', 'windows-1255').set('iso-8859-7', 'windows-1253');
  known.set('iso-8859-6', 'windows-1256').set('gbk', 'gb18030');
  for (const { name } of analyse(bytes.subarray(0, sampleBytes))) {
    const encoding = known.get(name.toLowerCase());
    if (encoding !== undefined && encoding !== 'utf-8') return encoding;
  }
  return undefined;
}
