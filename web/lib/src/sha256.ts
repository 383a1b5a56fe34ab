// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4). The runtime's own is ten times as fast, but pages served over plain http from
// another machine do not have it: a phone that looks at a site under development, say.

const primes = firstPrimes(64);
/** Fractional bits of the cube roots of the first 64 primes. */
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
/** Fractional bits of the square roots of the first 8. */
const initialState = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** The digest in lower-case hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Typed as always there, which it is not.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) {
    return digest(bytes);
  }
  return hex(new Uint8Array(await subtle.digest('SHA-256', bytes)));
}

/** The same without the runtime's help. */
export function digest(bytes: Uint8Array): string {
  const state = initialState.slice();
  const words = new Uint32Array(64);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) {
    compress(state, words, view, at);
  }
  // The rest, a one bit, zeros, the length in bits as 64-bit big-endian number.
  const rest = bytes.length - whole;
  const last = new Uint8Array(rest < 56 ? 64 : 128);
  last.set(bytes.subarray(whole));
  last[rest] = 0x80;
  const lastView = new DataView(last.buffer);
  lastView.setUint32(last.length - 8, Math.floor(bytes.length / 2 ** 29));
  lastView.setUint32(last.length - 4, (bytes.length << 3) >>> 0);
  for (let at = 0; at < last.length; at += 64) {
    compress(state, words, lastView, at);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function compress(state: Uint32Array, words: Uint32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; ++i) {
    words[i] = block.getUint32(at + 4 * i);
  }
  for (let i = 16; i < 64; ++i) {
    const near = words[i - 15]!;
    const far = words[i - 2]!;
    const low = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3);
    const high = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10);
    words[i] = words[i - 16]! + low + words[i - 7]! + high;
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!;
  let e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let i = 0; i < 64; ++i) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + roundConstants[i]! + words[i]!) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; ++n) {
    if (found.every((prime) => n % prime !== 0)) {
      found.push(n);
    }
  }
  return found;
}
