// SPDX-License-Identifier: MIT
export const c2 = {
  title: 'Three readings of the same row',
  question: 'Why are Q, K and V different if they come from the same x, and why are they called so?',
  readings: {
    heading: 'One row, three questions',
    lead: [
      'A row has to play three parts. As the one that looks, it asks for something: that is its '
      + '{query|query}. As one that may be looked at, it says what it can be found by: its '
      + '{key|key}. And when it is looked at, it hands something over: its {value|value}. What one '
      + 'asks for, answers to, and hands over need not be the same, so each is a reading of its own: '
      + 'the row times {query:W_Q}, times {key:W_K}, times {value:W_V}.',
      'The names come from looking things up: a query is compared with keys, and what belongs to the '
      + 'matching keys is the value. Here every key matches a little.',
    ],
    x: (row: number): string => `Row ${row} of X`,
    q: 'Queries, Q = X W_Q',
    k: 'Keys, K = X W_K',
    v: 'Values, V = X W_V',
  },
  microscope: {
    heading: 'Under the microscope',
    lead: [
      'Every number of a {query|query} is a sum: each number of the row of {:X} times one weight of a '
      + 'column of {query:W_Q}, added up. Choose the reading and the number.',
    ],
    reading: 'reading',
    channel: 'number',
    figure: (letter: string, row: number, channel: number): string =>
      `${letter}: row ${row}, number ${channel}, term by term`,
    total: 'sum',
    step: 'Add the next term',
    all: 'Add all terms',
    restart: 'Start over',
    soFar: 'Sum so far:',
  },
  edit: {
    heading: 'Change one weight',
    lead: [
      'Type another value for one weight. All of the model is computed again with it; the weights in '
      + 'training stay as they are.',
    ],
    weight: (name: string, row: number, column: number): string =>
      `Weight of ${name}, row ${row}, column ${column}`,
    row: 'row of the weight',
    back: 'Back to its own value',
    wrong: 'Type a number.',
    cell: 'This number, before and with the change',
    score: 'Score of the chosen row and column',
    attention: 'Weight of the chosen row and column',
    loss: 'Loss of this example',
    before: 'before',
    after: 'with the change',
  },
};
