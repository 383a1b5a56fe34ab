// SPDX-License-Identifier: MIT
export const c5 = {
  title: 'Mixing',
  question: 'What comes out of the weighted sum, and why is it called contextual?',
  mix: {
    heading: 'A row becomes a mixture',
    lead: [
      'The row takes the {value|value} of every column it may see, as much of each as its '
      + '{weight|weight} says, and adds them up. The sum is its {mixture|mixture}, {mixture:c_i}.',
      'Below, each arrow is one {weight:A_ij} {value:v_j}. Laid head to tail, they end at '
      + '{mixture:c_i}. The vectors have more than two directions; the view is along the one that '
      + 'matters for the answer, and across it along the one that holds most of the rest. How much '
      + 'of their length can be seen is printed.',
    ],
    figure: 'Weighted values, head to tail',
    axis: (answer: string, rival: string): string => `for ${answer} and against ${rival}`,
  },
  parts: {
    heading: 'What each look contributes to the answer',
    lead: [
      'The model speaks for an answer by its logit. The difference between two logits is a sum, so it '
      + 'can be split: so much from each column looked at, so much from the token\'s own embedding '
      + 'past all attention. The parts add up exactly.',
    ],
    figure: (answer: string, rival: string): string => `Logit of ${answer} minus logit of ${rival}`,
    edge: (index: number, token: string): string => `looking at ${index} ${token}`,
    others: 'this layer\'s other heads',
    embedding: 'own embedding and position',
    attention: (layer: number): string => `attention of layer ${layer}`,
    feedForward: (layer: number): string => `feed-forward of layer ${layer}`,
    bias: 'biases',
    total: 'sum: the difference',
  },
  mute: {
    label: (index: number, token: string): string => `Cut the look at column ${index} ${token}`,
    renormalise: 'give its share to the other columns',
    loss: 'Loss of this example, uncut and cut:',
  },
  ask: {
    text: (answer: string, rival: string): string =>
      `Which look speaks most for ${answer} against ${rival}: the brightest one, or another?`,
    options: { brightest: 'The brightest one', other: 'Another one' },
    reveal: 'Brightest, and strongest for the answer: columns',
  },
  context: {
    heading: 'Same token, another context',
    lead: [
      'Take two sequences that differ in one token only, and look at a later row whose own token is '
      + 'the same in both. With positions switched off, its row of {:X} is the same in both: the '
      + 'same token, the same numbers. Its {mixture|mixture} is not. That is what contextual means: '
      + 'the row now carries something about the others.',
    ],
    pick: (row: number, token: string, changed: number, from: string, to: string): string =>
      `Row ${row} ${token}; at column ${changed}, ${from} is replaced by ${to}.`,
    x: 'Distance between the two rows of X',
    c: 'Distance between the two mixtures',
  },
};
