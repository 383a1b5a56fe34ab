// SPDX-License-Identifier: MIT
// What the oracle knows of a model: its configuration and its weights in double.

import type { Model, ModelConfig } from 'heed';

import { Matrix } from './matrix.js';

export interface OracleModel {
  readonly config: OracleConfig;
  /** By name; vectors have one row. Which tensors there are also says whether there are biases. */
  readonly tensors: ReadonlyMap<string, Matrix>;
}

/** The options without which a model is the usual one may be left out. */
export type OracleConfig = Omit<ModelConfig, keyof Structure> & Partial<Structure>;

export interface Structure {
  mask: 'causal' | 'none';
  value: 'learned' | 'identity';
  outProjection: boolean;
  uniformAttention: boolean;
  scale: number;
  softcap: number;
  window: number;
  qkNorm: boolean;
  init: unknown;
}

/** The engine's weights as they are now, without loss: every float is a double. */
export async function exported(model: Model): Promise<OracleModel> {
  const tensors = new Map<string, Matrix>();
  for (const { name, shape } of await model.tensors()) {
    tensors.set(name, tensorOf(shape, await model.read(name)));
  }
  return { config: model.config, tensors };
}

export function tensorOf(shape: readonly number[], values: ArrayLike<number>): Matrix {
  const [rows, columns] = shape.length === 1 ? [1, shape[0]!] : [shape[0]!, shape[1]!];
  return new Matrix(rows, columns, values);
}

/** Which key and value head a query head reads. */
export const keyHead = ({ heads, kvHeads }: OracleConfig, head: number): number =>
  Math.floor(head / (heads / kvHeads));

/** The first query head that reads the same key and value head. */
export const leaderOf = (config: OracleConfig, head: number): number =>
  keyHead(config, head) * (config.heads / config.kvHeads);
