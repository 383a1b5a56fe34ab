// SPDX-License-Identifier: MIT
// The inspect room: one state of one run, one prompt, and the trace that all panels read.

import type { Trace } from 'heed';
import { Background } from '../background/client';
import type { RunInfo } from '../background/protocol';
import type { Selection, SelectionStore } from '../figures/contracts';
import { createLights, createSelection } from '../figures/selection';
import type { EngineHost } from '../shell/engine-host.svelte';
import { t } from '../text';
import { failureInWords } from '../train/failures';
import { tabRun } from '../train/tab';
import { addressFrom, addressOf } from './address';
import type { InspectAddress } from './address';
import { States } from './states';
import type { LoadedState } from './states';
import { promptOf } from './tokens';
import type { Prompt } from './tokens';

export interface View {
  /** Names this trace: no two have the same. */
  key: string;
  /** Names state and prompt: what is equal has equal numbers. */
  about: string;
  state: LoadedState;
  prompt: Prompt;
  trace: Trace;
}

export type Phase = 'opening' | 'empty' | 'ready' | 'broken';

export class InspectRoom {
  phase: Phase = $state('opening');
  runs: RunInfo[] = $state.raw([]);
  run: RunInfo | undefined = $state.raw();
  step = $state(0);
  prompt = $state('');
  /** The second prompt, whose activations are put into the first one's pass. */
  other = $state('');
  view: View | undefined = $state.raw();
  problem: string | undefined = $state();
  /** What else the reader has to know: another run is shown than was asked for. */
  notice: string | undefined = $state();
  promptProblem: string | undefined = $state();
  busy = $state(false);
  /** What the page's live region says. */
  spoken = $state('');
  at: Readonly<Selection> = $state.raw(createSelection().current);
  readonly selection: SelectionStore;
  readonly lights = createLights();
  readonly states: States;
  readonly host: EngineHost;
  readonly #background = new Background();
  readonly #wanted: InspectAddress;
  #loading: Promise<void> | undefined;
  #again = false;
  #traces = 0;
  /** The prompt is the reader's, or was taken from the run already. */
  #written = false;

  constructor(host: EngineHost, search: string) {
    this.host = host;
    this.#wanted = addressFrom(search);
    this.states = new States(this.#background, () => host.start());
    // Without a row, the last one that can be judged.
    const { layer, head, i = Number.MAX_SAFE_INTEGER, j = 0 } = this.#wanted;
    this.selection = createSelection({ layer, head, i, j });
    this.at = this.selection.current;
    this.selection.subscribe((selection) => {
      this.at = selection;
      this.#link();
    });
  }

  async open(): Promise<void> {
    try {
      await this.refresh();
      const wanted = this.#wanted.run ?? tabRun();
      const run = this.runs.find(({ id }) => id === wanted) ?? this.runs[0];
      if (run === undefined) {
        this.phase = 'empty';
        return;
      }
      if (wanted !== undefined && run.id !== wanted) {
        this.notice = this.#wanted.run === undefined ? t.inspect.runNotKept : t.inspect.runElsewhere;
      }
      this.#written = this.#wanted.prompt !== undefined;
      this.prompt = this.#wanted.prompt ?? '';
      this.other = this.#wanted.other ?? '';
      this.choose(run, this.#wanted.step);
    } catch (error) {
      this.problem = failureInWords(error);
      this.phase = 'broken';
    }
  }

  /** Another tab may have trained on. */
  async refresh(): Promise<void> {
    const { runs } = await this.#background.ask({ kind: 'runs' });
    this.runs = runs.filter(({ saves }) => saves.length > 0);
    if (this.run === undefined) return;
    const same = this.runs.find(({ id }) => id === this.run?.id);
    if (same !== undefined) {
      this.run = same;
      return;
    }
    // Deleted in another tab.
    this.notice = t.inspect.runGone;
    if (this.runs[0] !== undefined) this.choose(this.runs[0]);
  }

  /** A run, at a saved step: the last one up to `step`, the newest without. */
  choose(run: RunInfo, step = Number.POSITIVE_INFINITY): void {
    const other = this.run !== undefined && this.run.id !== run.id;
    this.run = run;
    if (other) {
      this.#written = false;
      this.prompt = '';
      this.other = '';
    }
    this.goTo(step);
  }

  goTo(step: number): void {
    const saves = this.run?.saves ?? [];
    this.step = (saves.filter((save) => save.step <= step).at(-1) ?? saves[0])?.step ?? 0;
    this.#load();
  }

  /** So many kept states later, or earlier. */
  move(by: number): void {
    const saves = this.run?.saves ?? [];
    const place = saves.findIndex(({ step }) => step === this.step) + by;
    const save = saves[Math.max(0, Math.min(saves.length - 1, place))];
    if (save !== undefined && save.step !== this.step) this.goTo(save.step);
  }

  write(prompt: string): void {
    this.#written = true;
    this.prompt = prompt;
    this.#load();
  }

  writeOther(prompt: string): void {
    this.other = prompt;
    this.#link();
  }

  async take(file: Blob): Promise<void> {
    this.problem = undefined;
    try {
      const run = await this.#background.ask({ kind: 'import', file });
      await this.refresh();
      this.choose(run);
    } catch (error) {
      this.problem = failureInWords(error);
    }
  }

  /** The newest wish is loaded; those overtaken meanwhile are not. */
  #load(): void {
    this.#link();
    this.#again = true;
    this.#loading ??= this.#loadAll().finally(() => (this.#loading = undefined));
  }

  async #loadAll(): Promise<void> {
    this.busy = true;
    while (this.#again) {
      this.#again = false;
      await this.#loadOne();
    }
    this.busy = false;
  }

  async #loadOne(): Promise<void> {
    const { run, step } = this;
    if (run === undefined) return;
    let state: LoadedState;
    try {
      state = await this.states.get(run, step);
      this.problem = undefined;
    } catch (error) {
      this.problem = failureInWords(error);
      if (this.view === undefined) this.phase = 'broken';
      return;
    }
    // Left meanwhile for another run or state, which is loaded next.
    if (this.#again) return;
    if (!this.#written) {
      this.#written = true;
      this.prompt = state.probe;
      this.#link();
    }
    try {
      const text = this.prompt;
      const prompt = promptOf(text, state.tokenizer, state.model);
      if (prompt.ids.length === 0) throw new RangeError(t.attention.emptyProbe);
      const trace = await state.model.trace(prompt.ids, prompt.targets);
      const last = this.view;
      const about = `${run.id}/${state.step}/${text}`;
      this.view = { key: `${this.#traces++}`, about, state, prompt, trace };
      this.states.held = state.key;
      this.promptProblem = undefined;
      this.phase = 'ready';
      this.#keepInside();
      last?.trace.dispose();
    } catch (error) {
      this.promptProblem = error instanceof RangeError ? error.message : failureInWords(error);
      this.phase = 'ready';
    }
  }

  /** Another model or prompt may have fewer layers, heads, tokens. */
  #keepInside(): void {
    const { view } = this;
    if (view === undefined) return;
    const { trace } = view;
    const within = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1));
    const { layer, head, i, j } = this.selection.current;
    // Of the last row nothing is known to follow, so nothing that it does can be judged.
    const lastJudged = Math.max(0, trace.time - 2);
    const inside = {
      layer: within(layer, trace.layers), head: within(head, trace.heads),
      i: i < trace.time ? i : lastJudged, j: within(j, trace.time),
    };
    if (inside.layer !== layer || inside.head !== head || inside.i !== i || inside.j !== j) {
      this.selection.release();
      this.selection.move(inside);
    }
  }

  #link(): void {
    if (this.run === undefined) return;
    const { layer, head, i, j } = this.selection.current;
    history.replaceState(null, '', addressOf({
      run: this.run.id, step: this.step, prompt: this.prompt, other: this.other, layer, head,
      ...(this.view === undefined ? {} : { i, j }),
    }, location.search) + location.hash);
  }
}
