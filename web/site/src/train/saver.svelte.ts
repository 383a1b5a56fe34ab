// SPDX-License-Identifier: MIT
// Saves the run now and then, and whenever training comes to rest. Writing happens in the
// background worker; a failure is shown and training goes on.

import type { Trainer } from 'heed';
import type { Background } from '../background/client';
import { BackgroundError } from '../background/protocol';
import type { RunRecord } from '../background/protocol';
import { Pacer } from './pacer';
import type { SideTask } from './session';

export type SaveState =
  | { kind: 'none' }
  | { kind: 'saved'; step: number; at: number; bytes: number }
  | { kind: 'failed'; error: BackgroundError };

export type Snapshot = Omit<RunRecord, 'checkpoint' | 'savedAt'>;

/** The first state that is kept of a run; then whenever it is twice as long, so that its beginning can
 * be gone back to. */
const firstState = 16;

class SavePacer extends Pacer {
  readonly #stepNow: () => number;
  #kept = 0;

  constructor(stepNow: () => number) {
    super(8000, 0.03, 2000);
    this.#stepNow = stepNow;
  }

  /** There is a state of this step already. */
  begin(step: number): void {
    this.#kept = step;
  }

  override get due(): boolean {
    const step = this.#stepNow();
    // The run was reset, or another one began.
    if (step < this.#kept) this.#kept = 0;
    return super.due || step >= Math.max(firstState, 2 * this.#kept);
  }

  override run(work: () => Promise<void>): Promise<void> {
    this.#kept = this.#stepNow();
    return super.run(work);
  }
}

export class Saver implements SideTask {
  state: SaveState = $state.raw({ kind: 'none' });
  readonly pacer: SavePacer;
  readonly #background: Background;
  readonly #snapshot: () => Snapshot;
  readonly #saved: () => void;
  #writing: Promise<void> | undefined;
  #askedToPersist = false;

  /** `saved` is called whenever storage has changed. */
  constructor(
    background: Background,
    snapshot: () => Snapshot,
    stepNow: () => number,
    saved: () => void,
  ) {
    this.#background = background;
    this.#snapshot = snapshot;
    this.pacer = new SavePacer(stepNow);
    this.#saved = saved;
  }

  /** A run begins, or goes on from a saved state of `step` steps. */
  begin(step: number): void {
    this.state = { kind: 'none' };
    this.pacer.begin(step);
  }

  /** Settles when nothing is being written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async record(trainer: Trainer): Promise<RunRecord> {
    const checkpoint = (await trainer.save()) as Uint8Array<ArrayBuffer>;
    return { ...this.#snapshot(), savedAt: Date.now(), checkpoint };
  }

  async run(trainer: Trainer): Promise<void> {
    if (trainer.step === 0) return;
    // One write at a time; steps go on while it is written.
    await this.#writing;
    const record = await this.record(trainer);
    this.#writing = this.#write(record).finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(record: RunRecord): Promise<void> {
    const { step } = record;
    try {
      const { savedAt, bytes } = await this.#background.ask(
        { kind: 'save', record }, { transfer: [record.checkpoint.buffer] },
      );
      this.state = { kind: 'saved', step, at: savedAt, bytes };
      this.#persist();
      this.#saved();
    } catch (error) {
      if (!(error instanceof BackgroundError)) throw error;
      this.state = { kind: 'failed', error };
    }
  }

  /** Asks the browser not to evict what was saved; it may say no, and then it is best effort. */
  #persist(): void {
    if (this.#askedToPersist) return;
    this.#askedToPersist = true;
    void navigator.storage?.persist?.().catch(() => false);
  }
}
