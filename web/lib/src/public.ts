// SPDX-License-Identifier: MIT
// Everything the package exports in any runtime, beside createEngine.

export type * from './api.js';
export type * from './api-explain.js';
export type * from './api-inspect.js';
export type * from './api-train.js';
export { HeedError, type ErrorCode } from './errors.js';
export {
  headScores,
  repeatedTokens,
  type HeadScores,
  type HeadScoresOptions,
  type RepeatedTokensOptions,
} from './head-scores.js';
export { modelDefaults, trainDefaults } from './options.js';
export { describeTask } from './tasks.js';
export { presets, type Preset, type PresetName } from './presets.js';
export { taskPresets, type TaskPreset } from './task-presets.js';
export { BpeTokenizer, type BpeTrainOptions } from './tokenizers/bpe.js';
export { ByteTokenizer } from './tokenizers/byte.js';
export { CharTokenizer } from './tokenizers/char.js';
export {
  tokenizerFromJSON,
  tokenizerFromMetadata,
  tokenizerMetadata,
} from './tokenizers/restore.js';
export type { StreamDecoder } from './tokenizers/tokenizer.js';
