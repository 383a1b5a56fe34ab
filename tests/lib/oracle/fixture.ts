// SPDX-License-Identifier: MIT
// The golden fixtures of tests/golden, read without the engine.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Matrix } from './matrix.js';
import { type OracleModel, tensorOf } from './model.js';
import type { Example } from './pass.js';

const folder = join(import.meta.dirname, '..', '..', 'golden');

export interface Fixture {
  model: OracleModel;
  /** Rows of the check batch. */
  examples: Example[];
  /** Mean over the batch's counted targets. */
  loss: number;
  /** [B, T, V] */
  logits: Float32Array;
  /** By parameter. */
  gradients: ReadonlyMap<string, Matrix>;
  /** Parameters whose gradient is zero in exact arithmetic. */
  undetermined: readonly string[];
}

interface Description {
  config: OracleModel['config'];
  check: { tokens: number[][]; targets: number[][]; loss: number };
  undetermined?: string[];
}

export function readFixture(name: string): Fixture {
  const text = readFileSync(join(folder, `${name}.json`), 'utf8');
  const { config, check, undetermined = [] } = JSON.parse(text) as Description;
  const file = readSafetensors(readFileSync(join(folder, `${name}.safetensors`)));
  const tensors = new Map<string, Matrix>();
  const gradients = new Map<string, Matrix>();
  for (const [key, { shape, values }] of file) {
    if (key.startsWith('grad.')) {
      gradients.set(key.slice('grad.'.length), tensorOf(shape, values));
    } else if (key !== 'logits' && !key.startsWith('final.')) {
      tensors.set(key, tensorOf(shape, values));
    }
  }
  const examples = check.tokens.map((tokens, row) => ({ tokens, targets: check.targets[row]! }));
  const logits = file.get('logits')!.values;
  return {
    model: { config, tensors },
    examples,
    loss: check.loss,
    logits,
    gradients,
    undetermined,
  };
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** F32 only: eight bytes of header length, the header as JSON, the data. */
function readSafetensors(file: Buffer): Map<string, { shape: number[]; values: Float32Array }> {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString('utf8', 8, start)) as Record<string, Entry>;
  const tensors = new Map<string, { shape: number[]; values: Float32Array }>();
  for (const [name, { dtype, shape, data_offsets: ends }] of Object.entries(header)) {
    if (name === '__metadata__') {
      continue;
    }
    if (dtype !== 'F32') {
      throw new Error(`${name} is ${dtype}, not F32`);
    }
    const bytes = Uint8Array.from(file.subarray(start + ends[0], start + ends[1]));
    tensors.set(name, { shape, values: new Float32Array(bytes.buffer) });
  }
  return tensors;
}
