// SPDX-License-Identifier: MIT
// The tokens of a task by their labels. Labels may have several characters, so they are written with
// spaces between them.

import { HeedError } from 'heed';
import type { StreamDecoder, Tokenizer, TokenizerState } from 'heed';
import { t } from '../text';

export class LabelTokenizer implements Tokenizer {
  readonly #labels: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;

  constructor(labels: readonly string[]) {
    this.#labels = labels;
    this.#ids = new Map(labels.map((label, id) => [label, id]));
  }

  get vocab(): number {
    return this.#labels.length;
  }

  encode(text: string): Int32Array {
    const words = text.split(/\s+/).filter((word) => word !== '');
    return Int32Array.from(words, (word) => {
      const id = this.#ids.get(word);
      if (id === undefined) throw new HeedError('bad-data', t.tasks.unknownLabel(word));
      return id;
    });
  }

  decode(tokens: ArrayLike<number>): string {
    return Array.from(tokens, (id) => this.token(id)).join(' ');
  }

  token(id: number): string {
    return this.#labels[id] ?? '';
  }

  stream(): StreamDecoder {
    return { push: (token) => `${this.token(token)} `, end: () => '' };
  }

  toJSON(): TokenizerState {
    return { kind: 'labels', labels: [...this.#labels] };
  }
}
