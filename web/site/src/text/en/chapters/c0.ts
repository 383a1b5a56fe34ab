// SPDX-License-Identifier: MIT
export const c0 = {
  title: 'It learns while you watch',
  question: 'What is being learned, and is it real?',
  example: 'One example that it never trains on',
  guess: {
    heading: 'Its guesses',
    lead: [
      'After each token the model gives every possible answer a probability. One row is one place in '
      + 'the sequence; its probabilities add up to 1. Only rows with an arrow are marked right or '
      + 'wrong in this task: there the answer should be the token behind the arrow.',
    ],
    figure: 'Probability of each answer, row by row',
    target: 'Probability of the right answer',
    none: 'no answer is asked for here',
  },
  look: {
    heading: 'Where it looks',
    lead: [
      'Attention is a table of {weight|weights}. Each row looks at the columns before it and at '
      + 'itself, and shares out exactly 1. At step 0 nobody has told it where to look; what you see '
      + 'there comes from random numbers alone. Heads have no roles by design. Whatever pattern '
      + 'there is now was learned.',
    ],
    origin: 'Step 0',
    now: (step: string): string => `Step ${step}`,
    grid: 'Attention weights of all heads',
  },
  loss: {
    heading: 'How wrong it is',
    lead: [
      'The loss of a right answer that got probability {:p} is {:-ln p}: 0 when the model is sure '
      + 'and right, and larger the less it expected the answer. Each step takes 32 fresh examples '
      + 'and moves every weight a little to where their loss falls.',
    ],
    curve: 'Loss of each step\'s batch',
    even: 'guessing evenly',
  },
  why: {
    button: 'Why?',
    close: 'Close',
    heading: 'One guess, one blame, one nudge, one better guess',
    lead: (i: number, from: string, j: number, to: string): string =>
      `The weight that changed most since step 0: row ${i} ${from} looking at column ${j} ${to}.`,
    guess: 'Guess',
    guessSays: 'At this row the right answer gets probability',
    blame: 'Blame',
    blameSays: 'Followed backwards, the error gives every score a push. The push on this one is',
    up: 'up: descent wants the row to look here more.',
    down: 'down: descent wants the row to look here less.',
    none: 'none: at this row nothing is to be gained.',
    nudge: 'Nudge',
    nudgeButton: 'Make one step',
    nudgeSays: 'One step on a batch of 32 other examples moves the score by',
    better: 'Better guess?',
    betterSays: 'Afterwards the right answer gets probability',
    with: 'The score went the way it was pushed.',
    against: 'The score went against its push: weights are shared, and the other examples of the '
      + 'batch pulled harder.',
    noTarget: 'No answer is asked for at this row, so the error reaches it only through others.',
  },
};
