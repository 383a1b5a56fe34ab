// SPDX-License-Identifier: MIT
// What a command prints: a line that renews itself for people, or one JSON object a line.

import type { StepMetrics } from '../api.js';

const barWidth = 24;
/** Milliseconds between two pictures of the bar; below this a terminal only flickers. */
const redrawMs = 100;

export interface Output {
  event(event: string, fields: Record<string, unknown>): void;
  note(text: string): void;
  progress(metrics: StepMetrics, from: number, until: number): void;
}

export function jsonOutput(stream: NodeJS.WritableStream, every: number): Output {
  const write = (event: string, fields: Record<string, unknown>) => {
    stream.write(`${JSON.stringify({ event, ...fields })}\n`);
  };
  return {
    event: write,
    note: (text) => write('note', { text }),
    progress(metrics, _from, until) {
      if (metrics.step % every === 0 || metrics.step === until) {
        write('step', { ...metrics });
      }
    },
  };
}

export function terminalOutput(stream: NodeJS.WriteStream): Output {
  const start = performance.now();
  let drawn = -Infinity;
  let open = false;
  const line = (text: string) => {
    stream.write(open ? `\n${text}\n` : `${text}\n`);
    open = false;
  };
  return {
    event(event, fields) {
      const parts = Object.entries(fields)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([key, value]) => `${key} ${shown(value)}`);
      line(`${event}: ${parts.join(', ')}`);
    },
    note: line,
    progress(metrics, from, until) {
      const now = performance.now();
      const last = metrics.step === until;
      // Not a terminal: a line every 5 seconds instead of a bar.
      const pause = stream.isTTY ? redrawMs : 5000;
      if (!last && now - drawn < pause) {
        return;
      }
      drawn = now;
      const done = metrics.step - from;
      const secondsLeft = (((now - start) / 1000) * (until - metrics.step)) / Math.max(done, 1);
      const filled = Math.round((barWidth * metrics.step) / until);
      const text =
        `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` +
        `step ${metrics.step}/${until}  loss ${metrics.loss.toFixed(4)}  ` +
        `${Math.round(metrics.tokensPerSecond)} tokens/s  ${clock(secondsLeft)} left`;
      if (stream.isTTY) {
        stream.write(`\r${text}\u001b[K`);
        open = true;
      } else {
        line(text);
      }
    },
  };
}

export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const padded = (value: number) => String(value).padStart(2, '0');
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(rest)}`
    : `${minutes}:${padded(rest)}`;
}

function shown(value: unknown): string {
  const fraction = typeof value === 'number' && !Number.isInteger(value);
  return String(fraction ? Number(value.toPrecision(5)) : value);
}
