// SPDX-License-Identifier: MIT
// The one table of the form: every setting, its kind and its bounds. Form, link and checks read it.

import type {
  Activation, Init, Norm, NormPosition, Optimizer, Position, RopeLayout, Schedule, Value,
} from 'heed';

export type TokenizerKind = 'char' | 'byte' | 'bpe';

/** Everything that fixes a run, apart from a text of the reader's own. */
export interface Settings {
  /** Id of a built-in text, or `own`. */
  text: string;
  tokenizer: TokenizerKind;
  /** Most tokens of byte pair encoding; of no use to the others. */
  vocabulary: number;
  layers: number;
  heads: number;
  width: number;
  ffn: number;
  context: number;
  position: Position;
  norm: Norm;
  activation: Activation;
  /** Query heads that share one head of keys and values. */
  headsPerKey: number;
  normPosition: NormPosition;
  bias: boolean;
  tied: boolean;
  dropout: number;
  window: number;
  softcap: number;
  scale: number;
  qkNorm: boolean;
  ropeBase: number;
  ropeLayout: RopeLayout;
  value: Value;
  outProjection: boolean;
  uniformAttention: boolean;
  init: Init;
  batch: number;
  learningRate: number;
  steps: number;
  seed: number;
  optimizer: Optimizer;
  schedule: Schedule;
  warmup: number;
  /** What is left of the rate at the end of a schedule that falls. */
  finalShare: number;
  decayFraction: number;
  accumulation: number;
  weightDecay: number;
  beta1: number;
  beta2: number;
  momentum: number;
  clip: number;
  labelSmoothing: number;
}

type KeysOf<T> = { [K in keyof Settings]: Settings[K] extends T ? K : never }[keyof Settings];
export type NumberKey = KeysOf<number>;
export type FlagKey = KeysOf<boolean>;
export type ChoiceKey = Exclude<KeysOf<string>, 'text'>;
export type FieldKey = NumberKey | FlagKey | ChoiceKey;

export interface NumberField {
  min: number;
  max: number;
  integer: boolean;
}

const whole = (min: number, max: number): NumberField => ({ min, max, integer: true });
const real = (min: number, max: number): NumberField => ({ min, max, integer: false });
/** The package takes less than 1; what is typed is compared with an end that can be named. */
const belowOne = real(0, 0.9999);

// Upper bounds are the package's, except context and batch, where a page runs out of memory first.
export const numberFields: Record<NumberKey, NumberField> = {
  vocabulary: whole(256, 32_768),
  layers: whole(0, 256),
  heads: whole(1, 256),
  width: whole(1, 16_384),
  ffn: whole(0, 65_536),
  context: whole(1, 4096),
  headsPerKey: whole(1, 256),
  dropout: belowOne,
  window: whole(0, 4096),
  softcap: real(0, 1e6),
  scale: real(0, 1000),
  ropeBase: real(1.001, 1e9),
  batch: whole(1, 4096),
  learningRate: real(1e-8, 100),
  steps: whole(1, 10_000_000),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  warmup: whole(0, 1_000_000),
  finalShare: real(0, 1),
  decayFraction: real(0, 1),
  accumulation: whole(1, 1024),
  weightDecay: real(0, 1000),
  beta1: belowOne,
  beta2: belowOne,
  momentum: belowOne,
  clip: real(0, 1e6),
  labelSmoothing: belowOne,
};

export const choiceFields: { [K in ChoiceKey]: readonly Settings[K][] } = {
  tokenizer: ['char', 'byte', 'bpe'],
  position: ['learned', 'sinusoidal', 'rope', 'alibi', 'none'],
  norm: ['layer', 'rms', 'none'],
  activation: ['geluErf', 'geluTanh', 'relu', 'relu2', 'silu', 'swiglu', 'geglu'],
  normPosition: ['pre', 'post'],
  ropeLayout: ['halves', 'interleaved'],
  value: ['learned', 'identity'],
  init: ['gpt2', 'unit'],
  optimizer: ['adamw', 'muon', 'lion', 'sgd'],
  schedule: ['cosine', 'linear', 'wsd', 'constant'],
};

/** In the form's order; the further ones are folded away. A mask is no choice: without one every
 * token would see the answer. */
export const modelFields = [
  'layers', 'heads', 'width', 'ffn', 'context', 'position', 'norm', 'activation',
] as const satisfies readonly FieldKey[];
export const furtherModelFields = [
  'headsPerKey', 'normPosition', 'dropout', 'window', 'softcap', 'scale', 'ropeBase', 'ropeLayout',
  'value', 'init', 'qkNorm', 'bias', 'tied', 'outProjection', 'uniformAttention',
] as const satisfies readonly FieldKey[];
export const trainFields = [
  'batch', 'learningRate', 'steps', 'seed',
] as const satisfies readonly FieldKey[];
export const furtherTrainFields = [
  'optimizer', 'schedule', 'warmup', 'finalShare', 'decayFraction', 'accumulation', 'weightDecay',
  'beta1', 'beta2', 'momentum', 'clip', 'labelSmoothing',
] as const satisfies readonly FieldKey[];
export const furtherFields: readonly FieldKey[] = [...furtherModelFields, ...furtherTrainFields];
/** What a link names only where it is not the usual. */
export const unusualFields: readonly FieldKey[] = ['vocabulary', ...furtherFields];
export const allFields: readonly FieldKey[] = [
  'tokenizer', 'vocabulary', ...modelFields, ...trainFields, ...furtherFields,
];

export const isNumberKey = (key: FieldKey): key is NumberKey => key in numberFields;
export const isChoiceKey = (key: FieldKey): key is ChoiceKey => key in choiceFields;

// About 0.1 million parameters: a slow single core makes some ten steps a second of it. Rotary
// positions learn sooner than learned ones: on Moby-Dick, batch 8, the loss passes 2.5 near step
// 150 (learned positions: 390), so well inside the first minute.
export const defaultSettings: Readonly<Settings> = {
  text: 'moby-dick',
  tokenizer: 'char',
  vocabulary: 512,
  layers: 2,
  heads: 4,
  width: 64,
  ffn: 256,
  context: 64,
  position: 'rope',
  norm: 'layer',
  activation: 'geluErf',
  headsPerKey: 1,
  normPosition: 'pre',
  bias: false,
  tied: true,
  dropout: 0,
  window: 0,
  softcap: 0,
  scale: 0,
  qkNorm: false,
  ropeBase: 10_000,
  ropeLayout: 'halves',
  value: 'learned',
  outProjection: true,
  uniformAttention: false,
  init: 'gpt2',
  batch: 8,
  learningRate: 0.004,
  steps: 5000,
  seed: 1337,
  optimizer: 'adamw',
  schedule: 'cosine',
  warmup: 50,
  finalShare: 0.1,
  decayFraction: 0.2,
  accumulation: 1,
  weightDecay: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  momentum: 0.9,
  clip: 1,
  labelSmoothing: 0,
};

export function sameSettings(a: Settings, b: Settings): boolean {
  return a.text === b.text && allFields.every((key) => a[key] === b[key]);
}
