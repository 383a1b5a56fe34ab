// SPDX-License-Identifier: MIT
// C10's numbers: the twin's own next step, taken apart here in another way than the page's.

const sum = (list) => list.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);

/** Traces of the example before and after the twin's next step; the twin is put back. */
const around = (number, truth) =>
  truth.once(`around/${number.example}`, () => stepAround(number, truth));

async function stepAround(number, truth) {
  const { twin } = truth;
  const { trainer } = twin;
  const { tokens, targets } = await twin.example(number.example);
  const before = await truth.trace({ ...number, step: trainer.step, whatIf: '[]' });
  await trainer.forward();
  await trainer.backward();
  await trainer.update();
  const after = await trainer.model.trace(tokens, targets);
  await trainer.undo();
  return { before, after };
}

const vector = (trace, address, row) => {
  const { values, columns } = trace.matrix(address);
  return Array.from(values.subarray(row * columns, (row + 1) * columns));
};
const dot = (a, b) => sum(a.map((value, at) => value * b[at]));
const minus = (a, b) => a.map((value, at) => value - b[at]);

function scorePart(what, before, after, scope, i, j) {
  const [q, k] = [vector(before, `${scope}.Q`, i), vector(before, `${scope}.K`, j)];
  const dq = minus(vector(after, `${scope}.Q`, i), q);
  const dk = minus(vector(after, `${scope}.K`, j), k);
  const parts = { query: dot(dq, k), key: dot(q, dk), both: dot(dq, dk) };
  parts.total = parts.query + parts.key + parts.both;
  return parts[what] / Math.sqrt(q.length);
}

function mixturePart(what, before, after, scope, i, answer, rival) {
  const axis = minus(vector(before, 'embed.weight', answer), vector(before, 'embed.weight', rival));
  const along = (trace, j) => dot(vector(trace, `${scope}.V`, j), axis);
  const weight = (trace, j) => trace.read(`${scope}.A.${i}.${j}`);
  const each = (of) => sum(range(i + 1).map(of));
  const dA = (j) => weight(after, j) - weight(before, j);
  const dv = (j) => along(after, j) - along(before, j);
  const parts = {
    routing: each((j) => dA(j) * along(before, j)),
    content: each((j) => weight(before, j) * dv(j)),
    both: each((j) => dA(j) * dv(j)),
  };
  parts.total = parts.routing + parts.content + parts.both;
  return parts[what];
}

function followed(before, after, scope) {
  const cells = range(before.time).flatMap((i) => range(i + 1).map((j) => `${scope}.S.${i}.${j}`));
  const pushed = cells.filter((address) => before.read(address.replace('.S.', '.push.')) !== 0);
  const went = pushed.filter((address) => {
    const change = after.read(address) - before.read(address);
    return change * before.read(address.replace('.S.', '.push.')) > 0;
  });
  return [went.length, pushed.length];
}

const ledgerNumber = (ledger, name) => {
  const [, group, what] = /^(.+)\.(predicted|measured)$/.exec(name) ?? [];
  return group === undefined
    ? ledger[name] : ledger.groups.find((one) => one.name === group)?.[what];
};

export const nextRules = [
  [/^ledger\.(.+)-ledger\.(.+)$/, async ([, a, b], _, { twin }) => {
    const ledger = await twin.trainer.ledger();
    return ledgerNumber(ledger, a) - ledgerNumber(ledger, b);
  }],
  [/^ledger\.(.+)$/, async ([, name], _, { twin }) =>
    ledgerNumber(await twin.trainer.ledger(), name)],
  [/^lossAfter:(.*)$/, ([, names], _, { twin }) =>
    twin.trainer.lossAfter(names === '' ? [] : names.split('+'))],
  [/^next\.(L\d+\.H\d+)\.dS_(\w+)\.(\d+)\.(\d+)$/, async ([, scope, what, i, j], number, truth) => {
    const { before, after } = await around(number, truth);
    return scorePart(what, before, after, scope, Number(i), Number(j));
  }],
  [/^next\.(L\d+\.H\d+)\.dC_(\w+)\.(\d+)\.(\d+)\.(\d+)$/,
    async ([, scope, what, ...place], number, truth) => {
      const { before, after } = await around(number, truth);
      return mixturePart(what, before, after, scope, ...place.map(Number));
    }],
  [/^next\.(.+)-(.+)$/, async ([, later, address], number, truth) => {
    const { before, after } = await around(number, truth);
    return after.read(later) - before.read(address);
  }],
  [/^next\.(.+)$/, async ([, address], number, truth) =>
    (await around(number, truth)).after.read(address)],
  [/^count\.followed\.(L\d+\.H\d+)(\.of)?$/, async ([, scope, of], number, truth) => {
    const { before, after } = await around(number, truth);
    return followed(before, after, scope)[of === undefined ? 0 : 1];
  }],
];
