// SPDX-License-Identifier: MIT
// What this machine does in a second, for the forecast of time. Measured while training and kept
// between visits; before the first measurement a cautious guess.

import type { Forecast } from 'heed';

const key = 'heed-flops-per-second';

/** A slow laptop's single core; better a forecast that turns out too long than too short. */
const guess = 4e9;

export interface Speed {
  flopsPerSecond: number;
  measured: boolean;
}

export function knownSpeed(): Speed {
  const stored = Number(readStored());
  return stored > 0
    ? { flopsPerSecond: stored, measured: true }
    : { flopsPerSecond: guess, measured: false };
}

/** Operations a second of a run in progress. */
export function speedOf(
  tokensPerSecond: number | undefined,
  forecast: Forecast | undefined,
): number | undefined {
  return tokensPerSecond === undefined || forecast === undefined
    ? undefined
    : (tokensPerSecond * forecast.flopsPerStep) / forecast.tokensPerStep;
}

export function rememberSpeed(flopsPerSecond: number): void {
  if (!Number.isFinite(flopsPerSecond) || flopsPerSecond <= 0) return;
  try {
    localStorage.setItem(key, String(Math.round(flopsPerSecond)));
  } catch {
    // Storage may be forbidden; the forecast then says that it is a guess.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
