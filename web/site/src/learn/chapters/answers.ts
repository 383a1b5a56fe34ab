// SPDX-License-Identifier: MIT
// Which two answers are held against each other, and which way in a head's mixture speaks for the
// first of them.

import type { Trace } from 'heed';

/** The right answer at `row` (the likeliest where none is asked for) and its likeliest rival. */
export function pickAnswers(
  trace: Trace,
  row: number,
  target: number,
): { answer: number; rival: number } {
  const { columns, values } = trace.matrix('probs');
  const probs = values.subarray(row * columns, (row + 1) * columns);
  const likeliest = (except: number): number => {
    let best = except === 0 ? 1 : 0;
    probs.forEach((p, id) => {
      if (id !== except && p > probs[best]!) best = id;
    });
    return best;
  };
  const answer = target >= 0 ? target : likeliest(-1);
  return { answer, rival: likeliest(answer) };
}

/**
 * Direction of head `head`'s mixture (D) that raises logit `answer` over logit `rival`: the
 * difference of their output rows, taken back through W_O. Layers above and the final norm are left
 * out, which a view's axis may do; numbers never come from it.
 */
export function answerDirection(
  trace: Trace,
  layer: number,
  head: number,
  answer: number,
  rival: number,
): Float64Array {
  const names = new Set(trace.names());
  const out = trace.matrix(names.has('head.weight') ? 'head.weight' : 'embed.weight');
  const width = out.columns;
  const difference = Float64Array.from({ length: width }, (_, c) =>
    out.values[answer * width + c]! - out.values[rival * width + c]!);
  const scope = `L${layer}.H${head}`;
  const { columns: headWidth } = trace.matrix(`${scope}.C`);
  if (!names.has(`${scope}.W_O`)) {
    return difference.slice(head * headWidth, (head + 1) * headWidth);
  }
  const project = trace.matrix(`${scope}.W_O`);
  return Float64Array.from({ length: headWidth }, (_, d) => {
    let sum = 0;
    for (let c = 0; c < width; ++c) sum += project.values[d * width + c]! * difference[c]!;
    return sum;
  });
}
