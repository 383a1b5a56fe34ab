// SPDX-License-Identifier: MIT
// From a file, a link or pasted text to token ids.

import { ByteTokenizer, CharTokenizer, HeedError } from 'heed';
import type { Tokenizer } from 'heed';
import { crc32 } from './crc32';
import { BackgroundError, textLimitBytes } from './protocol';
import type { PreparedText, PrepareRequest, TextSource } from './protocol';

const excerptCharacters = 400;

/** Texts of the reader's own, until a run that uses one is saved. */
export const ownTexts = new Map<string, { name: string; bytes: Uint8Array<ArrayBuffer> }>();

/** Reads a kept text; the store is passed in so that reading texts needs no storage. */
export type KeptText = (hash: string) => Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }>;

async function fetchText(url: string): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new BackgroundError('text-unreachable', { message: String(error) });
  }
  if (!response.ok) {
    throw new BackgroundError('text-unreachable', { message: `status ${response.status}` });
  }
  return response.blob();
}

async function open(source: TextSource, kept: KeptText): Promise<{ name?: string; blob: Blob }> {
  switch (source.from) {
    case 'url':
      return { blob: await fetchText(source.url) };
    case 'text':
      return { blob: new Blob([source.text]), name: '' };
    case 'file':
      return { blob: source.file, name: source.name };
    case 'kept': {
      const { name, bytes } = await kept(source.hash);
      return { blob: new Blob([bytes]), name };
    }
  }
}

/** UTF-8, or UTF-16 where a byte order mark says so. A cut may end inside a character. */
function decode(bytes: Uint8Array, cut: boolean): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be'
    : undefined;
  // A NUL is a valid character but no text has one; most binary formats do within a few bytes.
  if (utf16 === undefined && bytes.includes(0)) throw new BackgroundError('text-binary');
  try {
    return new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    throw new BackgroundError('text-encoding');
  }
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000E-\u001F\u007F]/g;

/** More than one control character in a hundred: an executable or an image that had no NUL. */
function refuseControls(text: string): void {
  const found = text.match(controls)?.length ?? 0;
  if (found > text.length / 100) throw new BackgroundError('text-binary');
}

function tokenize(text: string, kind: PrepareRequest['tokenizer']): {
  tokenizer: Tokenizer;
  tokens: Int32Array;
} {
  try {
    const tokenizer = kind === 'byte' ? new ByteTokenizer() : CharTokenizer.fromText(text);
    return { tokenizer, tokens: tokenizer.encode(text) };
  } catch (error) {
    if (error instanceof HeedError) {
      throw new BackgroundError('tokenizer', { message: error.message });
    }
    throw error;
  }
}

export async function prepareText(
  request: PrepareRequest,
  kept: KeptText,
): Promise<PreparedText> {
  const { name, blob } = await open(request.source, kept);
  const tooLarge = blob.size > textLimitBytes;
  if (tooLarge && !request.cut) {
    throw new BackgroundError('text-too-large', { bytes: blob.size });
  }
  const used = tooLarge ? blob.slice(0, textLimitBytes) : blob;
  const bytes = new Uint8Array(await used.arrayBuffer());
  const text = decode(bytes, tooLarge).replace(/\r\n?/g, '\n');
  if (text.trim() === '') throw new BackgroundError('text-empty');
  refuseControls(text);
  const { tokenizer, tokens } = tokenize(text, request.tokenizer);
  const prepared: PreparedText = {
    tokens,
    tokenizer: tokenizer.toJSON(),
    vocab: tokenizer.vocab,
    bytes: bytes.length,
    excerpt: text.slice(0, excerptCharacters),
    cut: tooLarge,
  };
  if (request.source.from === 'url') return prepared;
  // Length and checksum: two texts of one reader that share both are the same text.
  const hash = request.source.from === 'kept'
    ? request.source.hash
    : `${bytes.length}-${crc32(bytes).toString(16)}`;
  ownTexts.set(hash, { name: name ?? '', bytes });
  return { ...prepared, hash, name: name ?? '' };
}
