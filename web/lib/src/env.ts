// SPDX-License-Identifier: MIT
// What the library asks of the runtime it is in. env-web.ts and env-node.ts answer; package.json's
// export conditions choose, so that a bundle for the page never names a module of Node.

/** The other side of a message channel: a worker, or the page seen from inside one. */
export interface Endpoint {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** Replaces the former listener. */
  listen(listener: (message: unknown) => void): void;
}

export interface WorkerEndpoint extends Endpoint {
  /** Called when the script cannot be loaded or the worker dies; never after terminate(). */
  onFailure(listener: (reason: string) => void): void;
  /** Whether waiting for the worker keeps a process alive; means nothing in a page. */
  keepAlive(alive: boolean): void;
  terminate(): void;
}

/** A file as it arrived, with what an error message needs when it turns out to be wrong. */
export interface FetchedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** 200 for a file that was read from disk. */
  status: number;
  contentType: string;
  /** The module, where the runtime compiled it while the bytes were arriving; may be rejected. */
  compiled?: Promise<WebAssembly.Module> | undefined;
}

/** Rejects with whatever the runtime throws; a bad HTTP status is returned, not thrown. */
export type FetchFile = (url: URL) => Promise<FetchedFile>;

export interface Environment {
  readonly defaultWhere: 'thread' | 'worker';
  /** What a relative `wasmUrl` or `workerUrl` is relative to. */
  baseUrl(): string;
  readonly fetchFile: FetchFile;
  /** `url` overrides the package's own worker script. */
  startWorker(url: URL | undefined): WorkerEndpoint;
}

/**
 * Resolves in a new task, after messages that have already arrived. No timer: browsers slow those
 * down in hidden tabs, and training has to go on there.
 */
export function nextTask(): Promise<void> {
  if (typeof setImmediate === 'function') {
    return new Promise((resolve) => setImmediate(resolve));
  }
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A module whose one function makes a v128 of zeros. */
const simdModule = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // magic, version
  0x01, 5, 1, 0x60, 0, 1, 0x7b, // type: () -> v128
  0x03, 2, 1, 0, // one function of that type
  0x0a, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b, // i32.const 0, i8x16.splat
);

export function supportsSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(simdModule);
}
