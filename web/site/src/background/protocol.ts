// SPDX-License-Identifier: MIT
// Messages between the page and its background worker, which reads texts and keeps runs, so that
// neither a large file nor a large checkpoint ever holds up the page.

import type { TokenizerState } from 'heed';
import type { CurvesState } from '../train/curves';
import type { Settings, TokenizerKind } from '../train/fields';

/** More than this is refused, or cut on request. Its token ids (40 MB) cross two threads. */
export const textLimitBytes = 10_000_000;

export type TextSource =
  | { from: 'url'; url: string }
  | { from: 'text'; text: string }
  | { from: 'file'; file: Blob; name: string }
  | { from: 'kept'; hash: string };

export interface PrepareRequest {
  kind: 'prepare';
  source: TextSource;
  tokenizer: TokenizerKind;
  /** Use the first `textLimitBytes` of a longer text instead of refusing it. */
  cut: boolean;
}

/** A text turned into tokens. */
export interface PreparedText {
  tokens: Int32Array;
  tokenizer: TokenizerState;
  vocab: number;
  /** UTF-8 bytes used, after cutting and with line ends made one character. */
  bytes: number;
  /** The first few lines. */
  excerpt: string;
  cut: boolean;
  /** Names a text of the reader's own in storage. */
  hash?: string;
  name?: string;
}

export interface RunRecord {
  id: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Steps done in all, over every continuation. */
  step: number;
  /** Steps done before the trainer in the checkpoint began. */
  stepOffset: number;
  /** Tokens seen in all, and before the trainer in the checkpoint began. */
  tokens: number;
  settings: Settings;
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
  /** The run this tab had before a reload. */
  prefer?: string;
  /** Only a run with these settings will do. */
  match?: Settings;
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

export interface Replies {
  prepare: PreparedText;
  open: OpenReply;
  save: SaveReply;
}

export type Request = PrepareRequest | OpenRequest | SaveRequest;

/** What can go wrong here, by code; the page has the words. */
export type BackgroundCode =
  | 'text-empty'
  | 'text-binary'
  | 'text-encoding'
  | 'text-too-large'
  | 'text-unreachable'
  | 'text-missing'
  | 'storage-unavailable'
  | 'storage-full'
  | 'storage-failed'
  | 'tokenizer';

export interface BackgroundDetails {
  message?: string;
  bytes?: number;
  free?: number;
}

export type ToWorker = Request & { request: number };

export type FromWorker =
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
