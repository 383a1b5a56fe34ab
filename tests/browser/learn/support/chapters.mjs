// SPDX-License-Identifier: MIT
// The addresses that single chapters show beyond a trace's, and what they should be: computed here
// by other code than the page's, from what the package says in Node.

import { nextRules } from './next-step.mjs';

export const chapterIds = [
  'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c12', 'c13',
];

const sum = (list) => list.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);
const row = ({ values, columns }, index) => values.subarray(index * columns, (index + 1) * columns);
const rows = (matrix) => range(matrix.rows).map((index) => Array.from(row(matrix, index)));
const top = (list) => list.indexOf(Math.max(...list));
const apart = (a, b) => Math.max(...Array.from(a, (value, at) => Math.abs(value - b[at])));
const distance = (a, b) => Math.hypot(...Array.from(a, (value, at) => value - b[at]));

/** Learned positions read as 0. */
const noPositions = (model, time) => range(time * model.config.width).map((at) => ({
  set: 'weight', tensor: 'positions.weight', row: Math.floor(at / model.config.width),
  column: at % model.config.width, to: 0,
}));

async function tracesOf(number, { twin }, changed, whatIf) {
  const model = await twin.at(number.step);
  const { tokens, targets } = await twin.example(number.example);
  const other = Int32Array.from(tokens, (token, at) => changed(tokens, at) ?? token);
  const options = { gradients: false, whatIf: whatIf(model, tokens.length) };
  return [await model.trace(tokens, targets, options), await model.trace(other, targets, options)];
}

const swap = [/^swap\.(\d+)\.(\d+)\.([01])\.([01])\.(Y|first|second|others)(?:\.(\d+)\.(\d+))?$/,
  async ([, first, second, positions, mask, what, i, c], number, truth) => {
    const [a, b] = [Number(first), Number(second)];
    const [before, after] = await tracesOf(number, truth,
      (tokens, at) => (at === a ? tokens[b] : at === b ? tokens[a] : undefined),
      (model, time) => [
        ...(positions === '1' ? [] : noPositions(model, time)),
        ...(mask === '1' ? [] : [{ set: 'mask', layer: 0, head: 0, to: 'none' }]),
      ]);
    const [old, now] = [rows(before.matrix('L0.Y')), rows(after.matrix('L0.Y'))];
    before.dispose();
    after.dispose();
    if (what === 'Y') return now[Number(i)][Number(c)];
    if (what === 'first') return apart(now[a], old[b]);
    if (what === 'second') return apart(now[b], old[a]);
    return Math.max(...range(old.length).filter((at) => at !== a && at !== b)
      .map((at) => apart(now[at], old[at])));
  }];

const context = [/^context\.(X|C)\.(\d+)\.(\d+)\.(\d+)$/,
  async ([, what, at, changed, token], number, truth) => {
    const [one, other] = await tracesOf(number, truth,
      (_, place) => (place === Number(changed) ? Number(token) : undefined), noPositions);
    const address = what === 'X' ? 'L0.X' : 'L0.H0.C';
    const found = distance(row(one.matrix(address), Number(at)), row(other.matrix(address), Number(at)));
    one.dispose();
    other.dispose();
    return found;
  }];

const logitParts = [/^L(\d+)\.logitPart\.(\d+)\.(\d+)\.(\d+)\.(.+)$/,
  async ([, layer, i, answer, rival, what], number, truth) => {
    const trace = await truth.trace(number);
    const parts = await trace.logitParts(...[layer, i, answer, rival].map(Number));
    const edge = /^edge\.(\d+)\.(\d+)$/.exec(what);
    if (edge !== null) return parts.edges[Number(edge[1]) * trace.time + Number(edge[2])];
    return parts[what];
  }];

/** A with what is counted over it, by row. */
async function weightsOf(scope, number, truth) {
  const trace = await truth.trace(number);
  return { a: rows(trace.matrix(`${scope}.A`)), ds: rows(trace.matrix(`${scope}.dS`)) };
}

const count = (name, of) => [new RegExp(`^count\\.${name}\\.(L\\d+\\.H\\d+)(\\.of)?$`),
  async ([, scope, total], number, truth) => {
    const found = await of(await weightsOf(scope, number, truth));
    return Array.isArray(found) ? found[total === undefined ? 0 : 1] : found;
  }];

const hidden = ({ a }) => a.flatMap((weights, i) => weights.filter((_, j) => j > i));
const near = (list, to, size) => Math.abs(sum(list) - to) <= size;
const masked = count('masked', (w) => [hidden(w).filter((v) => v === 0).length, hidden(w).length]);
const sums = count('sums', ({ a }) => [a.filter((list) => near(list, 1, 1e-6)).length, a.length]);
const self = count('self', ({ a }) => [a.filter((list, i) => top(list) === i).length, a.length]);
const pushSums = count('pushSums', ({ ds }) => [
  ds.filter((list) => near(list, 0, 1e-6 * Math.max(1e-6, sum(list.map(Math.abs))))).length, ds.length,
]);
const seen = ({ a, ds }) => a.flatMap((weights, i) => weights.slice(0, i + 1)
  .map((weight, j) => ({ dim: weight < 0.1, size: Math.abs(ds[i][j]) })));
const dim = count('dim', (w) => [seen(w).filter((cell) => cell.dim).length, seen(w).length]);
const dimShare = count('dimShare', (w) => {
  const cells = seen(w);
  const all = sum(cells.map(({ size }) => size));
  return all === 0 ? 0 : sum(cells.filter((cell) => cell.dim).map(({ size }) => size)) / all;
});

const errorSum = [/^sum\.dlogits\.(\d+)$/, async ([, i], number, truth) =>
  sum(Array.from(row((await truth.trace(number)).matrix('dlogits'), Number(i))))];
const errorLength = [/^length\.(.+)\.(\d+)$/, async ([, address, i], number, truth) =>
  Math.hypot(...row((await truth.trace(number)).matrix(address), Number(i)))];

const nudge = [/^L(\d+)\.H(\d+)\.nudge\.(\d+)\.(\d+)\.(-?[\d.]+?)(?:\.(line|gap))?$/,
  async ([, layer, head, i, j, by, what], number, truth) => {
    const model = await truth.twin.at(number.step);
    const { tokens, targets } = await truth.twin.example(number.example);
    const [loss] = await model.sweep(tokens, targets, {
      layer: Number(layer), head: Number(head), row: Number(i), column: Number(j), by: [Number(by)],
    });
    const trace = await truth.trace(number);
    const line = trace.loss + Number(by) * trace.read(`L${layer}.H${head}.dS.${i}.${j}`);
    return { line, gap: loss - line }[what] ?? loss;
  }];

const sharesOf = (scope, of, number, truth) =>
  truth.once(`shares/${scope}/${of}/${number.step}/${number.example}`, () =>
    findShares(scope, of, number, truth));

async function findShares(scope, of, number, truth) {
  const [layer, head] = scope.match(/\d+/g).map(Number);
  const trace = await truth.trace(number);
  return { time: trace.time, ...(await trace.contributions(of, layer, head)) };
}
const share = [/^(L\d+\.H\d+)\.(W_[QKV])\.share\.(\d+|sum)$/,
  async ([, scope, of, at], number, truth) => {
    const { tokens } = await sharesOf(scope, of, number, truth);
    return at === 'sum' ? sum(Array.from(tokens)) : tokens[Number(at)];
  }];
const pairShare = [/^(L\d+\.H\d+)\.(W_[QKV])\.pairShare\.(\d+)\.(\d+)$/,
  async ([, scope, of, i, j], number, truth) => {
    const { pairs, time } = await sharesOf(scope, of, number, truth);
    return pairs[Number(i) * time + Number(j)];
  }];
const pairSum = [/^sum\.(L\d+\.H\d+)\.(W_[QKV])\.pairShare$/,
  async ([, scope, of], number, truth) =>
    sum(Array.from((await sharesOf(scope, of, number, truth)).pairs))];

const maps = (scope, number, truth) =>
  truth.once(`maps/${scope}/${number.step}/${number.example}`, () => findMaps(scope, number, truth));

/** The four maps of C13, visible cells by row. */
async function findMaps(scope, number, truth) {
  const trace = await truth.trace(number);
  const model = await truth.twin.at(number.step);
  const { tokens, targets } = await truth.twin.example(number.example);
  const [layer, head] = scope.match(/\d+/g).map(Number);
  const { loss, losses } = await model.cutEdges(tokens, targets, { layer });
  const { time } = trace;
  const map = (value) => range(time).map((i) => range(i + 1).map((j) => value(i, j)));
  const read = (name) => (i, j) => trace.read(`${scope}.${name}.${i}.${j}`);
  return {
    weights: map(read('A')), sizes: map(read('AV')),
    firstOrder: map((i, j) => -read('A')(i, j) * read('dA')(i, j)),
    cut: map((i, j) => losses[(head * time + i) * time + j] - loss),
  };
}
const ranks = (values) => values.map((value) =>
  values.filter((other) => other < value).length
  + (values.filter((other) => other === value).length + 1) / 2);
function correlation(a, b) {
  const centred = [a, b].map((list) => list.map((value) => value - sum(list) / list.length));
  const dot = (x, y) => sum(x.map((value, at) => value * y[at]));
  return dot(...centred) / Math.sqrt(dot(centred[0], centred[0]) * dot(centred[1], centred[1]));
}
const importances = [/^(L\d+\.H\d+)\.(?:cut\.(\d+)\.(\d+)|agreement\.(\w+)\.(\w+)|(selfTop|cutTop))$/,
  async ([, scope, i, j, first, second, tops], number, truth) => {
    const found = await maps(scope, number, truth);
    if (i !== undefined) return found.cut[Number(i)][Number(j)];
    if (tops === 'selfTop') return found.weights.filter((list, at) => top(list) === at).length;
    if (tops === 'cutTop') {
      return found.weights.filter((list, at) => top(list) === top(found.cut[at])).length;
    }
    return correlation(ranks(found[first].flat()), ranks(found[second].flat()));
  }];

const rules = {
  c1: [swap],
  c4: [masked, sums],
  c5: [logitParts, context],
  c6: [errorSum, errorLength],
  c7: [pushSums, dim, dimShare, nudge],
  c9: [share, pairShare, pairSum],
  c10: nextRules,
  c13: [self, importances],
};

export const rulesOf = (id) => rules[id] ?? [];
