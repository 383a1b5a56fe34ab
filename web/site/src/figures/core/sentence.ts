// SPDX-License-Identifier: MIT
// Sentences of the catalogue with numbers, tokens and indices put in as elements of their own, in
// the order that the language wants.

import { html } from './dom';

const slot = /\{(\w+)\}/;

function value<T>(parts: Readonly<Record<string, T>>, name: string, template: string): T {
  const found = parts[name];
  if (found === undefined) throw new Error(`'${template}' asks for {${name}}, which is not given`);
  return found;
}

/** The nodes of a sentence; strings go in as text. */
export function sentence(
  template: string, parts: Readonly<Record<string, Node | string>> = {},
): Node[] {
  return template.split(/(\{\w+\})/).filter((piece) => piece !== '').map((piece) => {
    const name = slot.exec(piece)?.[1];
    const node = name === undefined ? piece : value(parts, name, template);
    return typeof node === 'string' ? document.createTextNode(node) : node;
  });
}

/** The same as plain text, for names that are spoken. */
export function spokenSentence(
  template: string, parts: Readonly<Record<string, string>> = {},
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => value(parts, name, template));
}

/** An index of a row, column, channel, head or step, marked as such. */
export const indexNode = (index: number): HTMLElement =>
  html('span', { 'data-index': index, class: 'index' }, String(index));

/** A tick or a setting: a number on a scale and not of the model. */
export const axisNode = (text: string): HTMLElement =>
  html('span', { 'data-axis': true }, text);
