// SPDX-License-Identifier: MIT
export const c7 = {
  title: 'What the scores are told',
  question: 'How do W_Q and W_K learn to look at the right place?',
  push: {
    heading: 'Every score gets a push',
    lead: [
      'The error at the end is followed backwards, through the guess, to the {mixture|mixture} of each '
      + 'row, and from there to its {score|scores}. What arrives is one number for each score: its '
      + '{push|push}. Plus means that descent wants the row to look there more, minus less.',
      'The push is minus the gradient. The gradient is the slope of the loss; the loss falls the '
      + 'other way.',
    ],
    figure: 'Weight and push, in the same cell',
    sums: 'Rows whose pushes add up to 0 (within a millionth of their size):',
    dim: 'Visible cells with a weight below 0.1:',
    dimShare: 'Their share of all push:',
  },
  ask: {
    text: (i: number, from: string, j: number, to: string): string =>
      `Row ${i} ${from} looks at column ${j} ${to}. Is this score pushed up or down?`,
    options: { up: 'Up', down: 'Down', none: 'Neither: exactly 0' },
    reveal: 'Its value would gain, against what the mixture gains, and so the push is',
  },
  gain: {
    heading: 'Better than the mixture, or worse?',
    lead: [
      'Let {:g_i} be the gradient at the mixture: the direction in which the loss of this row grows. '
      + 'Moving against it helps. So each {value|value} has a {gain|gain}: '
      + '{gain:-g_i \\cdot v_j}, how much the loss would fall for each unit of it. The mixture has '
      + 'one too: {mean:-g_i \\cdot c_i}.',
      'A score is pushed up exactly if its value gains more than the present mixture does. How hard '
      + 'depends on the weight as well: {push:push_ij} = {weight:A_ij} ({gain:gain_ij} − '
      + '{mean:mean_i}). A column that is hardly looked at is hardly heard.',
    ],
    figure: 'Gain of each value, beside the mixture\'s',
  },
  query: {
    heading: 'The query moves toward helpful keys',
    lead: [
      'A score is {query:q_i} times {key:k_j}. To raise it, the {query|query} moves along the '
      + '{key|key}; to lower it, away. All columns pull at once, each as hard as its {push|push}. The '
      + 'keys move along the query in the same way. What moves the query is passed on to '
      + '{query:W_Q}, what moves the keys to {key:W_K}: they are paid for pointing at the right '
      + 'place, and for nothing else.',
    ],
    figure: 'The query and what pulls at it',
  },
  nudge: {
    heading: 'A slope can be checked by hand',
    lead: [
      'Add something to one score and see the true loss. At 0 the curve has the slope that the '
      + 'backward pass computed. Further away it bends: the push is good advice for small steps '
      + 'only. In a row that is nearly decided, the slope is almost nothing although the loss can '
      + 'still change a lot.',
    ],
    figure: 'True loss when this score is nudged',
    saturated: 'Go to the most decided row',
    open: 'Go to the cell with the strongest push',
  },
  noTarget: 'No answer is asked for at this row and nothing later depends on it, so every push here '
    + 'is 0. Choose another row.',
};
