// SPDX-License-Identifier: MIT
// What every number of the learn room should be, by its address: read from the package in Node, or
// computed here from what it reads, by other code than the page's.

const sum = (list) => list.reduce((total, value) => total + value, 0);
const range = (count) => Array.from({ length: count }, (_, index) => index);

/** Numbers of one head that follow from a trace. `at` are the address's indices. */
const ofHead = {
  qk: (h, [i, j, c]) => h('Q', i, c) * h('K', j, c),
  dot: (h, [i, j]) => sum(h.channels.map((c) => h('Q', i, c) * h('K', j, c))),
  along: (h, at) => ofHead.dot(h, at) / h.norm('Q', at[0]),
  angle: (h, [i, j]) => (Math.acos(h('cos', i, j)) * 180) / Math.PI,
  max: (h, [i]) => Math.max(...h.visible(i).map((j) => h('S', i, j))),
  exp: (h, [i, j]) => (h('A', i, j) > 0 ? Math.exp(h('S', i, j) - ofHead.max(h, [i])) : 0),
  sum: (h, [i]) => sum(h.visible(i).map((j) => ofHead.exp(h, [i, j]))),
  signal: (h, [i]) => sum(h.tokens.map((j) => Math.abs(h('dS', i, j)))),
  part: (h, [i, j, c]) => h('A', i, j) * h('V', j, c),
  AxdA: (h, [i, j]) => -h('A', i, j) * h('dA', i, j),
  qpush: (h, [i, j, c]) => -h('dS', i, j) * h('K', j, c) / Math.sqrt(h.width),
  vpush: (h, [j, i, c]) => -h('A', i, j) * h('dC', i, c),
  qpushLength: (h, [i, j]) => Math.hypot(...h.channels.map((c) => ofHead.qpush(h, [i, j, c]))),
  vpushLength: (h, [j, i]) => Math.hypot(...h.channels.map((c) => ofHead.vpush(h, [j, i, c]))),
  dVLength: (h, [j]) => h.norm('dV', j),
  dQLength: (h, [i]) => h.norm('dQ', i),
  rowSum: (h, [i]) => sum(h.tokens.map((j) => h('A', i, j))),
  pushSum: (h, [i]) => sum(h.tokens.map((j) => h('push', i, j))),
};

function headOf(trace, scope) {
  const read = (name, ...place) => trace.read(`${scope}.${name}.${place.join('.')}`);
  const width = trace.matrix(`${scope}.Q`).columns;
  return Object.assign(read, {
    width,
    channels: range(width),
    tokens: range(trace.time),
    visible: (i) => range(trace.time).filter((j) => read('A', i, j) > 0),
    norm: (name, row) => Math.hypot(...range(width).map((c) => read(name, row, c))),
  });
}

function readTrace(trace, address) {
  if (address === 'trace.loss') return trace.loss;
  const derived = /^(L\d+\.H\d+)\.([A-Za-z]+)\.([\d.]+)$/.exec(address);
  if (derived !== null && Object.hasOwn(ofHead, derived[2])) {
    return ofHead[derived[2]](headOf(trace, derived[1]), derived[3].split('.').map(Number));
  }
  try {
    return trace.read(address);
  } catch {
    return undefined;
  }
}

/** Resolves addresses against a twin; traces are kept until `close`. */
export class Truth {
  #traces = new Map();
  #kept = new Map();
  #rules;

  /** `rules`: [pattern, (match, number, truth) => value or a promise of it], tried first. */
  constructor(twin, rules = []) {
    this.twin = twin;
    this.#rules = [...rules, ...common];
  }

  async trace({ step, example = 0, whatIf = '[]' }, targets) {
    const key = `${step}/${example}/${whatIf}/${targets?.join() ?? ''}`;
    if (!this.#traces.has(key)) {
      const asked = { example, whatIf: JSON.parse(whatIf), targets };
      this.#traces.set(key, await this.twin.trace(step, asked));
    }
    return this.#traces.get(key);
  }

  /** What many numbers of a page follow from, found out once for each `key`. */
  once(key, find) {
    if (!this.#kept.has(key)) this.#kept.set(key, find());
    return this.#kept.get(key);
  }

  async of(number) {
    for (const [pattern, rule] of this.#rules) {
      const match = pattern.exec(number.address);
      if (match !== null) return rule(match, number, this);
    }
    return readTrace(await this.trace(number), number.address);
  }

  read(number, address) {
    return this.of({ ...number, address });
  }

  close() {
    for (const trace of this.#traces.values()) trace.dispose();
    this.#traces.clear();
  }
}

const skip = Symbol('no number of the model');
export const skipped = (value) => value === skip;

/** Addresses that any chapter may show. */
const common = [
  [/^train\.tokensPerSecond$/, () => skip],
  // A running total inside a sum of products; the last one is checked as the number itself.
  [/^total:/, () => skip],
  [/^train\.step$/, (_, __, { twin }) => twin.trainer.step],
  [/^train\.(loss|gradientNorm)$/, ([, name], __, { twin }) => twin.metrics.at(-1)?.[name]],
  [/^train\.accuracy$/, (_, __, truth) => truth.once('accuracy', async () => {
    const options = { split: 'validation', maxWindows: 64 };
    return (await truth.twin.trainer.evaluate(options)).accuracy;
  })],
  [/^loss\.(\d+)$/, ([, step], __, { twin }) => twin.metrics[Number(step)]?.loss],
  [/^groups\.(.+)\.change\.(\d+)$/, ([, name, step], __, { twin }) =>
    twin.metrics[Number(step)]?.groups.find((group) => group.name === name)?.change],
  [/^product:(.+)\*(.+)$/, async ([, left, right], number, truth) =>
    (await truth.read(number, left)) * (await truth.read(number, right))],
  [/^change:(.+)$/, async ([, address], number, truth) => {
    const now = await truth.read(number, address);
    // With a question to the model: against no question. Without: against the step before.
    const before = number.whatIf === '[]'
      ? { ...number, step: number.step - 1 } : { ...number, whatIf: '[]' };
    return now - (await truth.read(before, address));
  }],
  [/^difference\.(L\d+\.H\d+)\./, () => skip],
];
