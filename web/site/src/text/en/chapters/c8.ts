// SPDX-License-Identifier: MIT
export const c8 = {
  title: 'What the values are told',
  question: 'How does W_V get its signal?',
  readers: {
    heading: 'A value hears from its readers',
    lead: [
      'Every row that looks at column {key:j} has used {value:v_j}, and has an opinion: its own '
      + 'error, {:-g_i}, in proportion to how much it looked. The {push|push} on {value:v_j} is the '
      + 'sum of these, and nothing else. A value that nobody reads is told nothing.',
    ],
    figure: 'What each reader tells this value',
    cut: 'Without the readers that you cut, the push on this value would have length',
    uncut: 'With all of them it has length',
  },
  ask: {
    text: (j: number, token: string): string =>
      `Which row tells value ${j} ${token} most: the one that looks at it most, or another?`,
    options: { most: 'The one that looks most', other: 'Another one' },
    reveal: 'Looks most, and says most: rows',
  },
  same: {
    heading: 'Mix first or transform first',
    lead: [
      'The model transforms every row by {value:W_V} and then mixes. Mixing the rows of {:X} first '
      + 'and then transforming gives the same: {:A (X W_V) = (A X) W_V}. Switch between the two and '
      + 'watch for anything that moves.',
      'So {value:W_V} is trained exactly like an ordinary linear layer whose inputs are rows that '
      + 'have already been mixed, {:\\bar{x}_i = \\sum_j A_ij x_j}.',
    ],
    options: { transform: 'A (X W_V)', mix: '(A X) W_V' },
    label: 'Order',
    figure: 'Mixtures C, one row each',
    difference: 'Largest difference between the two, over all cells:',
  },
  gradient: {
    heading: 'The gradient of W_V, piece by piece',
    lead: [
      'Each row {query:i} adds one piece: its mixed input {:\\bar{x}_i} times its error {:g_i}, every number '
      + 'of one with every number of the other. The sum of the pieces is the gradient of '
      + '{value:W_V}.',
    ],
    mixed: 'Mixed input rows, A X',
    upstream: 'Gradient at the mixtures, G',
    figure: 'Gradient of W_V',
    row: (i: number, token: string): string => `The piece that row ${i} ${token} adds`,
    pieces: 'Largest difference between the sum of the pieces and the gradient:',
  },
};
