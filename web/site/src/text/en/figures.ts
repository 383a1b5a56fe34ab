// SPDX-License-Identifier: MIT
// Every word the figures say, in English. `{name}` is where a number, a token or a word goes.

export const figureWords = {
  language: 'en',

  tokens: { space: 'space', newline: 'line break', tab: 'tab', empty: 'empty' },

  frame: {
    tools: 'Figure tools',
    table: 'Table',
    save: 'Save',
    png: 'Image (PNG)',
    svg: 'Vector image (SVG)',
    csv: 'Numbers (CSV)',
    json: 'Numbers with addresses (JSON)',
    noNumber: 'none',
  },

  labels: {
    token: '{index} {token}',
    spokenToken: '{index}, {token}',
    channel: 'channel {index}',
    shouldSay: '{index} {token}, should say {expected}',
    row: 'row',
  },

  grid: {
    looks: 'Rows look, columns are looked at.',
    looksTransposed: 'Columns look, rows are looked at.',
    rowSums: 'Each row sums to {one}.',
    columnSums: 'Each column sums to {one}.',
    arrow: 'a → b: at a, the answer should be b.',
    lookCell: "row {i} '{from}' looks at column {j} '{to}': {value}",
    lookMasked: "row {i} '{from}' cannot see column {j} '{to}', which comes later: 0",
    lookPush: "row {i} '{from}' looks at column {j} '{to}': {value} {push} (weight, push)",
    lookPushMasked:
      "row {i} '{from}' cannot see column {j} '{to}', which comes later: 0 0 (weight, push)",
    plainCell: '{row}, {column}: {value}',
    transpose: 'Swap rows and columns',
    lock: 'Fixed scale',
    pinned: 'Pinned. Esc releases.',
    hint: 'Point or use arrow keys to look, click or Enter to pin, Esc to release.',
    weight: 'weight',
    push: 'push',
    both: 'Upper number: weight. Lower number: push, where descent wants the score.',
  },

  plane: {
    lengths: 'length of q: {q}; length of k: {k}',
    angle: 'angle {angle}°, cosine {cos}',
    product: 'q · k = {dot}',
    score: 'score = {dot} × {scale} = {score}',
    query: 'q {index} {token}',
    key: 'k {index} {token}',
    handle: 'Tip of the query',
    handleHint: 'Up and down: 10 % longer or shorter. Left and right: turn by 5°. Esc: back.',
    handleValue: 'length {length}, angle {angle}°',
    changed: 'What if: the query has been moved. Esc puts it back.',
    back: 'Put it back',
    exact: 'Both vectors lie in this plane: lengths and angle are true.',
  },

  bars: {
    product: 'q × k, channel by channel',
    total: 'total',
  },

  ruler: {
    axis: 'distance along the query q {index} {token}',
    hidden: 'not visible to this row',
    exact: 'Score = this distance × length of the query × {scale}.',
  },

  budget: {
    score: 'score',
    exp: 'exp(score − max)',
    share: 'share',
    sum: 'sum {sum}',
    bar: 'One bar of length {one}, shared out',
    entropy: 'entropy of the row: {entropy} nats',
    signal: 'size of the learning signal, sum of |dS|: {signal}',
    nudge: 'Push the score of {index} {token}',
  },

  view: {
    across: 'across: {name}',
    up: 'up: {name}',
    largest: 'the direction of most of what is left',
    kept: 'share of length kept by this view: {share}',
    mixture: 'the mixture c {index}',
    query: 'the query q {index}',
    valueGradient: 'the push on v {index}',
    pushTip: 'where the loss wants it',
    moved: 'where the pushes move it',
    scaled: 'arrows drawn {factor} times as long',
  },

  mixture: {
    end: 'c {index}',
  },

  gain: {
    axis: 'gain if the row took only this value; right helps more',
    mean: 'present mixture: {mean}',
    gain: 'gain',
    weight: 'weight',
    push: 'push',
    rule: 'push = weight × (gain − mean)',
    size: 'The larger a dot, the larger its weight.',
  },

  nudge: {
    axis: 'added to the score of row {i} {from}, column {j} {to}',
    curve: 'true loss',
    line: 'tangent',
    tangent: 'tangent, slope {slope}',
    handle: 'Nudge of the score',
    at: 'at nudge {by}: true loss {loss}, tangent {line}, apart by {gap}',
  },

  readers: {
    cut: 'Cut reader {index} {token}',
    value: 'v {index} {token}',
    sum: 'push on v: length {length}',
    width: 'The wider an arrow, the more that row reads this value.',
    none: 'No row reads this value.',
  },

  outer: {
    gradient: 'gradient of {of}',
    chosen: 'what {index} {token} adds',
    share: 'share of the gradient',
    shareSum: 'shares sum to {sum}',
    small: 'The gradient is too small for shares to mean something.',
    all: 'All tokens together',
  },

  step: { before: 'before', after: 'after', change: 'change', push: 'push' },

  ledger: {
    predicted: 'predicted',
    measured: 'measured',
    remainder: 'remainder',
    sum: 'all groups',
    before: 'loss before',
    after: 'loss after',
    apply: 'Apply {name}',
    explain:
      'Predicted: gradient times change. Measured: only this group moves. Remainder: what a straight line misses, and what the groups do to each other.',
  },

  curves: {
    at: 'at step {step}',
    label: '{name}: {value}',
    slider: 'Step of the curves of {title}',
    spoken: 'step {step}: {values}',
    empty: 'No points yet.',
  },

  timeline: {
    slider: 'Step',
    step: 'step {step}',
    pin: 'Pin step {step}',
    unpin: 'Unpin step {step}',
    pins: 'Pinned steps',
    goto: 'Go to step {step}',
  },

  heads: {
    head: 'layer {layer}, head {head}',
    short: 'L{layer}.H{head}',
  },

  importance: {
    weights: 'A: how bright',
    sizes: 'A|v|: how much it carries',
    firstOrder: '−A·dA: what the slope says a cut costs',
    cut: 'loss when cut, minus loss',
    agreement: 'Rank agreement (Spearman, visible cells)',
    selfTop: 'Rows whose brightest cell is the token itself: {count} of {total}',
    cutTop: 'Rows whose brightest cell is the one that costs most to cut: {count} of {total}',
  },
};
