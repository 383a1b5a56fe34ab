// SPDX-License-Identifier: MIT
export const c12 = {
  title: 'Over training',
  question: 'What is learned first, and what depends on what?',
  lead: [
    'Every step so far can be looked at again, exactly: drag the timeline, or press comma and full '
    + 'stop. Below, each curve is measured on the example shown, at steps spread over the run so '
    + 'far. Click a curve to go to that step; every figure of every chapter goes along.',
  ],
  measure: 'Measure the run so far',
  measuring: (done: string, all: string): string => `measuring ${done} of ${all} steps`,
  row: {
    heading: 'How decided the row is',
    lead: [
      'Entropy says how spread out a row\'s attention is: 0 when it looks at one column only, the '
      + 'logarithm of the number of columns when it looks at all evenly. The size of the '
      + '{push|pushes} on its scores says how much there is to learn about where to look. Pushes '
      + 'fade for two reasons: the guess is right, or the row is so decided that softmax lets '
      + 'nothing through.',
    ],
    entropy: 'entropy of this row (nats)',
    push: 'size of its pushes',
    figure: 'Entropy, and size of the pushes',
    loss: 'loss of this example',
    lossFigure: 'Loss of this example',
    answerFigure: 'Probability of the right answer',
    answer: 'right answer',
  },
  groups: {
    heading: 'Which weights move when',
    lead: [
      'The length of the change of each group of weights in a step. Groups learn at different times: '
      + 'what one of them is paid for depends on what the others already do.',
    ],
    figure: 'Change of the weights in each step, by group',
  },
  compare: {
    heading: 'Two steps side by side',
    lead: ['Pin two steps in the timeline, and see how the attention differs.'],
    none: 'Pin two steps in the timeline below.',
    at: (step: string): string => `Step ${step}`,
    difference: 'Difference, later minus earlier',
  },
  branch: {
    heading: 'From here on otherwise',
    lead: [
      'Go to an earlier step and train on from there with another setting. Without a change, the '
      + 'branch repeats the old losses to the last bit.',
    ],
    rate: 'Learning rate of the branch',
    start: (step: string): string => `Branch at step ${step}`,
  },
};
