// SPDX-License-Identifier: MIT
export const c9 = {
  title: 'Who taught W_Q?',
  question: 'Which token or pair is responsible for this gradient?',
  stack: {
    heading: 'A gradient is a stack',
    lead: [
      'The gradient of a projection is a sum of simple pieces, one for each token: the row of {:X} '
      + 'that went in, times the gradient at what came out, every number of one with every number '
      + 'of the other. So it can be asked who contributed how much.',
      'The share of a piece is how far it reaches along the whole gradient. Shares add up to 1; a '
      + 'negative share means that this token pulled the other way.',
    ],
    projection: 'projection',
    figure: (name: string): string => `Gradient of ${name}, as a stack of pieces`,
    floor: 'This gradient is too small to be shared out: shares would be noise.',
  },
  pairs: {
    heading: 'Pair by pair',
    lead: [
      'For {query:W_Q} and {key:W_K} each piece splits further, since a score belongs to a pair: the '
      + 'row that looks and the column it looks at.',
    ],
    figure: 'Signed share of each pair',
    sum: 'Shares of all pairs add up to',
  },
  ask: {
    text: (name: string): string =>
      `Which token adds most to the gradient of ${name} on this example?`,
    last: 'The last one', other: 'Another one',
    reveal: 'Largest share: token',
  },
  batch: {
    heading: 'Over the batch',
    lead: [
      'A step adds up the gradients of a whole batch. Some examples speak louder than others: mostly '
      + 'those the model gets wrong.',
    ],
    start: 'Ask all examples of the next batch',
    busy: (done: string, all: string): string => `asking ${done} of ${all}`,
    figure: (name: string): string => `Share of each example in the batch's gradient of ${name}`,
    example: (index: number): string => `example ${index + 1}`,
    loudest: 'Loudest: example',
    loss: 'its loss, and the mean loss of the batch:',
  },
};
