// SPDX-License-Identifier: MIT
// Shows every figure. `?tokens=plain|odd&dir=rtl&lang=zh|pseudo&only=NAME,NAME` chooses; `window.gallery` is for tests.

import '../src/shell/theme.css';
import '../src/figures/figures.css';
import './gallery.css';
import * as figures from '../src/figures';
import type { Figure, FigureFactory } from '../src/figures';
import { readNumber } from '../src/figures';
import { attentionPass } from './attention-pass';
import * as samples from './samples';
import { scope } from './trace-of-pass';
import { figureWords as english } from '../src/text/en/figures';
import { figureWords as chinese } from '../src/text/zh/figures';
import { pseudo } from './pseudo-locale';

const query = new URLSearchParams(location.search);
const choice = query.get('tokens') === 'odd' ? 'odd' : 'plain';
document.documentElement.dir = query.get('dir') ?? 'ltr';
const sample = samples.makeSample(choice);
const { now, before, i, j } = sample;
const texts = sample.texts;
const pair = [texts[i]!, texts[j]!] as const;
const scale = 1 / Math.sqrt(now.headWidth);

const said: string[] = [];
const context = figures.createFigureContext({
  words: { zh: chinese, pseudo: pseudo(english) }[query.get('lang') ?? ''] ?? english,
  selection: figures.createSelection({ i, j }),
  announce: (text) => said.push(text),
});

interface Shown {
  figure: Figure<never>;
  data: unknown;
}
const shown: Record<string, Shown> = {};
const events: Record<string, unknown[]> = {};
const heard = (name: string) => (...args: unknown[]): void => {
  (events[name] ??= []).push(args);
};

const only = query.get('only')?.split(',');
function show<Data>(name: string, make: FigureFactory<Data>, data: Data): void {
  if (only !== undefined && !only.includes(name)) return;
  const section = document.createElement('section');
  section.id = name;
  const host = document.createElement('div');
  section.append(host);
  document.getElementById('gallery')!.append(section);
  shown[name] = { figure: make(host, data, context), data };
}

const row = (name: string, index = i) => samples.row(now, name, index);
const number = (name: string) => samples.numberOf(now, name);
const wasNumber = (name: string) => {
  const { address, value } = samples.numberOf(before, name);
  return { address: `before.${address}`, value };
};

show('matrix-weights', figures.matrixFigure, {
  title: 'A', matrix: now.matrix('A'), colour: 'ink', part: 'weight', looks: true,
});
show('matrix-push', figures.matrixFigure, {
  title: 'Push', matrix: now.matrix('push'), colour: 'signed', part: 'push', looks: true,
});
show('matrix-values', figures.matrixFigure, {
  title: 'V', matrix: now.matrix('V'), colour: 'signed', part: 'value', looks: false,
});
show('push-matrix', figures.pushMatrixFigure, {
  title: 'Weight and push', weights: now.matrix('A'), push: now.matrix('push'),
});
const planeData = {
  title: 'Query and key', scope, i, j, query: row('Q'), key: row('K', j), tokens: pair, scale,
};
show('plane', figures.planeFigure, { ...planeData, onOverride: heard('override') });
show('score-bars', figures.scoreBarsFigure, planeData);
show('key-ruler', figures.keyRulerFigure, {
  title: 'All keys along one query', scope, i, query: row('Q'), keys: now.matrix('K'), visible: i,
  scale,
});
show('budget', figures.budgetFigure, {
  title: 'Softmax', scope, i, scores: row('S'), weights: row('A'), gradient: row('dS'),
  onNudge: heard('nudge'),
});
show('mixture', figures.mixtureFigure, {
  title: 'Mixing', scope, i, weights: row('A'), values: now.matrix('V'), mixture: row('C'),
  push: { ...row('dC'), values: Array.from(row('dC').values, (g) => -g) },
});
show('gain-dots', figures.gainDotsFigure, {
  title: 'Gain of each value', scope, i, gains: row('gain'), mean: number(`mean.${i}.0`),
  weights: row('A'), pushes: row('push'),
});
show('query-push', figures.queryPushFigure, {
  title: 'How the query is pushed', scope, i, query: row('Q'), keys: now.matrix('K'),
  pushes: row('push'), gradient: row('dQ'), scale,
});
show('nudge-curve', figures.nudgeCurveFigure, {
  title: 'Nudge', scope, i, j, tokens: pair, ...samples.nudges(sample),
  slope: number(`dS.${i}.${j}`), loss: { address: 'loss', value: now.pass.loss },
  onMove: heard('move'),
});
const cutState: number[] = [];
const readersData = (): figures.ReadersData => ({
  title: 'Readers of a value', scope, j, value: row('V', j), weights: now.matrix('A'),
  upstream: now.matrix('dC'), gradient: row('dV', j), cut: [...cutState],
  onCut(reader, cut) {
    if (cut) cutState.push(reader);
    else cutState.splice(cutState.indexOf(reader), 1);
    shown['readers']!.figure.update(readersData() as never);
  },
});
show('readers', figures.readersFigure, readersData());
const shares = samples.shares(sample);
show('outer-stack', figures.outerStackFigure, {
  title: 'Who taught W_Q', scope, of: 'W_Q', gradient: now.matrix('dW_Q'), left: now.matrix('X'),
  right: now.matrix('dQ'), meaningful: true,
  shares: { address: `${scope}.W_Q.share`, values: shares.tokens, labels: now.tokens },
  pairs: { ...now.matrix('dS'), address: `${scope}.W_Q.pair`, values: shares.pairs },
});
show('before-after', figures.beforeAfterFigure, {
  title: 'One step', label: 'A', before: wasNumber(`A.${i}.${j}`), after: number(`A.${i}.${j}`),
  push: number(`push.${i}.${j}`),
});
const change = samples.scoreChange(sample);
show('waterfall', figures.waterfallFigure, {
  title: 'Change of one score',
  parts: ['query moved', 'key moved', 'both'].map((text, at) => ({
    label: { kind: 'name' as const, text },
    number: { address: `step.S.${i}.${j}.part.${at}`, value: change.parts[at]! },
  })),
  total: { label: { kind: 'name', text: 'change' },
    number: { address: `step.S.${i}.${j}`, value: change.total } },
});
show('bars', figures.barsFigure, {
  title: 'p minus the answer',
  parts: now.pass.probs[i]!.map((p, token) => ({
    label: { kind: 'token' as const, index: token, text: [...new Set(texts)][token]! },
    number: { address: `error.${i}.${token}`, value: p - (sample.targets[i] === token ? 1 : 0) },
  })),
});
const ledger = samples.ledgerOf(sample);
const named = (name: string, value: number) => ({ address: `ledger.${name}`, value });
show('ledger', figures.ledgerFigure, {
  title: 'Loss ledger of one step',
  groups: ledger.groups.map(({ name, predicted, measured }) => ({
    name, predicted: named(`${name}.predicted`, predicted), measured: named(`${name}.measured`, measured),
  })),
  before: named('before', ledger.before), after: named('after', ledger.after),
  predicted: named('predicted', ledger.predicted), remainder: named('remainder', ledger.remainder),
  onApply: heard('apply'),
});
const curves = samples.twinCurves(sample);
show('curves', figures.curvesFigure, {
  title: 'Twins', series: curves, quantity: 'loss', onStep: heard('step'),
});
const timelineData = (current: number, pins: number[]): figures.TimelineData => ({
  title: 'Timeline', first: 0, last: 40, current, pins, series: [curves[0]!],
  onScrub: (step) => shown['timeline']!.figure.update(timelineData(step, pins) as never),
  onPin: (step, pinned) => shown['timeline']!.figure.update(timelineData(current,
    pinned ? [...pins, step] : pins.filter((pin) => pin !== step)) as never),
});
show('timeline', figures.timelineFigure, timelineData(40, [10]));
show('head-grid', figures.headGridFigure, {
  title: 'Heads',
  heads: [now, before].map((from, head) => ({
    layer: 0, head, weights: { ...from.matrix('A'), address: `L0.H${head}.A` },
  })),
});
show('importances', figures.importancesFigure, {
  title: 'Four kinds of importance', scope, weights: now.matrix('A'), sizes: now.matrix('AV'),
  firstOrder: now.matrix('AxdA'), cut: samples.cutCosts(sample),
});
const long = Array.from({ length: 40 }, (_, at) => at % sample.tokens.length);
const longPass = attentionPass(
  sample.weights, long.map((at) => sample.tokens[at]!), long.map((at) => sample.targets[at]!));
const longTexts = long.map((at) => texts[at]!);
show('matrix-large', figures.matrixFigure, {
  title: 'A, forty tokens', colour: 'ink', looks: true, matrix: {
    ...now.matrix('A'), address: 'long.A', rows: 40, columns: 40, values: longPass.A.flat(),
    rowLabels: { ...now.matrix('A').rowLabels, texts: longTexts, expected: [] },
    columnLabels: { ...now.matrix('A').columnLabels, texts: longTexts },
  },
});

const api = {
  shown, events, said, context, scope, texts, i, j, numberFormat: figures.numberFormat,
  read: (address: string) => readNumber(now, address),
  derivedNames: figures.derivedNames,
};
declare global {
  interface Window { gallery: typeof api }
}
window.gallery = api;
