// SPDX-License-Identifier: MIT
// The background worker: answers requests by number.

import { claimRun, releaseOthers, runsInUse } from './locks';
import { BackgroundError } from './protocol';
import type {
  BackgroundCode, BackgroundDetails, FromWorker, OpenReply, OpenRequest, PreparedText, Replies, Request,
  RunInfo, RunRecord, RunsReply, SaveReply, SaveRequest, ToWorker,
} from './protocol';
import { readRunFile, runFile } from './run-file';
import { RunStore } from './store';
import type { StoredText } from './store';
import { keepOwnText, ownTexts, prepareText } from './texts';
import type { Watch } from './tokenize';
import { newRunId } from '../train/run-id';

/** How long a reloaded tab waits for its own former lock. */
const reloadPatienceMs = 400;

const store = new RunStore();
const running = new Map<number, AbortController>();
// Runs deleted in an earlier visit cannot be had back any more.
const purged = store.purge().catch(() => {});

async function open(request: OpenRequest): Promise<OpenReply> {
  const { only, prefer, match } = request;
  if (only !== undefined) return openOnly(only);
  let damaged = false;
  const runs = await store.list(match);
  const preferred = runs.filter((run) => run.id === prefer);
  for (const run of [...preferred, ...runs.filter((other) => other.id !== prefer)]) {
    const patience = run.id === prefer ? reloadPatienceMs : 0;
    if (!(await claimRun(run.id, patience))) continue;
    const read = await store.read(run);
    damaged ||= read.damaged;
    if (read.record !== undefined) return { record: read.record, damaged };
  }
  return { damaged };
}

async function openOnly({ id, step }: NonNullable<OpenRequest['only']>): Promise<OpenReply> {
  const run = await known(id);
  // An earlier state is only read, to go on from it as another run.
  if (step === undefined && !(await claimRun(id, 0))) throw new BackgroundError('run-in-use');
  const read = await store.read(run, step);
  if (read.record === undefined) throw new BackgroundError('run-missing');
  return { record: read.record, damaged: read.damaged };
}

async function readOnly(id: string, step: number | undefined): Promise<RunRecord> {
  const { record } = await store.read(await known(id), step);
  if (record === undefined) throw new BackgroundError('run-missing');
  return record;
}

async function known(id: string): Promise<RunInfo> {
  const run = await store.run(id);
  if (run === undefined) throw new BackgroundError('run-missing');
  return run;
}

/** A text of the reader's own that a run was made of. */
async function textFor(hash: string | undefined): Promise<StoredText | undefined> {
  if (hash === undefined) return undefined;
  const given = ownTexts.get(hash);
  return given === undefined ? store.text(hash) : { hash, ...given };
}

async function save({ record }: SaveRequest): Promise<SaveReply> {
  if (!(await claimRun(record.id, 0))) throw new BackgroundError('run-in-use');
  const hash = record.ownText?.hash;
  const text = hash === undefined ? undefined : ownTexts.get(hash);
  const kept = text === undefined ? undefined : { hash: hash!, ...text };
  try {
    await store.save(record, kept);
  } catch (error) {
    if (!isFull(error)) throw error;
    // What was deleted goes for good before anything is lost.
    await store.purge();
    await store.save(record, kept);
  }
  return { savedAt: record.savedAt, bytes: record.checkpoint.length };
}

async function runs(): Promise<RunsReply> {
  await purged;
  const list = await store.list();
  const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  return usage === undefined || quota === undefined
    ? { runs: list }
    : { runs: list, storage: { used: usage, quota } };
}

async function deleted(id: string): Promise<RunInfo> {
  if ((await runsInUse()).has(id)) throw new BackgroundError('run-in-use');
  return store.delete(id);
}

async function exported(id: string): Promise<Replies['export']> {
  const { record } = await store.read(await known(id));
  if (record === undefined) throw new BackgroundError('run-missing');
  return { file: runFile(record, await textFor(record.ownText?.hash)) };
}

async function imported(file: Blob): Promise<RunInfo> {
  const { own, ...run } = readRunFile(new Uint8Array(await file.arrayBuffer()));
  const id = newRunId();
  const record = { ...run, id, savedAt: Date.now() };
  if (own === undefined) {
    await store.save(record);
  } else {
    const text = keepOwnText(own.name, own.text);
    await store.save({ ...record, ownText: { hash: text.hash, name: own.name } }, text);
  }
  return known(id);
}

function answer(request: Request, watch: Watch): Promise<Replies[Request['kind']]> {
  switch (request.kind) {
    case 'prepare':
      return prepareText(request, async (hash) => (await textFor(hash))!, watch);
    case 'open':
      return open(request);
    case 'save':
      return save(request);
    case 'runs':
      return runs();
    case 'read':
      return readOnly(request.id, request.step);
    case 'note':
      return store.note(request.id, request.notes);
    case 'keep-only':
      releaseOthers(request.id);
      return Promise.resolve(undefined);
    case 'delete':
      return deleted(request.id);
    case 'restore':
      return store.restore(request.id);
    case 'curves':
      return store.curves(request.ids);
    case 'export':
      return exported(request.id);
    case 'import':
      return imported(request.file);
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

async function failure(
  error: unknown,
  request: Request,
): Promise<{ code: BackgroundCode; details: BackgroundDetails }> {
  if (error instanceof BackgroundError) return { code: error.code, details: error.details };
  if (isFull(error)) {
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

/** What a reply hands over instead of having it copied. */
function transfers(kind: Request['kind'], reply: Replies[Request['kind']]): Transferable[] {
  switch (kind) {
    case 'prepare':
      return [(reply as PreparedText).tokens.buffer];
    case 'open': {
      const { record } = reply as OpenReply;
      return record === undefined ? [] : [record.checkpoint.buffer];
    }
    case 'read':
      return [(reply as RunRecord).checkpoint.buffer];
    case 'export':
      return [(reply as Replies['export']).file.buffer];
    default:
      return [];
  }
}

async function handle(message: Request & { request: number }): Promise<void> {
  const { request } = message;
  const controller = new AbortController();
  running.set(request, controller);
  const watch: Watch = {
    signal: controller.signal,
    onProgress: (done, wanted) => post({ request, progress: { done, wanted } }),
  };
  try {
    const reply = await answer(message, watch);
    post({ request, ok: true, reply }, transfers(message.kind, reply));
  } catch (error) {
    post({ request, ok: false, ...(await failure(error, message)) });
  } finally {
    running.delete(request);
  }
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

// Requests may overlap: reading a text must not wait for storage. The page saves one at a time.
self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('abort' in data) running.get(data.abort)?.abort();
  else void handle(data);
});
