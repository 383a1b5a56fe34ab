// SPDX-License-Identifier: MIT
// Where a text comes from: its bytes and its name.

import { BackgroundError } from './protocol';
import type { TextSource } from './protocol';

export interface OpenedSource {
  blob: Blob;
  /** Absent for a text of the site's. */
  name?: string;
}

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

export async function openSource(source: TextSource, kept: KeptText): Promise<OpenedSource> {
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
