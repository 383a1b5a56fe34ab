// SPDX-License-Identifier: MIT
// Which edges of attention spoke for a token directly (what they do through later layers is not theirs
// here): parts of the difference between its logit and that of
// the next likeliest one, from every layer.

import type { LoadedState } from './states';

export interface Edge {
  layer: number;
  head: number;
  column: number;
  value: number;
}

export interface SpokenFor {
  token: number;
  rival: number;
  difference: number;
  /** The strongest, either way. */
  edges: Edge[];
  texts: string[];
  row: number;
  /** The embedding, the feed-forward layers, and weaker edges with the biases. */
  rest: { embedding: number; feedForward: number; weaker: number };
}

const shownEdges = 10;

/** `tokens`: all before the token. Refused for post-norm models, as `Trace.logitParts` says. */
export async function spokenFor(
  { model, tokenizer }: LoadedState,
  tokens: Int32Array,
  token: number,
): Promise<SpokenFor> {
  const read = tokens.slice(-model.config.context);
  const targets = new Int32Array(read.length).fill(-1);
  const trace = await model.trace(read, targets, { gradients: false });
  try {
    const row = read.length - 1;
    const { columns, values } = trace.matrix('logits');
    const logits = values.subarray(row * columns, (row + 1) * columns);
    let rival = token === 0 ? 1 : 0;
    for (let id = 0; id < columns; ++id) {
      if (id !== token && logits[id]! > logits[rival]!) rival = id;
    }
    const edges: Edge[] = [];
    let difference = logits[token]! - logits[rival]!;
    let rest = { embedding: 0, feedForward: 0, weaker: 0 };
    for (let layer = 0; layer < trace.layers; ++layer) {
      const parts = await trace.logitParts(layer, row, token, rival);
      difference = parts.difference;
      rest = {
        embedding: parts.embedding, feedForward: parts.feedForward.reduce((sum, one) => sum + one, 0),
        weaker: 0,
      };
      for (let head = 0; head < trace.heads; ++head) {
        for (let column = 0; column <= row; ++column) {
          const value = parts.edges[head * trace.time + column]!;
          edges.push({ layer, head, column, value });
        }
      }
    }
    edges.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = edges.slice(0, shownEdges);
    const named = shown.reduce((sum, { value }) => sum + value, rest.embedding + rest.feedForward);
    rest = { ...rest, weaker: difference - named };
    const texts = Array.from(read, (id) => tokenizer.token(id));
    return { token, rival, difference, edges: shown, texts, row, rest };
  } finally {
    trace.dispose();
  }
}
