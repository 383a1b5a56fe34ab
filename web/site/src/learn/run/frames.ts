// SPDX-License-Identifier: MIT
// The traces that the page shows: of now, of the step before, of the first step. A trace that is
// shown no more is freed only after the page has drawn without it.

import type { Trace } from 'heed';

/** One example's numbers with the weights after `step`. */
export interface Frame {
  readonly step: number;
  readonly trace: Trace;
}

export class Frames {
  #shown: Frame | undefined;
  #before: Frame | undefined;
  #origin: Frame | undefined;
  #retired: Frame[] = [];

  get shown(): Frame | undefined {
    return this.#shown;
  }

  /** Exactly one step before the one shown, where that was looked at. */
  get before(): Frame | undefined {
    return this.#before;
  }

  /** Step 0. */
  get origin(): Frame | undefined {
    return this.#origin;
  }

  show(frame: Frame): void {
    const last = this.#shown;
    if (last !== undefined && frame.step === last.step + 1) this.#setBefore(last);
    else {
      if (last !== undefined) this.#retire(last);
      if (this.#before?.step !== frame.step - 1) this.#setBefore(undefined);
    }
    this.#shown = frame;
  }

  setBefore(frame: Frame): void {
    this.#setBefore(frame);
  }

  setOrigin(frame: Frame): void {
    if (this.#origin !== undefined) this.#retire(this.#origin);
    this.#origin = frame;
  }

  /** Another example or another run: none of them mean anything any more. */
  clear(): void {
    for (const frame of [this.#shown, this.#before, this.#origin]) {
      if (frame !== undefined) this.#retire(frame);
    }
    this.#shown = undefined;
    this.#before = undefined;
    this.#origin = undefined;
  }

  /** Called after drawing. */
  sweep(): void {
    for (const { trace } of this.#retired.splice(0)) trace.dispose();
  }

  #setBefore(frame: Frame | undefined): void {
    if (this.#before !== undefined && this.#before !== frame) this.#retire(this.#before);
    this.#before = frame;
  }

  #retire(frame: Frame): void {
    this.#retired.push(frame);
  }
}
