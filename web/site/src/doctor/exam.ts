// SPDX-License-Identifier: MIT
// What the doctor measures between two steps: of the layers, of every head, of what a step does to its
// own batch. Everything is the engine's; nothing changes.

import type { Example, GroupNorms, Trace, Trainer } from 'heed';

export interface LayerLook {
  /** Norm of the layer's gradient over that of its weights: how strongly the loss pulls; NaN: all frozen. */
  pull: number;
  /** Norm of the layer's gradient. */
  gradient: number;
  /**
   * Norm of the gradients of W_Q and W_K together over that of W_V: how much the loss says about where
   * to look beside what to take. NaN where it has no say, since attention is uniform or they are frozen.
   */
  steering: number;
}

export interface HeadLook {
  /** What the head writes, over the stream it writes into (Frobenius norms). */
  written: number;
  /** Mean over rows of the largest weight; rows that see fewer than four columns left out. */
  peak: number;
  /** Norm of the loss's gradient at the scores over that at the weights: what softmax lets through. */
  passed: number;
}

export interface Look {
  step: number;
  layers: LayerLook[];
  /** By layer and head; empty for models that are too large to be traced in passing. */
  heads: HeadLook[][];
  /** Of one step: the loss of its own batch (`rows` of it) before and after it, without dropout. */
  own?: { before: number; after: number; rows: number; of: number };
}

/** A trace has a copy of the weights and of their gradients: 32 MB at this size. */
const mostTraced = 4_000_000;
/** Longer examples cost their square. */
const longestTraced = 128;
/** Rows of a batch that stand for it. */
const mostRows = 32;

/** The norms of one layer's groups together; what is frozen tells nothing. */
function layersOf(groups: readonly GroupNorms[], frozen: ReadonlySet<string>): LayerLook[] {
  const sums: Record<'gradient' | 'weights' | 'scores' | 'value', number>[] = [];
  for (const { name, gradient, weights } of groups) {
    const [, layer, group] = /^layers\.(\d+)\.(\w+)$/.exec(name) ?? [];
    // Norm weights stand at 1 whatever happens, so they would hide what the matrices do.
    if (layer === undefined || group === 'norms') continue;
    const sum = (sums[Number(layer)] ??= {
      gradient: 0, weights: 0, scores: Number.NaN, value: Number.NaN,
    });
    if (frozen.has(name)) continue;
    sum.gradient += gradient ** 2;
    sum.weights += weights ** 2;
    if (group === 'query' || group === 'key') sum.scores = (sum.scores || 0) + gradient ** 2;
    if (group === 'value') sum.value = gradient ** 2;
  }
  return sums.map(({ gradient, weights, scores, value }) => ({
    gradient: Math.sqrt(gradient),
    pull: weights === 0 ? Number.NaN : Math.sqrt(gradient / weights),
    steering: value === 0 ? Number.NaN : Math.sqrt(scores / value),
  }));
}

const norm = (values: Float32Array): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

/** `seen`: how many columns a row sees. */
function headOf(trace: Trace, layer: number, head: number, seen: (row: number) => number): HeadLook {
  const at = `L${layer}.H${head}`;
  const values = (name: string): Float32Array => trace.matrix(name).values;
  const weights = values(`${at}.A`);
  let peaks = 0;
  let rows = 0;
  for (let i = 0; i < trace.time; ++i) {
    if (seen(i) < 4) continue;
    const row = weights.subarray(i * trace.time, (i + 1) * trace.time);
    peaks += row.reduce((most, weight) => Math.max(most, weight), 0);
    rows += 1;
  }
  const stream = norm(values(`L${layer}.R`));
  const atWeights = norm(values(`${at}.dA`));
  const hasScores = trace.names().includes(`${at}.dS`);
  return {
    written: stream === 0 ? 0 : norm(values(`${at}.O`)) / stream,
    peak: rows === 0 ? 0 : peaks / rows,
    passed: !hasScores || atWeights === 0 ? 1 : norm(values(`${at}.dS`)) / atWeights,
  };
}

async function headsOf(trainer: Trainer): Promise<HeadLook[][]> {
  const { model } = trainer;
  if (model.config.layers === 0 || model.parameters > mostTraced) return [];
  const { tokens, targets } = await trainer.example(0, 'train');
  const trace = await model.trace(
    tokens.subarray(0, longestTraced), targets.subarray(0, longestTraced));
  const { mask, window } = model.config;
  const seen = (row: number): number =>
    Math.min(mask === 'causal' ? row + 1 : trace.time, window > 0 ? window : Number.POSITIVE_INFINITY);
  try {
    return Array.from({ length: trace.layers }, (_, layer) =>
      Array.from({ length: trace.heads }, (__, head) => headOf(trace, layer, head, seen)));
  } finally {
    trace.dispose();
  }
}

/** Two looks in a row, one step between them, tell what that step did to its own batch. */
export class Examiner {
  #batch: { step: number; rows: Example[]; of: number; before: number } | undefined;

  begin(): void {
    this.#batch = undefined;
  }

  /** Before a step; `after` completes the look right behind it. */
  async before(trainer: Trainer): Promise<void> {
    const batch = await trainer.batch();
    const rows = batch.slice(0, mostRows);
    const { loss } = await trainer.model.batchLoss(rows);
    this.#batch = { step: trainer.step, rows, of: batch.length, before: loss };
  }

  async after(trainer: Trainer): Promise<Look> {
    const batch = this.#batch;
    this.#batch = undefined;
    const frozen = new Set(
      (await trainer.groups()).flatMap(({ name, frozen: still }) => (still ? [name] : [])));
    const look: Look = {
      step: trainer.step,
      layers: layersOf(await trainer.norms(), frozen),
      heads: await headsOf(trainer),
    };
    if (batch?.step !== trainer.step - 1) return look;
    const { loss } = await trainer.model.batchLoss(batch.rows);
    return { ...look, own: { before: batch.before, after: loss, rows: batch.rows.length, of: batch.of } };
  }
}
