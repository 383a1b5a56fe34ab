// SPDX-License-Identifier: MIT
// What the learn room says around its chapters, in English. `{part:formula}` and `{part|words}`
// light up with the figures.

import { chapters } from './chapters';

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const learn = {
  chapters,

  opening: 'Getting the engine ready',
  chapterList: 'Chapters',
  previous: (title: string): string => `Back: ${title}`,
  next: (title: string): string => `Next: ${title}`,
  chapter: (number: number, title: string): string => `${number}. ${title}`,

  tasks: {
    pointAndShift: {
      name: 'point and shift',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} tokens: letters, then a `
        + 'number that points at one of them. It has to answer with the letter that comes next in '
        + 'the alphabet after the one pointed at.',
    },
    copy: {
      name: 'copy',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} tokens: letters, a `
        + 'separator, and then it has to say the same letters again.',
    },
    reverse: {
      name: 'reverse',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} tokens: letters, a `
        + 'separator, and then it has to say the letters again from the last to the first.',
    },
    induction: {
      name: 'induction',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} tokens: a row of `
        + 'letters that then goes on from a place somewhere inside itself. To continue, it has to '
        + 'find where a letter stood before and what followed it there.',
    },
    sort: {
      name: 'sort',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} tokens: letters, a `
        + 'separator, and then it has to say the letters in alphabetical order.',
    },
    text: {
      name: 'your own text',
      lead: (tokens: number): string =>
        `This model is learning, in this page, right now. It reads ${tokens} characters of a text `
        + 'and has to say, after each of them, which character follows.',
    },
  },

  strip: {
    region: 'Training',
    play: 'Train',
    pause: 'Pause',
    step: 'One step',
    back: 'Step back',
    stages: {
      idle: 'Forward only',
      forward: 'Backward only',
      backward: 'Update only',
    },
    stageDone: {
      forward: (loss: string): string =>
        `Forward done: the loss of this batch is ${loss}. No weight has moved.`,
      backward: (norm: string): string =>
        `Backward done: the gradient has length ${norm}. No weight has moved.`,
    },
    pace: 'Speed',
    paces: (steps: number): string =>
      Number.isFinite(steps)
        ? `${steps} ${plural(steps, 'step', 'steps')} a second`
        : 'as fast as it goes',
    reset: 'Reset',
    seed: 'New seed',
    settings: 'Task and settings',
    task: 'Task',
    text: 'Text to learn',
    textUse: 'Learn this text',
    textHint: 'It stays in this tab. Characters beyond 100,000 are not used.',
    textShort: (shortest: number): string => `Type at least ${shortest} characters.`,
    rate: 'Learning rate',
    rateHint: 'Changes from this step on, without a reset.',
    ratePossible: 'A number from 0.000001 to 10.',
    optimizer: 'Optimizer',
    optimizers: { adamw: 'Adam', sgd: 'SGD' } as Record<string, string>,
    block: 'Model',
    blocks: { attention: 'attention only', full: 'full block (norms, feed-forward)' },
    heads: 'Heads in a layer',
    example: (index: number): string => `Example ${index + 1}`,
    exampleNext: 'Next example',
    exampleBack: 'Previous example',
    stepLabel: 'step',
    loss: 'loss',
    accuracy: 'right answers',
    accuracyHint: (sequences: number): string => `of ${sequences} examples never trained on`,
    gradientNorm: 'gradient length',
    tokensPerSecond: 'tokens a second',
    none: '–',
    phases: {
      opening: 'Getting ready',
      running: 'Training',
      paused: 'At rest',
      broken: 'The engine is not running',
    },
    rests: {
      reader: 'Paused',
      hidden: 'Paused while out of sight',
      converged: 'Learned: at rest, nothing more to gain',
      limit: 'At rest after a long run; Train goes on',
    },
    looking: (step: string): string => `Looking at step ${step}`,
    newest: 'To the newest step',
    spoken: (phase: string, step: string, loss: string | undefined): string =>
      loss === undefined ? `${phase}. Step ${step}.` : `${phase}. Step ${step}, loss ${loss}.`,
    keys: 'Space: train or pause. Full stop: one step. Comma: a step back. G: value or gradient. '
      + 'Arrow keys move, Enter pins, Escape lets go.',
  },

  depth: {
    label: 'Depth',
    picture: 'picture',
    numbers: 'numbers',
    algebra: 'algebra',
    code: 'code',
  },

  side: {
    label: 'Show',
    forward: 'values',
    gradient: 'pushes',
  },

  inspector: {
    heading: 'This number',
    none: 'Point at a number, or move to it with the arrow keys, to see where it comes from.',
    address: 'Address',
    value: 'Value',
    formula: 'How it is made',
    terms: 'Term by term',
    term: 'term',
    product: 'product',
    total: 'running total',
    from: 'Comes from',
    to: 'Goes into',
    nowhere: 'This is the end: the loss.',
    start: 'A weight, learned.',
    unpin: 'Let go',
    open: 'Open',
    close: 'Close',
    sign: 'The gradient is the slope of the loss. Descent goes the other way; the push is minus the '
      + 'gradient.',
  },

  /** What an address names, by its letter. */
  names: {
    E: 'What the model has learned to write for this token: one number of its embedding.',
    P: 'What the model has learned to write for this place in the sequence.',
    X: 'One number of the row that goes into the three projections.',
    Q: 'One number of a {query|query}: what this row looks for.',
    K: 'One number of a {key|key}: what this column offers to be found by.',
    V: 'One number of a {value|value}: what this column hands over when it is looked at.',
    S: 'A {score|score}: how well the {query|query} of this row and the {key|key} of this column '
      + 'point the same way.',
    A: 'A {weight|weight}: the share of its attention that this row spends on this column.',
    C: 'One number of the {mixture|mixture}: the values of all visible columns, by their weights.',
    Y: 'One number of what attention writes into the stream.',
    M: 'One number of the stream after attention.',
    N: 'One number of what the output layer reads.',
    logits: 'How strongly the model speaks for this answer, before the softmax.',
    probs: 'The probability that the model gives to this answer.',
    loss: 'How wrong the guess at this row is: minus the logarithm of the right answer\'s '
      + 'probability.',
    dlogits: 'How the loss changes with this logit.',
    dC: 'How the loss changes with this number of the mixture.',
    dA: 'How the loss would change if this weight alone grew.',
    dS: 'How the loss changes with this score: minus the {push|push}.',
    push: 'The {push|push} on this score: where descent wants it to go, and how much.',
    gain: 'How much the loss would fall, to first order, for each unit of this value mixed in.',
    mean: 'The same for the present mixture: what a value has to beat to be pushed up.',
    dQ: 'How the loss changes with this number of the query.',
    dK: 'How the loss changes with this number of the key.',
    dV: 'How the loss changes with this number of the value.',
    dW_Q: 'How the loss changes with this weight of {query:W_Q}.',
    dW_K: 'How the loss changes with this weight of {key:W_K}.',
    dW_V: 'How the loss changes with this weight of {value:W_V}.',
    W_Q: 'A weight of {query:W_Q}.',
    W_K: 'A weight of {key:W_K}.',
    W_V: 'A weight of {value:W_V}.',
  } as Record<string, string>,

  tools: {
    code: 'Copy as code',
    codeCopied: 'Copied: code that computes this number.',
    link: 'Copy link',
    linkCopied: 'Copied: a link to exactly this.',
    failed: 'The browser did not allow copying. The text is shown below the figure.',
  },

  timeline: { heading: 'Steps so far', region: 'Timeline' },

  question: {
    heading: 'Before you look',
    check: 'Show what the model says',
    right: 'Right.',
    wrong: 'Not this time.',
    again: 'Ask again',
  },

  pick: {
    row: 'row that looks', column: 'column looked at', head: 'head', layer: 'layer',
    answer: 'right answer', rival: 'rival',
  },

  ratio: '{count} of {of}',
  algebra: 'In algebra',
  whatIf: 'What if: these are not the model\'s own numbers but what it would compute.',
  whatIfBack: 'Back to the model',
  heldFixed: 'This model has norms. Their scale is held at its present value here, so that a part '
    + 'can be spoken of alone.',

  code: { heading: 'In code', copy: 'Copy' },

  error: (why: string): string => `Training stopped. ${why}`,
};
