// SPDX-License-Identifier: MIT
// Vectors of many channels seen along two named directions: the first is given, the second is where
// most of what is left of them points. How much of their length the view keeps is part of it.

import type { Point } from './stage';

export type Vector = ArrayLike<number>;

const product = (a: Vector, b: Vector): number => {
  let sum = 0;
  for (let c = 0; c < a.length; ++c) sum += a[c]! * b[c]!;
  return sum;
};

export const length = (vector: Vector): number => Math.sqrt(product(vector, vector));
export const dotProduct = product;

const scaled = (vector: Vector, by: number): number[] =>
  Array.from({ length: vector.length }, (_, c) => vector[c]! * by);

const without = (vector: Vector, unit: Vector): number[] => {
  const along = product(vector, unit);
  return Array.from({ length: vector.length }, (_, c) => vector[c]! - along * unit[c]!);
};

/** Unit vector, or the first channel when there is no direction to take. */
function unitOf(vector: Vector): number[] {
  const size = length(vector);
  return size > 0 ? scaled(vector, 1 / size)
    : Array.from({ length: vector.length }, (_, c) => (c === 0 ? 1 : 0));
}

/** Direction of most of the squared length, by power iteration from the longest vector. */
function mainDirection(vectors: readonly Vector[]): number[] {
  const longest = vectors.reduce((a, b) => (length(b) > length(a) ? b : a));
  let direction = unitOf(longest);
  // 60 rounds settle the picture: what is left of a second direction half as strong is 2^-120.
  for (let round = 0; round < 60; ++round) {
    const next = new Array<number>(direction.length).fill(0);
    for (const vector of vectors) {
      const along = product(vector, direction);
      for (let c = 0; c < next.length; ++c) next[c]! += along * vector[c]!;
    }
    if (length(next) === 0) break;
    direction = unitOf(next);
  }
  return direction;
}

export interface TwoAxes {
  across: readonly number[];
  up: readonly number[];
  /** Sum of lengths in the view over sum of lengths; 1 keeps all. */
  kept: number;
  project(vector: Vector): Point;
}

/** `before`: the second axis of the last drawing, whose sign is kept so that nothing flips over. */
export function twoAxes(
  first: Vector, vectors: readonly Vector[], before?: readonly number[],
): TwoAxes {
  const across = unitOf(first);
  const rest = vectors.map((vector) => without(vector, across));
  let up = unitOf(without(mainDirection(rest), across));
  if (before?.length === up.length && product(before, up) < 0) up = scaled(up, -1);
  const project = (vector: Vector): Point => ({ x: product(vector, across), y: product(vector, up) });
  const whole = vectors.reduce((sum, vector) => sum + length(vector), 0);
  const seen = vectors.reduce((sum, vector) => {
    const { x, y } = project(vector);
    return sum + Math.hypot(x, y);
  }, 0);
  return { across, up, kept: whole > 0 ? seen / whole : 1, project };
}

/** Maps points of a view into a box in px, the same scale both ways, y upwards. */
export function fitPoints(
  points: readonly Point[], width: number, height: number, margin: { x: number; y: number },
): { at(point: Point): Point; scale: number } {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (width - 2 * margin.x) / Math.max(right - left, 1e-12),
    (height - 2 * margin.y) / Math.max(high - low, 1e-12),
    // A single point needs some scale.
    1e9,
  );
  const [midX, midY] = [(left + right) / 2, (low + high) / 2];
  return {
    scale,
    at: ({ x, y }) => ({
      x: width / 2 + (x - midX) * scale, y: height / 2 - (y - midY) * scale,
    }),
  };
}
