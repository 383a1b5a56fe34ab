// SPDX-License-Identifier: MIT
// One row's softmax: scores, their exponentials, and the shares of one bar of length 1.

import type { BudgetData, FigureFactory } from './contracts';
import { css, inkFill, textOn } from './core/colour';
import { html, Keyed, setAttributes, setStyles, setText } from './core/dom';
import { defineFigure, type Canvas } from './core/figure';
import { labelAt, spokenToken, tokenNode } from './core/labels';
import { largest, numberNode } from './core/number-element';
import { centred, createRows, signTone, type Row } from './core/rows';
import { axisNode, indexNode, sentence, spokenSentence } from './core/sentence';
import { vectorsTable } from './core/table-view';

interface Shares {
  most: number;
  exps: number[];
  sum: number;
  entropy: number;
}

/** A trace has scores also where the mask then hides them; their weight is exactly 0. */
const isVisible = ({ scores, weights }: BudgetData, j: number): boolean =>
  weights.values[j]! > 0 && scores.values[j]! > -Infinity;

function sharesOf(data: BudgetData): Shares {
  const { scores, weights } = data;
  const most = Math.max(...Array.from(scores.values).filter((_, j) => isVisible(data, j)));
  const exps = Array.from(scores.values, (score, j) =>
    (isVisible(data, j) ? Math.exp(score - most) : 0));
  return {
    most,
    exps,
    sum: exps.reduce((total, exp) => total + exp, 0),
    entropy: -Array.from(weights.values).reduce((total, a) => total + (a > 0 ? a * Math.log(a) : 0), 0),
  };
}

const build = (canvas: Canvas<BudgetData>) => {
  const { body, context } = canvas;
  const { words, number } = context;
  const rows = createRows(body, context);
  const bar = html('div', { class: 'budget-bar', role: 'img', dir: 'ltr' });
  const facts = html('div', { class: 'facts' });
  const nudges = html('div', { class: 'nudge' });
  body.append(html('p', { class: 'note' }, ...sentence(words.budget.bar, { one: axisNode('1') })), bar, facts, nudges);
  const segments = new Keyed();
  const slider = html('input', { type: 'range', min: -4, max: 4, step: 0.25 });
  const name = html('span', { 'aria-hidden': true });
  const amount = axisNode('');
  const letGo = html('button', { type: 'button' }, words.plane.back);
  nudges.append(name, slider, amount, letGo);
  let by = 0;
  let column = -1;

  const visible = (j: number): boolean => isVisible(canvas.data, j);

  slider.addEventListener('input', () => {
    by = Number(slider.value);
    canvas.data.onNudge?.(column, by);
    canvas.redraw();
  });
  letGo.addEventListener('click', () => {
    by = 0;
    canvas.data.onNudge?.(column, undefined);
    canvas.redraw();
  });

  function draw(): void {
    const { data, theme } = canvas;
    const { scope, i, scores, weights } = data;
    const shares = sharesOf(data);
    const limit = largest(Array.from(scores.values).filter((_, j) => visible(j)));
    const digits = number.digits(limit);
    const { j: here } = context.selection.current;
    rows.draw({
      name: data.title,
      headings: ['', words.budget.score, words.budget.exp, words.budget.share],
      rows: Array.from(scores.values, (score, j): Row => ({
        key: String(j),
        label: labelAt(weights.labels, j),
        role: 'key',
        off: !visible(j),
        cells: [
          { kind: 'bar', ...centred(visible(j) ? score : 0, limit), tone: signTone(score) },
          { kind: 'number', number: { address: `${scores.address}.${j}`, value: score },
            rounding: { digits, signed: true }, part: 'score' },
          { kind: 'number', number: { address: `${scope}.exp.${i}.${j}`, value: shares.exps[j]! },
            rounding: { digits: visible(j) ? 3 : 0 } },
          { kind: 'number', number: { address: `${weights.address}.${j}`, value: weights.values[j]! },
            rounding: { digits: visible(j) ? 2 : 0 }, part: 'weight' },
        ],
        selects: { j, address: `${weights.address}.${j}` },
      })),
      current: here,
    });

    Array.from(weights.values).forEach((weight, j) => {
      if (!visible(j)) return;
      const segment = segments.get(String(j), bar, () => html('span', { class: 'budget-part' }));
      const text = labelAt(weights.labels, j);
      const fill = inkFill(theme, weight);
      setStyles(segment, {
        'flex-grow': String(weight), 'background-color': css(fill), color: css(textOn(fill)),
      });
      segment.classList.toggle('current', j === here);
      // A share under 6 % of the bar has no room for its name, which the list above has.
      segment.replaceChildren(...(weight < 0.06 ? [] : [indexNode(j), '\u2009',
        ...(text.kind === 'token' ? [tokenNode(text.text)] : [])]));
    });
    segments.sweep();
    setAttributes(bar, { 'aria-label': spokenSentence(words.budget.bar, { one: '1' }) });
    drawFacts(shares);
    drawNudge(here);
  }

  function drawFacts(shares: Shares): void {
    const { scope, i, gradient } = canvas.data;
    const node = (name: string, value: number, places: number): Node =>
      numberNode(context, { address: `${scope}.${name}.${i}`, value }, { digits: places });
    const lines = [
      sentence(words.budget.sum, { sum: node('sum', shares.sum, 3) }),
      sentence(words.budget.entropy, { entropy: node('entropy', Math.max(0, shares.entropy), 2) }),
    ];
    if (gradient !== undefined) {
      const signal = Array.from(gradient.values).reduce((total, g) => total + Math.abs(g), 0);
      lines.push(sentence(words.budget.signal, {
        signal: node('signal', signal, number.digits(signal)),
      }));
    }
    facts.replaceChildren(...lines.map((nodes) => html('p', {}, ...nodes)));
  }

  function drawNudge(here: number): void {
    const { onNudge, weights } = canvas.data;
    nudges.hidden = onNudge === undefined || !visible(here);
    if (nudges.hidden) return;
    if (by === 0) column = here;
    const text = labelAt(weights.labels, column);
    const token = text.kind === 'token' ? text.text : '';
    slider.value = String(by);
    setAttributes(slider, {
      'aria-label': spokenSentence(words.budget.nudge, {
        index: String(column), token: spokenToken(token, words),
      }),
      'aria-valuetext': number.fixed(by, 2, true),
    });
    name.replaceChildren(...sentence(words.budget.nudge, {
      index: indexNode(column), token: tokenNode(token),
    }));
    setText(amount, number.fixed(by, 2, true));
    letGo.hidden = by === 0;
  }
  return { draw };
};

export const budgetFigure: FigureFactory<BudgetData> = defineFigure<BudgetData>({
  name: 'budget',
  subject: ({ weights }) => weights.address,
  build,
  tables(data, { words }) {
    const { title, scope, i, scores, weights } = data;
    const { labels } = weights;
    return [vectorsTable(title, [
      { name: words.budget.score, vector: { ...scores, labels } },
      { name: words.budget.exp,
        vector: { address: `${scope}.exp.${i}`, values: sharesOf(data).exps, labels } },
      { name: words.budget.share, vector: weights },
    ])];
  },
});
