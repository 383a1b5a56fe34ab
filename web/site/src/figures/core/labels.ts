// SPDX-License-Identifier: MIT
// Names of rows and columns. A label comes from the list of labels and an index, never from text
// alone: equal tokens stay apart.

import type { AxisLabels, FigureWords, Label, LabelledMatrix, LabelledVector } from '../contracts';
import { html } from './dom';
import { visibleToken } from './glyphs';
import { axisNode, indexNode, sentence, spokenSentence } from './sentence';

export function labelAt(labels: AxisLabels, index: number): Label {
  if (labels.kind === 'channel') return { kind: 'channel', index };
  const text = labels.texts[index];
  if (text === undefined) {
    throw new RangeError(`no label for index ${index}: ${labels.texts.length} labels were given`);
  }
  return labels.kind === 'name'
    ? { kind: 'name', text }
    : { kind: 'token', index, text, expected: labels.expected?.[index] };
}

export const labelsOf = (labels: AxisLabels, count: number): Label[] =>
  Array.from({ length: count }, (_, index) => labelAt(labels, index));

export const rowVector = (matrix: LabelledMatrix, row: number): LabelledVector => ({
  address: `${matrix.address}.${row}`,
  values: Array.from({ length: matrix.columns }, (_, c) => matrix.values[row * matrix.columns + c]!),
  labels: matrix.columnLabels,
});

const glyphText = (text: string): string => (text === '' ? '∅' : visibleToken(text));

/** Token text, isolated from the text around it and never read as markup. */
export const tokenNode = (text: string): HTMLElement =>
  html('bdi', { class: 'token mono' }, glyphText(text));

export function spokenToken(text: string, words: FigureWords): string {
  if (text === ' ') return words.tokens.space;
  if (text === '\n') return words.tokens.newline;
  if (text === '\t') return words.tokens.tab;
  return text === '' ? words.tokens.empty : visibleToken(text);
}

/** What stands in a header or beside a bar. `should` adds the token that ought to follow. */
export function labelNodes(label: Label, words: FigureWords, should = false): Node[] {
  switch (label.kind) {
    case 'name':
      // Isolated: a name may hold digits and letters of another direction.
      return [html('bdi', {}, label.text)];
    case 'tick':
      return [axisNode(label.text)];
    case 'channel':
    case 'step':
      return [indexNode(label.index)];
    default: {
      const nodes = sentence(words.labels.token, {
        index: indexNode(label.index), token: tokenNode(label.text),
      });
      if (!should || label.expected === undefined) return nodes;
      return [...nodes, html('span', { class: 'should' }, ' → ', tokenNode(label.expected))];
    }
  }
}

export function spokenLabel(label: Label, words: FigureWords): string {
  switch (label.kind) {
    case 'name':
    case 'tick':
      return label.text;
    case 'step':
      return spokenSentence(words.timeline.step, { step: String(label.index) });
    case 'channel':
      return spokenSentence(words.labels.channel, { index: String(label.index) });
    default:
      return label.expected === undefined
        ? spokenSentence(words.labels.spokenToken, {
            index: String(label.index), token: spokenToken(label.text, words),
          })
        : spokenSentence(words.labels.shouldSay, {
            index: String(label.index),
            token: spokenToken(label.text, words),
            expected: spokenToken(label.expected, words),
          });
  }
}

const spoken = new WeakMap<FigureWords, WeakMap<AxisLabels, string[]>>();

/** The spoken label at an index, put together once: each cell of a row has the row's in its name. */
export function spokenAt(labels: AxisLabels, index: number, words: FigureWords): string {
  let ofWords = spoken.get(words);
  if (ofWords === undefined) spoken.set(words, (ofWords = new WeakMap()));
  let list = ofWords.get(labels);
  if (list === undefined) ofWords.set(labels, (list = []));
  return (list[index] ??= spokenLabel(labelAt(labels, index), words));
}

/**
 * For names of what also shows its label: the label as it looks, and in brackets what has no sound.
 * Speech control and screen readers then meet the same words in the same order.
 */
export function namedLabel(label: Label, words: FigureWords): string {
  if (label.kind !== 'token') return spokenLabel(label, words);
  const spoken = spokenToken(label.text, words);
  const shown = `${label.index} ${glyphText(label.text)}`;
  return spoken === glyphText(label.text) ? shown : `${shown} (${spoken})`;
}

/** For CSV and JSON: `5 D`, `3`, or a name; whitespace as glyphs, so that no field looks empty. */
export function plainLabel(label: Label): string {
  if (label.kind === 'name' || label.kind === 'tick') return label.text;
  return label.kind !== 'token' ? String(label.index) : `${label.index} ${glyphText(label.text)}`;
}

/** Rough width in characters, for leaving room. */
export function labelLength(label: Label, should = false): number {
  const own = Array.from(plainLabel(label)).length;
  return should && label.kind === 'token' && label.expected !== undefined
    ? own + 3 + Array.from(glyphText(label.expected)).length
    : own;
}
