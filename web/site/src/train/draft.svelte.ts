// SPDX-License-Identifier: MIT
// The form as it is being filled in: what is typed, the text chosen, and what it would cost.
// Nothing here touches the run until the reader starts it.

import type { Engine, Forecast } from 'heed';
import type { Background } from '../background/client';
import type { PrepareRequest, PreparedText, Progress, TextSource } from '../background/protocol';
import { BackgroundError } from '../background/protocol';
import { failureInWords } from './failures';
import { changeBetween } from './changes';
import { allFields, defaultSettings } from './fields';
import type { FieldKey, Settings, TokenizerKind } from './fields';
import { check, typedFrom, vocabularyOf } from './checks';
import type { Checked, Typed } from './checks';
import { modelOptions, trainOptions } from './options';
import { prepareTask, taskOf, usualSettings } from './task-data';
import { builtInTexts, isBuiltIn } from './texts';

/** Typing pauses this long before the engine is asked for a forecast. */
const settleMs = 150;
/** A vocabulary that is being typed is not learnt digit by digit. */
const typingMs = 500;

/** How a text is to be read, where it can be read in several ways. */
export type ReadAs = Partial<Pick<PrepareRequest, 'cut' | 'column' | 'encoding'>>;

/** What the form said. */
interface Said {
  typed: Typed;
  text: string;
  as: ReadAs;
  prepared: PreparedText | undefined;
  source: TextSource | undefined;
}

export class Draft {
  typed: Typed = $state(typedFrom(defaultSettings));
  text = $state('');
  /** A field that is about to be shown to the reader, even if it is folded away. */
  pointedAt: FieldKey | undefined = $state();
  /** The text as tokens, once read. */
  prepared: PreparedText | undefined = $state.raw();
  reading = $state(false);
  /** How the reader wants the text to be read. */
  as: ReadAs = $state.raw({});
  /** Of a tokenizer that is being trained. */
  progress: Progress | undefined = $state.raw();
  textProblem: string | undefined = $state();
  /** What can be done about a refused text: its beginning used, another encoding tried, or once more. */
  remedy: 'cut' | 'encoding' | 'again' | undefined = $state();
  forecast: Forecast | undefined = $state.raw();
  /** The forecast of the run in progress, made while the form still showed it. */
  ofRun: Forecast | undefined = $state.raw();
  /** What the engine says against the whole of it. */
  forecastProblem: string | undefined = $state();
  /** What was typed before something else took its place at once; until typing goes on. */
  before: Said | undefined = $state.raw();
  checked: Checked = $derived(check(this.text, this.typed, this.prepared));
  readonly #background: Background;
  readonly #engine: () => Promise<Engine>;
  #source: TextSource | undefined;
  #reading: AbortController | undefined;
  #readTimer: ReturnType<typeof setTimeout> | undefined;
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
    this.before = undefined;
    this.ofRun = undefined;
    this.typed = typedFrom(settings);
    this.text = settings.text;
    this.as = {};
    this.#settle(prepared);
    if (settings.text === 'own' && prepared.hash !== undefined) {
      this.#source = { from: 'kept', hash: prepared.hash };
    }
    this.changed();
  }

  /** What a run that is being opened is likely to have, while its text is read elsewhere. */
  expect(settings: Settings): void {
    this.typed = typedFrom(settings);
    this.text = settings.text;
    this.reading = true;
  }

  /** No run was opened; `again`: one may be started from here once the text is read. */
  gaveUp(again: boolean): void {
    const task = taskOf(this.text);
    if (again && task === undefined) void this.#read();
    else this.#settle(task === undefined ? undefined : prepareTask(task));
  }

  /** As `show`, at the reader's wish; what was typed can be had back. */
  takeBack(settings: Settings, prepared: PreparedText): void {
    const said = this.#said();
    this.show(settings, prepared);
    this.before = said;
  }

  bringBack(): void {
    const { before } = this;
    if (before === undefined) return;
    this.before = undefined;
    this.#touched = true;
    this.typed = before.typed;
    this.text = before.text;
    this.as = before.as;
    this.#source = before.source;
    this.#settle(before.prepared);
    if (before.prepared === undefined) void this.#read();
    else this.changed();
  }

  #said(): Said {
    const { typed, text, as, prepared } = this;
    return { typed: { ...typed }, text, as, prepared, source: this.#source };
  }

  type(key: FieldKey, value: string): void {
    this.#touched = true;
    this.before = undefined;
    this.typed[key] = value;
    if (key === 'tokenizer') void this.#read();
    else if (key === 'vocabulary') this.#readSoon();
    else this.changed();
  }

  /**
   * A built-in text or a task. What solves a task is not what a text wants: between the two the form
   * takes the usual settings of what was chosen.
   */
  choose(id: string): void {
    const task = taskOf(id);
    this.before = undefined;
    if (task !== undefined || taskOf(this.text) !== undefined) {
      if (this.#isUnusual()) this.before = this.#said();
      const { tokenizer, vocabulary } = this.typed;
      this.typed = { ...typedFrom(usualSettings(id)), tokenizer, vocabulary };
    }
    this.text = id;
    this.as = {};
    if (task === undefined) {
      void this.#read();
      return;
    }
    this.#touched = true;
    this.#settle(prepareTask(task));
    this.changed();
  }

  #isUnusual(): boolean {
    const usual = usualSettings(this.text);
    return allFields.some((key) => this.typed[key] !== String(usual[key]));
  }

  /** `prepared`, if any, is what the form is about; nothing is being read any more. */
  #settle(prepared?: PreparedText): void {
    this.#stopReading();
    this.reading = false;
    this.prepared = prepared;
    this.forecast = undefined;
    this.textProblem = undefined;
    this.remedy = undefined;
  }

  /** Shows the box for a text of one's own; nothing is read before there is one. */
  chooseOwn(): void {
    if (taskOf(this.text) !== undefined) this.typed = typedFrom(usualSettings('own'));
    this.text = 'own';
    if (this.#source !== undefined) void this.#read();
    else this.#settle();
  }

  giveOwn(source: TextSource): void {
    this.text = 'own';
    this.#source = source;
    this.as = {};
    void this.#read();
  }

  /** Reads the same text in another way: cut, another column, another encoding. */
  readAs(as: ReadAs): void {
    this.as = { ...this.as, ...as };
    void this.#read();
  }

  #stopReading(): void {
    clearTimeout(this.#readTimer);
    this.#reading?.abort();
    this.#reading = undefined;
    this.progress = undefined;
  }

  #readSoon(): void {
    this.#settle();
    this.reading = true;
    this.#readTimer = setTimeout(() => void this.#read(), typingMs);
  }

  async #read(): Promise<void> {
    this.#touched = true;
    const source: TextSource | undefined = isBuiltIn(this.text)
      ? { from: 'url', url: builtInTexts[this.text].url }
      : this.#source;
    this.#settle();
    // The checks say what is wrong with it; it is read when that is mended.
    if (source === undefined || this.checked.problems.vocabulary !== undefined) return;
    const vocabulary = vocabularyOf(this.typed);
    const reading = new AbortController();
    this.#reading = reading;
    this.reading = true;
    const tokenizer = this.typed.tokenizer as TokenizerKind;
    try {
      const prepared = await this.#background.ask(
        { kind: 'prepare', source, tokenizer, vocabulary, cut: false, ...this.as },
        {
          signal: reading.signal,
          onProgress: (progress) => {
            if (reading === this.#reading) this.progress = progress;
          },
        },
      );
      if (reading !== this.#reading) return;
      this.prepared = prepared;
    } catch (error) {
      if (reading !== this.#reading) return;
      this.textProblem = failureInWords(error);
      const code = error instanceof BackgroundError ? error.code : undefined;
      this.remedy = code === 'text-too-large' ? 'cut'
        : code === 'text-encoding' ? 'encoding'
        : code === 'text-unreachable' ? 'again' : undefined;
    }
    this.progress = undefined;
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
    const change = changeBetween(settings, now);
    return change !== undefined && Object.keys(change).length > 0
      && (this.text !== 'own' || this.prepared?.hash === hash);
  }

  /** Whether the form says something else than the run in progress. */
  differsFrom(settings: Settings, hash: string | undefined): boolean {
    return this.text !== settings.text
      || (this.text === 'own' && this.prepared?.hash !== hash)
      || allFields.some((key) => this.typed[key] !== String(settings[key]));
  }
}
