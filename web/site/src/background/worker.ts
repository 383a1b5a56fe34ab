// SPDX-License-Identifier: MIT
// The background worker: answers requests by number.

import { claimRun } from './locks';
import { BackgroundError } from './protocol';
import type {
  BackgroundCode, BackgroundDetails, FromWorker, OpenReply, OpenRequest, Replies, Request,
  SaveReply, SaveRequest, ToWorker,
} from './protocol';
import { RunStore } from './store';
import { ownTexts, prepareText } from './texts';

/** How long a reloaded tab waits for its own former lock. */
const reloadPatienceMs = 400;

const store = new RunStore();

async function open(request: OpenRequest): Promise<OpenReply> {
  let damaged = false;
  const runs = await store.list(request.match);
  const preferred = runs.filter((run) => run.id === request.prefer);
  for (const run of [...preferred, ...runs.filter((other) => other.id !== request.prefer)]) {
    const patience = run.id === request.prefer ? reloadPatienceMs : 0;
    if (!(await claimRun(run.id, patience))) continue;
    const read = await store.read(run);
    damaged ||= read.damaged;
    if (read.record !== undefined) return { record: read.record, damaged };
  }
  return { damaged };
}

async function save({ record }: SaveRequest): Promise<SaveReply> {
  await claimRun(record.id, 0);
  const hash = record.ownText?.hash;
  const text = hash === undefined ? undefined : ownTexts.get(hash);
  await store.save(record, text === undefined ? undefined : { hash: hash!, ...text });
  return { savedAt: record.savedAt, bytes: record.checkpoint.length };
}

function answer(request: Request): Promise<Replies[Request['kind']]> {
  switch (request.kind) {
    case 'prepare':
      return prepareText(request, (hash) => store.text(hash));
    case 'open':
      return open(request);
    case 'save':
      return save(request);
  }
}

async function failure(
  error: unknown,
  request: Request,
): Promise<{ code: BackgroundCode; details: BackgroundDetails }> {
  if (error instanceof BackgroundError) return { code: error.code, details: error.details };
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
    const details: BackgroundDetails = {};
    if (request.kind === 'save') details.bytes = request.record.checkpoint.length;
    if (estimate?.quota !== undefined && estimate.usage !== undefined) {
      details.free = Math.max(0, estimate.quota - estimate.usage);
    }
    return { code: 'storage-full', details };
  }
  return { code: 'storage-failed', details: { message: String(error) } };
}

function transfers(reply: Replies[Request['kind']]): Transferable[] {
  if ('tokens' in reply) return [reply.tokens.buffer];
  if ('record' in reply && reply.record !== undefined) return [reply.record.checkpoint.buffer];
  return [];
}

async function handle(message: ToWorker): Promise<void> {
  try {
    const reply = await answer(message);
    const response: FromWorker = { request: message.request, ok: true, reply };
    self.postMessage(response, { transfer: transfers(reply) });
  } catch (error) {
    const response: FromWorker = {
      request: message.request, ok: false, ...(await failure(error, message)),
    };
    self.postMessage(response);
  }
}

// Requests may overlap: reading a text must not wait for storage. The page saves one at a time.
self.addEventListener('message', (event: MessageEvent<ToWorker>) => void handle(event.data));
