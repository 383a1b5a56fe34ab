// SPDX-License-Identifier: MIT
// Messages between the page and its background worker, which reads texts and keeps runs, so that
// neither a large file nor a large checkpoint ever holds up the page.

import type { TaskOptions, TokenizerState } from 'heed';
import type { Change } from '../train/changes';
import type { CurvesState } from '../train/curves';
import type { Settings, TokenizerKind } from '../train/fields';
import type { EncodingName } from './encodings';

/** More than this is refused, or cut on request. Its token ids (40 MB) cross two threads. */
export const textLimitBytes = 10_000_000;

/** Of a table one column is used; the whole of it has to be read all the same. */
export const tableLimitBytes = 100_000_000;

export type TextSource =
  | { from: 'url'; url: string }
  | { from: 'text'; text: string }
  | { from: 'file'; file: Blob; name: string }
  | { from: 'kept'; hash: string };

export interface PrepareRequest {
  kind: 'prepare';
  source: TextSource;
  tokenizer: TokenizerKind;
  /** Tokens that byte pair encoding may make. */
  vocabulary: number;
  /** Use the first `textLimitBytes` of a longer text instead of refusing it. */
  cut: boolean;
  /** Column or field of a table; without it the one with most text. */
  column?: string;
  /** Without it, it is found out. */
  encoding?: EncodingName;
}

/** A column of a table that has text. */
export interface ColumnInfo {
  name: string;
  characters: number;
}

/** A text turned into tokens; or a task, which has no tokens of its own and no bytes. */
export interface PreparedText {
  tokens: Int32Array;
  tokenizer: TokenizerState;
  vocab: number;
  /** UTF-8 bytes used. */
  bytes: number;
  /** The first few lines. */
  excerpt: string;
  encoding: EncodingName;
  cut: boolean;
  /** Of a table: its columns, the one with most text first, and the one used. */
  columns?: ColumnInfo[];
  column?: string;
  /** Names a text of the reader's own in storage. */
  hash?: string;
  name?: string;
  task?: Required<TaskOptions>;
}

/** What the reader says of a run. */
export interface RunNotes {
  /** Empty for none. */
  name: string;
  notes: string;
}

/** How far a run has come. */
export interface RunSummary {
  loss?: number;
  validation?: number;
  /** Share of a task's held-out examples that are exactly right. */
  exact?: number;
  parameters: number;
  vocab: number;
}

/** The state of another run from which this one went on. */
export interface Origin {
  id: string;
  step: number;
}

export interface SaveInfo {
  step: number;
  /** Milliseconds since 1970. */
  savedAt: number;
  bytes: number;
}

/** A saved run without what is large. */
export interface RunInfo extends RunNotes {
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  first: Settings;
  changes: readonly Change[];
  summary: RunSummary;
  origin?: Origin;
  ownText?: { hash: string; name: string };
  /** By step; the last is the newest. */
  saves: SaveInfo[];
}

export interface RunRecord extends RunNotes {
  id: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Steps done, and tokens seen. */
  step: number;
  tokens: number;
  /** As of step 0. */
  first: Settings;
  changes: readonly Change[];
  summary: RunSummary;
  origin?: Origin;
  playing: boolean;
  tokenizer: TokenizerState;
  ownText?: { hash: string; name: string };
  curves: CurvesState;
  probe: string;
  prompt: string;
  /** The trainer as the package saves it. */
  checkpoint: Uint8Array<ArrayBuffer>;
}

export interface OpenRequest {
  kind: 'open';
  /** This run and no other, as of this step if given. */
  only?: { id: string; step?: number };
  /** The run this tab had before a reload. */
  prefer?: string;
  /** Only a run that was begun and changed like this will do. */
  match?: Pick<RunRecord, 'first' | 'changes'>;
}

export interface OpenReply {
  record?: RunRecord;
  /** A newer save was damaged and an older one is given instead, or none was readable. */
  damaged: boolean;
}

export interface SaveRequest {
  kind: 'save';
  record: RunRecord;
}

export interface SaveReply {
  savedAt: number;
  bytes: number;
}

export interface RunsReply {
  /** Newest first. */
  runs: RunInfo[];
  /** Bytes that the page uses and may use, where the browser tells. */
  storage?: { used: number; quota: number };
}

export type RunsRequest =
  | { kind: 'runs' }
  /** A state of a run, to look at only: another tab may go on with it. The newest up to `step`. */
  | { kind: 'read'; id: string; step?: number }
  | { kind: 'note'; id: string; notes: Partial<RunNotes> }
  /** Lets go of all other runs that this tab has had. */
  | { kind: 'keep-only'; id: string }
  /** It can be had back until the page is opened anew. */
  | { kind: 'delete'; id: string }
  | { kind: 'restore'; id: string }
  | { kind: 'curves'; ids: string[] }
  /** The run as one file. */
  | { kind: 'export'; id: string }
  | { kind: 'import'; file: Blob };

export interface Replies {
  prepare: PreparedText;
  open: OpenReply;
  save: SaveReply;
  runs: RunsReply;
  read: RunRecord;
  note: RunInfo;
  'keep-only': undefined;
  delete: RunInfo;
  restore: RunInfo;
  curves: Record<string, CurvesState>;
  export: { file: Uint8Array<ArrayBuffer> };
  import: RunInfo;
}

export type Request = PrepareRequest | OpenRequest | SaveRequest | RunsRequest;

/** Merges of a tokenizer learnt, of those wanted. */
export interface Progress {
  done: number;
  wanted: number;
}

/** What can go wrong here, by code; the page has the words. */
export type BackgroundCode =
  | 'text-empty'
  | 'text-binary'
  | 'text-encoding'
  | 'text-too-large'
  | 'text-table'
  | 'table-too-large'
  | 'text-unreachable'
  | 'text-missing'
  | 'storage-unavailable'
  | 'storage-full'
  | 'storage-failed'
  | 'run-missing'
  | 'run-in-use'
  | 'run-file'
  | 'tokenizer'
  | 'aborted';

export interface BackgroundDetails {
  message?: string;
  bytes?: number;
  free?: number;
  /** Of a table, from 1. */
  line?: number;
}

/** `abort` names the request that is no longer wanted. */
export type ToWorker = (Request & { request: number }) | { abort: number };

export type FromWorker =
  | { request: number; progress: Progress }
  | { request: number; ok: true; reply: Replies[Request['kind']] }
  | { request: number; ok: false; code: BackgroundCode; details: BackgroundDetails };

export class BackgroundError extends Error {
  readonly code: BackgroundCode;
  readonly details: BackgroundDetails;

  constructor(code: BackgroundCode, details: BackgroundDetails = {}) {
    super(`${code}${details.message === undefined ? '' : `: ${details.message}`}`);
    this.name = 'BackgroundError';
    this.code = code;
    this.details = details;
  }
}
