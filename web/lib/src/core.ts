// SPDX-License-Identifier: MIT
// Calls into the compiled module: status codes become HeedErrors, arrays go through buffers, and a
// trap ends it for good, because nobody knows what state it leaves behind.

import { type ErrorCode, HeedError } from './errors.js';
import { type Field, configOf, parseFields, valuesOf } from './fields.js';
import type { BytesReply, HandleReply, HeedModule, StatusCode } from './generated/heed.mjs';
import { Heap } from './heap.js';
import type { Handle } from './protocol.js';

export class Core {
  readonly heap: Heap;
  readonly modelFields: readonly Field[];
  readonly trainFields: readonly Field[];
  readonly taskFields: readonly Field[];
  #module: HeedModule | undefined;
  readonly #scratch: number;
  readonly #scratchBytes: number;
  readonly #codes: ReadonlyMap<StatusCode, ErrorCode>;
  /** Why nothing can be called any more. */
  #end: HeedError | undefined;

  constructor(module: HeedModule, memory: WebAssembly.Memory) {
    this.heap = new Heap(memory);
    this.#module = module;
    const { StatusCode: code } = module;
    this.#codes = new Map<StatusCode, ErrorCode>([
      [code.invalidArgument, 'invalid-argument'],
      [code.outOfMemory, 'out-of-memory'],
      [code.nonFinite, 'non-finite'],
      [code.disposed, 'disposed'],
      [code.badData, 'bad-data'],
      [code.badState, 'bad-state'],
    ]);
    const { pointer, bytes } = this.call((m) => m.scratch());
    this.#scratch = pointer;
    this.#scratchBytes = bytes;
    this.modelFields = parseFields(this.readScratch(this.call((m) => m.describeModel())));
    this.trainFields = parseFields(this.readScratch(this.call((m) => m.describeTrain())));
    this.taskFields = parseFields(this.readScratch(this.call((m) => m.describeTask())));
  }

  /** Runs a bound function that cannot fail; anything thrown out of the module is a trap. */
  call<T>(run: (module: HeedModule) => T): T {
    if (this.#end !== undefined) {
      throw this.#end;
    }
    try {
      return run(this.#module!);
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause);
      this.#end = new HeedError(
        'crashed',
        `The engine crashed (${text}) and its memory is no longer to be trusted. ` +
          'Dispose it and create a new one.',
        { cause },
      );
      throw this.#end;
    }
  }

  /** Runs a bound function that returns a status; throws unless it is ok. */
  checked<R extends StatusCode | { status: StatusCode }>(run: (module: HeedModule) => R): R {
    const reply = this.call(run);
    const status = 'status' in reply ? reply.status : (reply as StatusCode);
    const code = this.#codes.get(status);
    if (code !== undefined) {
      throw this.lastError(code);
    }
    return reply;
  }

  handle(run: (module: HeedModule) => HandleReply): Handle {
    return this.checked(run).handle;
  }

  /**
   * A sentence of the core, made one of the package: full stop, and a capital letter unless it
   * begins with an option's name (maxBytes).
   */
  lastError(code: ErrorCode): HeedError {
    const { pointer, bytes } = this.call((m) => m.lastMessage());
    const text = this.heap.readText(pointer, bytes);
    const name = /^[a-z]+[A-Z]/.test(text);
    const sentence = name ? text : text.charAt(0).toUpperCase() + text.slice(1);
    return new HeedError(code, `${sentence}.`);
  }

  /** Copies `values` in for the time of `use`. */
  withBuffer<T>(values: ArrayBufferView, use: (buffer: Handle) => T): T {
    const buffer = this.handle((m) => m.createBuffer(values.byteLength));
    try {
      const { pointer } = this.checked((m) => m.bufferBytes(buffer));
      this.heap.write(pointer, values);
      return use(buffer);
    } finally {
      this.release(buffer);
    }
  }

  /** Copies a buffer's content out and frees it. */
  takeBuffer<T>(buffer: Handle, read: (bytes: BytesReply) => T): T {
    try {
      return read(this.checked((m) => m.bufferBytes(buffer)));
    } finally {
      this.release(buffer);
    }
  }

  takeFloats(buffer: Handle): Float32Array {
    return this.takeBuffer(buffer, (b) => this.heap.readFloats(b.pointer, b.bytes / 4));
  }

  takeDoubles(buffer: Handle): Float64Array {
    return this.takeBuffer(buffer, (b) => this.heap.readDoubles(b.pointer, b.bytes / 8));
  }

  takeInts(buffer: Handle): Int32Array {
    return this.takeBuffer(buffer, (b) => this.heap.readInts(b.pointer, b.bytes / 4));
  }

  takeText(buffer: Handle): string {
    return this.takeBuffer(buffer, (b) => this.heap.readText(b.pointer, b.bytes));
  }

  takeBytes(buffer: Handle): Uint8Array {
    return this.takeBuffer(buffer, (b) => this.heap.readBytes(b.pointer, b.bytes));
  }

  /** Puts a name into the scratch area for the call that follows; returns its length in bytes. */
  writeName(name: string): number {
    const bytes = new TextEncoder().encode(name).subarray(0, this.#scratchBytes);
    this.heap.write(this.#scratch, bytes);
    return bytes.length;
  }

  /** Puts configurations into the scratch area, one after the other. */
  writeConfigs(...configs: [fields: readonly Field[], config: object][]): void {
    const values = configs.flatMap(([fields, config]) => [...valuesOf(fields, config)]);
    this.heap.write(this.#scratch, Float64Array.from(values));
  }

  readConfig<T extends object>(fields: readonly Field[]): T {
    return configOf<T>(fields, this.heap.readDoubles(this.#scratch, fields.length));
  }

  readScratch(length: number): string {
    return this.heap.readText(this.#scratch, length);
  }

  /** Frees an object; does nothing when it is gone, or the module with it. */
  release(handle: Handle): void {
    if (this.#end === undefined) {
      this.call((m) => m.dispose(handle));
    }
  }

  dispose(): void {
    this.#end = new HeedError(
      'disposed',
      'This engine was disposed. Create a new one, or dispose later.',
    );
    this.#module = undefined;
  }
}
