// SPDX-License-Identifier: MIT
// The one table of the form: every setting, its kind and its bounds. Form, link and checks read it.

import type { Activation, ModelOptions, Norm, Position, TrainOptions } from 'heed';

export type TokenizerKind = 'char' | 'byte';

/** Everything that fixes a run, apart from a text of the reader's own. */
export interface Settings {
  /** Id of a built-in text, or `own`. */
  text: string;
  tokenizer: TokenizerKind;
  layers: number;
  heads: number;
  width: number;
  ffn: number;
  context: number;
  position: Position;
  norm: Norm;
  activation: Activation;
  batch: number;
  learningRate: number;
  steps: number;
  seed: number;
}

export type NumberKey =
  | 'layers' | 'heads' | 'width' | 'ffn' | 'context'
  | 'batch' | 'learningRate' | 'steps' | 'seed';
export type ChoiceKey = 'tokenizer' | 'position' | 'norm' | 'activation';
export type FieldKey = NumberKey | ChoiceKey;

export interface NumberField {
  kind: 'number';
  min: number;
  max: number;
  integer: boolean;
}

export interface ChoiceField {
  kind: 'choice';
  options: readonly string[];
}

const whole = (min: number, max: number): NumberField =>
  ({ kind: 'number', min, max, integer: true });

// Upper bounds are the package's, except context and batch, where a page runs out of memory first.
export const numberFields: Record<NumberKey, NumberField> = {
  layers: whole(0, 256),
  heads: whole(1, 256),
  width: whole(1, 16_384),
  ffn: whole(0, 65_536),
  context: whole(1, 4096),
  batch: whole(1, 4096),
  learningRate: { kind: 'number', min: 1e-8, max: 100, integer: false },
  steps: whole(1, 10_000_000),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
};

export const choiceFields: Record<ChoiceKey, ChoiceField> = {
  tokenizer: { kind: 'choice', options: ['char', 'byte'] satisfies TokenizerKind[] },
  position: {
    kind: 'choice',
    options: ['learned', 'sinusoidal', 'rope', 'none'] satisfies Position[],
  },
  norm: { kind: 'choice', options: ['layer', 'rms', 'none'] satisfies Norm[] },
  activation: {
    kind: 'choice',
    options: ['geluErf', 'geluTanh', 'relu', 'relu2', 'silu', 'swiglu', 'geglu'] satisfies Activation[],
  },
};

export const modelFields = [
  'layers', 'heads', 'width', 'ffn', 'context', 'position', 'norm', 'activation',
] as const satisfies readonly FieldKey[];
export const trainFields = [
  'batch', 'learningRate', 'steps', 'seed',
] as const satisfies readonly FieldKey[];
export const allFields: readonly FieldKey[] = ['tokenizer', ...modelFields, ...trainFields];

// About 0.1 million parameters: a slow single core makes some ten steps a second of it. Rotary
// positions learn sooner than learned ones: on Moby-Dick, batch 8, the loss passes 2.5 near step
// 150 (learned positions: 390), so well inside the first minute.
export const defaultSettings: Readonly<Settings> = {
  text: 'moby-dick',
  tokenizer: 'char',
  layers: 2,
  heads: 4,
  width: 64,
  ffn: 256,
  context: 64,
  position: 'rope',
  norm: 'layer',
  activation: 'geluErf',
  batch: 8,
  learningRate: 0.004,
  steps: 5000,
  seed: 1337,
};

export function modelOptions(settings: Settings, vocab: number): ModelOptions {
  const { layers, heads, width, ffn, context, position, norm, activation } = settings;
  return {
    vocab, layers, heads, kvHeads: heads, width, headWidth: width / heads, ffn, context,
    position, norm, activation, normPosition: 'pre', bias: false, tied: true, dropout: 0,
  };
}

/** Share of the text kept for validation; also tells how long a text has to be. */
export const valFraction = 0.1;

export function trainOptions(settings: Settings): TrainOptions {
  const { batch, learningRate, steps, seed } = settings;
  return {
    batch, learningRate, steps, seed, valFraction,
    accumulation: 1, optimizer: 'adamw', schedule: 'cosine', minLearningRate: learningRate / 10,
    warmup: Math.min(50, Math.floor(steps / 20)), beta1: 0.9, beta2: 0.99, epsilon: 1e-8,
    weightDecay: 0.1, clip: 1,
  };
}

export function sameSettings(a: Settings, b: Settings): boolean {
  return a.text === b.text && allFields.every((key) => a[key] === b[key]);
}
