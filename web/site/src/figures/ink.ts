// SPDX-License-Identifier: MIT
// Attention weights as ink: paper at 0, full ink at 1, the same scale in every map at every step.

import type { AttentionMaps } from 'heed';
import type { Rgb } from '../shell/theme.svelte';

export const weightIndex = (
  { heads, time }: AttentionMaps, layer: number, head: number, i: number, j: number,
): number => ((layer * heads + head) * time + i) * time + j;

/** One pixel a cell; the canvas is scaled up without smoothing. */
export function paintWeights(
  canvas: HTMLCanvasElement,
  maps: AttentionMaps,
  layer: number,
  head: number,
  paper: Rgb,
  ink: Rgb,
): void {
  const { time, weights } = maps;
  if (canvas.width !== time || canvas.height !== time) {
    canvas.width = time;
    canvas.height = time;
  }
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(time, time);
  const start = weightIndex(maps, layer, head, 0, 0);
  for (let cell = 0; cell < time * time; ++cell) {
    const weight = weights[start + cell]!;
    for (let channel = 0; channel < 3; ++channel) {
      const from = paper[channel]!;
      image.data[4 * cell + channel] = Math.round(from + (ink[channel]! - from) * weight);
    }
    image.data[4 * cell + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
