// SPDX-License-Identifier: MIT
// What the model answers to some held-out examples of a task, as of now.

import type { Example, Tokenizer, Trainer } from 'heed';
import { Pacer } from './pacer';
import type { SideTask } from './session';

/** Enough to see what goes wrong, few enough to read. */
const shownExamples = 8;

export interface Answer {
  /** The place in the example after which it is given. */
  place: number;
  wanted: string;
  given: string;
  right: boolean;
}

export interface AnsweredExample {
  /** The whole example, a token each. */
  tokens: string[];
  answers: Answer[];
  right: boolean;
}

export interface ShownAnswers {
  examples: AnsweredExample[];
  /** Steps done when they were given. */
  step: number;
}

export class Answers implements SideTask {
  shown: ShownAnswers | undefined = $state.raw();
  readonly pacer = new Pacer(1000, 0.08, 300);
  #tokenizer: Tokenizer | undefined;
  #examples: Example[] | undefined;
  #next: ShownAnswers | undefined;
  readonly #stepNow: () => number;
  readonly #changed: () => void;

  constructor(stepNow: () => number, changed: () => void) {
    this.#stepNow = stepNow;
    this.#changed = changed;
  }

  /** A run begins; `tokenizer` is absent where it is none on a task. */
  begin(tokenizer: Tokenizer | undefined): void {
    this.#tokenizer = tokenizer;
    this.#examples = undefined;
    this.#next = undefined;
    this.shown = undefined;
  }

  async run(trainer: Trainer): Promise<void> {
    const tokenizer = this.#tokenizer;
    if (tokenizer === undefined) return;
    this.#examples ??= await Promise.all(
      Array.from({ length: shownExamples }, (_, number) => trainer.example(number)),
    );
    const step = this.#stepNow();
    const examples: AnsweredExample[] = [];
    for (const example of this.#examples) {
      const logits = await trainer.model.forward(example.tokens);
      examples.push(answered(example, logits, tokenizer));
    }
    this.#next = { examples, step };
    this.#changed();
  }

  flush(): void {
    if (this.#next !== undefined) this.shown = this.#next;
  }
}

function answered(
  { tokens, targets }: Example,
  logits: Float32Array,
  tokenizer: Tokenizer,
): AnsweredExample {
  const vocab = logits.length / tokens.length;
  const answers: Answer[] = [];
  targets.forEach((target, place) => {
    if (target < 0) return;
    const row = logits.subarray(place * vocab, (place + 1) * vocab);
    const likeliest = row.reduce((best, value, id) => (value > row[best]! ? id : best), 0);
    answers.push({
      place, wanted: tokenizer.token(target), given: tokenizer.token(likeliest),
      right: likeliest === target,
    });
  });
  return {
    tokens: Array.from(tokens, (id) => tokenizer.token(id)), answers,
    right: answers.every(({ right }) => right),
  };
}
