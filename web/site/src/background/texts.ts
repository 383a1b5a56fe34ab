// SPDX-License-Identifier: MIT
// From a file, a link or pasted text to token ids.

import { crc32 } from './crc32';
import { decodeText } from './encodings';
import type { EncodingName } from './encodings';
import { BackgroundError, tableLimitBytes, textLimitBytes } from './protocol';
import type { ColumnInfo, PreparedText, PrepareRequest } from './protocol';
import { openSource } from './sources';
import type { KeptText, OpenedSource } from './sources';
import { columnsOf, tableKind } from './tables';
import type { TableKind } from './tables';
import { tokenize } from './tokenize';
import type { Watch } from './tokenize';

const excerptCharacters = 400;

interface KeptOwn {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Texts of the reader's own, until a run that uses one is saved. */
export const ownTexts = new Map<string, KeptOwn>();

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000E-\u001F\u007F]/g;

/** More than one control character in a hundred: an executable or an image that had no NUL. */
function refuseControls(text: string): void {
  const found = text.match(controls)?.length ?? 0;
  if (found > text.length / 100) throw new BackgroundError('text-binary');
}

interface ReadText {
  text: string;
  encoding: EncodingName;
  cut: boolean;
  columns?: ColumnInfo[];
  column?: string;
}

/** The text itself, one `\n` a line end. */
async function readPlain({ blob }: OpenedSource, request: PrepareRequest): Promise<ReadText> {
  // What is kept was accepted once, and is UTF-8 whatever the file was.
  const kept = request.source.from === 'kept';
  const tooLarge = !kept && blob.size > textLimitBytes;
  if (tooLarge && !request.cut) {
    throw new BackgroundError('text-too-large', { bytes: blob.size });
  }
  const used = tooLarge ? blob.slice(0, textLimitBytes) : blob;
  const bytes = new Uint8Array(await used.arrayBuffer());
  const chosen = kept ? 'utf-8' : request.encoding;
  const { text, encoding } = await decodeText(bytes, tooLarge, chosen);
  const plain = text.replace(/\r\n?/g, '\n');
  if (kept) return { text: plain, encoding, cut: false };
  // Older encodings have fewer bytes a character than the UTF-8 in which a text is kept.
  const within = cutToLimit(plain, request.cut);
  return { text: within.text, encoding, cut: tooLarge || within.cut };
}

/** One column of a table, a line each; line ends inside a value stay. */
async function readTable(
  kind: TableKind,
  { blob }: OpenedSource,
  request: PrepareRequest,
): Promise<ReadText> {
  if (blob.size > tableLimitBytes) {
    throw new BackgroundError('table-too-large', { bytes: blob.size });
  }
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const { text: table, encoding } = await decodeText(bytes, false, request.encoding);
  refuseControls(table);
  const columns = await columnsOf(kind, table);
  const column = columns.find(({ name }) => name === request.column) ?? columns[0];
  if (column === undefined) throw new BackgroundError('text-empty');
  const text = column.values.map((value) => value.replace(/\r\n?/g, '\n')).join('\n');
  const short = columns.map(({ name, characters }) => ({ name, characters }));
  return { ...cutToLimit(text, request.cut), encoding, columns: short, column: column.name };
}

function cutToLimit(text: string, cut: boolean): Pick<ReadText, 'text' | 'cut'> {
  // No text has fewer bytes than UTF-16 units, nor more than three times as many.
  if (3 * text.length <= textLimitBytes) return { text, cut: false };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= textLimitBytes) return { text, cut: false };
  if (!cut) throw new BackgroundError('text-too-large', { bytes: bytes.length });
  const kept = bytes.subarray(0, textLimitBytes);
  return { text: new TextDecoder().decode(kept, { stream: true }), cut: true };
}

/** Keeps a text of the reader's own until a run that uses it is saved. */
export function keepOwnText(name: string, text: string): { hash: string } & KeptOwn {
  const bytes = new TextEncoder().encode(text);
  // Length and checksum: two texts of one reader that share both are the same text.
  const hash = `${bytes.length}-${crc32(bytes).toString(16)}`;
  ownTexts.set(hash, { name, bytes });
  return { hash, name, bytes };
}

export async function prepareText(
  request: PrepareRequest,
  kept: KeptText,
  watch: Watch,
): Promise<PreparedText> {
  const opened = await openSource(request.source, kept);
  const table = request.source.from === 'file' ? tableKind(request.source.name) : undefined;
  const { text, encoding, cut, columns, column } = table === undefined
    ? await readPlain(opened, request)
    : await readTable(table, opened, request);
  if (text.trim() === '') throw new BackgroundError('text-empty');
  refuseControls(text);
  const { tokenizer, tokens } = await tokenize(text, request, watch);
  const prepared: PreparedText = {
    tokens,
    tokenizer: tokenizer.toJSON(),
    vocab: tokenizer.vocab,
    bytes: opened.blob.size,
    excerpt: text.slice(0, excerptCharacters),
    encoding,
    cut,
  };
  if (request.source.from === 'url') return prepared;
  const name = column === undefined ? (opened.name ?? '') : `${opened.name}: ${column}`;
  if (request.source.from === 'kept') {
    // Should another tab delete it, this one can still save it with its run.
    const { hash } = request.source;
    ownTexts.set(hash, { name, bytes: new TextEncoder().encode(text) });
    return { ...prepared, hash, name };
  }
  // What is kept is the text that was made of the file, so that it reads the same again.
  const { hash, bytes } = keepOwnText(name, text);
  const own = { ...prepared, bytes: bytes.length, hash, name };
  return columns === undefined ? own : { ...own, columns, column: column! };
}
