// SPDX-License-Identifier: MIT
// The form as it is being filled in: what is typed, the text chosen, and what it would cost.
// Nothing here touches the run until the reader starts it.

import type { Engine, Forecast } from 'heed';
import type { Background } from '../background/client';
import type { PreparedText, TextSource } from '../background/protocol';
import { BackgroundError } from '../background/protocol';
import { failureInWords } from './failures';
import { allFields, defaultSettings, sameSettings } from './fields';
import type { FieldKey, Settings, TokenizerKind } from './fields';
import { check, typedFrom } from './checks';
import type { Checked, Typed } from './checks';
import { modelOptions, trainOptions } from './options';
import { builtInTexts, isBuiltIn } from './texts';

/** Typing pauses this long before the engine is asked for a forecast. */
const settleMs = 150;

export class Draft {
  typed: Typed = $state(typedFrom(defaultSettings));
  text = $state('');
  /** The text as tokens, once read. */
  prepared: PreparedText | undefined = $state.raw();
  reading = $state(false);
  textProblem: string | undefined = $state();
  /** The refused text is only too long: its beginning can be used. */
  canCut = $state(false);
  forecast: Forecast | undefined = $state.raw();
  /** The forecast of the run in progress, made while the form still showed it. */
  ofRun: Forecast | undefined = $state.raw();
  /** What the engine says against the whole of it. */
  forecastProblem: string | undefined = $state();
  checked: Checked = $derived(check(this.text, this.typed, this.prepared?.tokens.length));
  readonly #background: Background;
  readonly #engine: () => Promise<Engine>;
  #source: TextSource | undefined;
  #reading = 0;
  #forecasting = 0;
  #touched = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(background: Background, engine: () => Promise<Engine>) {
    this.#background = background;
    this.#engine = engine;
  }

  /** Shows a run's settings, with the text it already has. */
  show(settings: Settings, prepared: PreparedText): void {
    this.#touched = false;
    this.ofRun = undefined;
    this.typed = typedFrom(settings);
    this.text = settings.text;
    this.prepared = prepared;
    this.textProblem = undefined;
    this.canCut = false;
    this.#reading += 1;
    this.reading = false;
    if (settings.text === 'own' && prepared.hash !== undefined) {
      this.#source = { from: 'kept', hash: prepared.hash };
    }
    this.changed();
  }

  type(key: FieldKey, value: string): void {
    this.#touched = true;
    this.typed[key] = value;
    if (key === 'tokenizer') void this.#read(false);
    else this.changed();
  }

  chooseBuiltIn(id: string): void {
    this.text = id;
    void this.#read(false);
  }

  /** Shows the box for a text of one's own; nothing is read before there is one. */
  chooseOwn(): void {
    this.text = 'own';
    if (this.#source !== undefined) {
      void this.#read(false);
      return;
    }
    this.#reading += 1;
    this.reading = false;
    this.prepared = undefined;
    this.forecast = undefined;
    this.textProblem = undefined;
    this.canCut = false;
  }

  giveOwn(source: TextSource): void {
    this.text = 'own';
    this.#source = source;
    void this.#read(false);
  }

  cutOwn(): void {
    void this.#read(true);
  }

  async #read(cut: boolean): Promise<void> {
    this.#touched = true;
    const source: TextSource | undefined = isBuiltIn(this.text)
      ? { from: 'url', url: builtInTexts[this.text].url }
      : this.#source;
    if (source === undefined) return;
    const reading = ++this.#reading;
    this.reading = true;
    this.prepared = undefined;
    this.forecast = undefined;
    this.textProblem = undefined;
    this.canCut = false;
    const tokenizer = this.typed.tokenizer as TokenizerKind;
    try {
      const prepared = await this.#background.ask({ kind: 'prepare', source, tokenizer, cut });
      if (reading !== this.#reading) return;
      this.prepared = prepared;
    } catch (error) {
      if (reading !== this.#reading) return;
      this.textProblem = failureInWords(error);
      this.canCut = error instanceof BackgroundError && error.code === 'text-too-large';
    }
    this.reading = false;
    this.changed();
  }

  /** Something that the forecast depends on is different now. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), settleMs);
  }

  async #ask(): Promise<void> {
    const asking = ++this.#forecasting;
    const { settings } = this.checked;
    const vocab = this.prepared?.vocab;
    this.forecastProblem = undefined;
    if (settings === undefined || vocab === undefined) {
      this.forecast = undefined;
      return;
    }
    try {
      const engine = await this.#engine();
      const forecast = await engine.forecast(
        modelOptions(settings, vocab), trainOptions(settings),
      );
      if (asking !== this.#forecasting) return;
      this.forecast = forecast;
      if (!this.#touched) this.ofRun = forecast;
    } catch (error) {
      if (asking !== this.#forecasting) return;
      this.forecast = undefined;
      this.forecastProblem = failureInWords(error);
    }
  }

  /** Whether the run in progress could go on under what the form says. */
  continues(settings: Settings, hash: string | undefined, step: number): boolean {
    const now = this.checked.settings;
    if (now === undefined || now.steps <= step) return false;
    const same = { ...now, learningRate: settings.learningRate, steps: settings.steps };
    return this.differsFrom(settings, hash) && sameSettings(same, settings)
      && (this.text !== 'own' || this.prepared?.hash === hash);
  }

  /** Whether the form says something else than the run in progress. */
  differsFrom(settings: Settings, hash: string | undefined): boolean {
    return this.text !== settings.text
      || (this.text === 'own' && this.prepared?.hash !== hash)
      || allFields.some((key) => this.typed[key] !== String(settings[key]));
  }
}
