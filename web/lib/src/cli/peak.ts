// SPDX-License-Identifier: MIT
// What this runtime can do at most with SIMD128 on one thread: multiply-adds on registers alone,
// the best of loops with 4 to 16 independent accumulators. The loops are made here, byte by byte,
// so that the package's own binary carries no benchmark.

const accumulatorCounts = [4, 6, 8, 10, 12, 13, 14, 16];
/** Multiply-adds of each accumulator in one turn of a loop. */
const unrolled = 4;
const lanes = 4;
/** Engines start with unoptimised code and swap it in the background. */
const warmMs = 30;
const sampleMs = 5;
const samples = 5;

type Loop = (iterations: number) => number;

/** GFLOP/s; a multiply-add counts as two operations. Takes about half a second. */
export function measurePeak(): number {
  return Math.max(...accumulatorCounts.map(rateOf));
}

function rateOf(accumulators: number): number {
  const loop = makeLoop(accumulators);
  let iterations = 1000;
  const end = performance.now() + warmMs;
  for (let ms = 0; ms < sampleMs / 2 || performance.now() < end; ) {
    const start = performance.now();
    loop(iterations);
    ms = performance.now() - start;
    if (ms < sampleMs / 2) {
      iterations *= 2;
    }
  }
  let best = Infinity;
  for (let i = 0; i < samples; ++i) {
    const start = performance.now();
    loop(iterations);
    best = Math.min(best, performance.now() - start);
  }
  const operations = 2 * unrolled * lanes * accumulators * iterations;
  return operations / best / 1e6;
}

function makeLoop(accumulators: number): Loop {
  const module = new WebAssembly.Module(moduleOf(accumulators));
  return new WebAssembly.Instance(module).exports['run'] as Loop;
}

/** A module with one function: (iterations: i32) -> f32. */
export function moduleOf(accumulators: number): Uint8Array<ArrayBuffer> {
  const body = code(accumulators);
  const locals = [1, accumulators + 2, 0x7b]; // that many of v128
  const functionBody = [...locals, ...body];
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7d]), // type: (i32) -> f32
    ...section(3, [1, 0]),
    ...section(7, [1, 3, ...new TextEncoder().encode('run'), 0, 0]),
    ...section(10, [1, ...unsigned(functionBody.length), ...functionBody]),
  ]);
}

/** x = x * scale + shift: no product is invariant, so none can be taken out of the loop. */
function code(accumulators: number): number[] {
  const scale = accumulators + 1;
  const shift = accumulators + 2;
  const bytes: number[] = [
    ...splat(0.999), ...setLocal(scale),
    ...splat(0.001), ...setLocal(shift),
  ];
  for (let c = 1; c <= accumulators; ++c) {
    bytes.push(...splat(c), ...setLocal(c));
  }
  bytes.push(0x03, 0x40); // loop
  for (let repeat = 0; repeat < unrolled; ++repeat) {
    for (let c = 1; c <= accumulators; ++c) {
      bytes.push(...getLocal(c), ...getLocal(scale), 0xfd, 0xe6, 0x01); // f32x4.mul
      bytes.push(...getLocal(shift), 0xfd, 0xe4, 0x01, ...setLocal(c)); // f32x4.add
    }
  }
  // iterations - 1, again while it is not 0
  bytes.push(...getLocal(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b);
  for (let c = 1; c <= accumulators; ++c) {
    bytes.push(...getLocal(c), 0xfd, 0x1f, 0); // f32x4.extract_lane 0
    if (c > 1) {
      bytes.push(0x92); // f32.add
    }
  }
  bytes.push(0x0b);
  return bytes;
}

const getLocal = (index: number): number[] => [0x20, index];
const setLocal = (index: number): number[] => [0x21, index];

function splat(value: number): number[] {
  const constant = new Uint8Array(Float32Array.of(value).buffer);
  return [0x43, ...constant, 0xfd, 0x13]; // f32.const, f32x4.splat
}

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}
