// SPDX-License-Identifier: MIT
// A run as one file: its checkpoint, which the package reads as it is, with what the page knows of it
// in the metadata.

import { checkedChanges, checkedSettings } from '../train/settings-check';
import { checkedCurves } from '../train/curves';
import { BackgroundError } from './protocol';
import type { RunRecord } from './protocol';
import type { StoredText } from './store';

const key = 'page-run';
const version = 1;
/** More than any name, note or prompt that was typed. */
const longestText = 100_000;

interface Header {
  __metadata__?: Record<string, string>;
  [tensor: string]: unknown;
}

interface Parsed {
  header: Header;
  /** What comes behind the header. */
  body: Uint8Array;
}

/** Length, then JSON, then the tensors' bytes, as the format of safetensors has it. */
function parse(file: Uint8Array): Parsed {
  if (file.length < 8) throw broken('it is too short');
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > file.length - 8) throw broken('it is cut off');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, 8 + length));
    const header: unknown = JSON.parse(text);
    if (typeof header !== 'object' || header === null) throw new SyntaxError('no header');
    return { header: header as Header, body: file.subarray(8 + length) };
  } catch {
    throw broken('its header cannot be read');
  }
}

function broken(why: string): BackgroundError {
  return new BackgroundError('run-file', { message: why });
}

export function runFile(record: RunRecord, text: StoredText | undefined): Uint8Array<ArrayBuffer> {
  const { checkpoint, id: _, savedAt: __, ...known } = record;
  const own = text === undefined
    ? undefined
    : { name: text.name, text: new TextDecoder().decode(text.bytes) };
  const { header, body } = parse(checkpoint);
  const entry = JSON.stringify({ version, ...known, own });
  const metadata = { ...header.__metadata__, [key]: entry };
  const json = JSON.stringify({ ...header, __metadata__: metadata });
  const encoded = new TextEncoder().encode(json);
  // Spaces up to a multiple of 8, so that the tensors stay aligned.
  const length = Math.ceil(encoded.length / 8) * 8;
  const file = new Uint8Array(8 + length + body.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.fill(0x20, 8, 8 + length);
  file.set(encoded, 8);
  file.set(body, 8 + length);
  return file;
}

export type ImportedRun = Omit<RunRecord, 'id' | 'savedAt'> & { own?: { name: string; text: string } };

/** Throws `run-file` where anything is not as `runFile` wrote it; the engine checks the weights. */
export function readRunFile(file: Uint8Array<ArrayBuffer>): ImportedRun {
  const entry = parse(file).header.__metadata__?.[key];
  if (typeof entry !== 'string') {
    throw broken('it holds weights, but not what the page has to know of the run');
  }
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(entry) as Record<string, unknown> | null;
  } catch {
    throw broken('what it says of the run cannot be read');
  }
  if (typeof value !== 'object' || value === null) throw broken('it says nothing of the run');
  if (value['version'] !== version) throw broken('it comes from another version of the page');
  const first = checkedSettings(value['first']);
  const changes = checkedChanges(value['changes']);
  const curves = checkedCurves(value['curves']);
  if (first === undefined || changes === undefined || curves === undefined) {
    throw broken('its settings or curves are not as they should be');
  }
  // Compared with that of the text itself when the run is opened.
  const tokenizer = value['tokenizer'] as Partial<RunRecord['tokenizer']> | undefined;
  if (typeof tokenizer?.kind !== 'string') throw broken('its tokenizer is damaged');
  const imported: ImportedRun = {
    step: count(value['step']), tokens: count(value['tokens']), first, changes, curves,
    summary: summaryOf(value['summary']), playing: false,
    tokenizer: tokenizer as RunRecord['tokenizer'],
    name: words(value['name']), notes: words(value['notes']),
    probe: words(value['probe']), prompt: words(value['prompt']), checkpoint: file,
  };
  const own = value['own'] as { name?: unknown; text?: unknown } | null | undefined;
  if (own === undefined || own === null) return imported;
  if (typeof own.text !== 'string') throw broken('its text is missing');
  return { ...imported, own: { name: words(own.name), text: own.text } };
}

function words(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestText) throw broken('a name is damaged');
  return value;
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw broken('a count is damaged');
  return value as number;
}

function summaryOf(value: unknown): RunRecord['summary'] {
  if (typeof value !== 'object' || value === null) throw broken('its summary is missing');
  const { parameters, vocab, ...rest } = value as Record<string, unknown>;
  const summary: RunRecord['summary'] = { parameters: count(parameters), vocab: count(vocab) };
  for (const name of ['loss', 'validation', 'exact'] as const) {
    const found = rest[name];
    if (typeof found === 'number') summary[name] = found;
  }
  return summary;
}
