// SPDX-License-Identifier: MIT
// The only file that touches WebAssembly memory. Every access makes its view anew, because growth
// detaches old ones; what leaves is a copy, so no caller ever holds a view.

import { allocate } from './values.js';

export class Heap {
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  readBytes(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    return this.#copy(pointer, length, Uint8Array);
  }

  readFloats(pointer: number, length: number): Float32Array<ArrayBuffer> {
    return this.#copy(pointer, length, Float32Array);
  }

  readDoubles(pointer: number, length: number): Float64Array<ArrayBuffer> {
    return this.#copy(pointer, length, Float64Array);
  }

  readInts(pointer: number, length: number): Int32Array<ArrayBuffer> {
    return this.#copy(pointer, length, Int32Array);
  }

  readText(pointer: number, length: number): string {
    // Decoding from a copy: TextDecoder refuses shared memory.
    return new TextDecoder().decode(this.readBytes(pointer, length));
  }

  /** Writes the bytes of any typed array. */
  write(pointer: number, values: ArrayBufferView): void {
    const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    new Uint8Array(this.#memory.buffer, pointer, source.length).set(source);
  }

  #copy<
    T extends
      | Uint8Array<ArrayBuffer>
      | Int32Array<ArrayBuffer>
      | Float32Array<ArrayBuffer>
      | Float64Array<ArrayBuffer>,
  >(
    pointer: number,
    length: number,
    Type: {
      new (length: number): T;
      new (buffer: ArrayBufferLike, offset: number, length: number): ArrayLike<number>;
    },
  ): T {
    const copy = allocate(length, "the engine's answer", (size) => new Type(size));
    copy.set(new Type(this.#memory.buffer, pointer, length));
    return copy;
  }
}
