// SPDX-License-Identifier: MIT
export const c1 = {
  title: 'A sequence is a table',
  question: 'What is X, why is it a matrix, and where is the order?',
  rows: {
    heading: 'One row for each token',
    lead: [
      'A model computes with numbers, so each token is looked up in a table of learned rows: its '
      + 'embedding. Every place in the sequence has a learned row as well. Their sum is the row of '
      + '{:X} for this token at this place. Without the second part, the same token would be the '
      + 'same row wherever it stands.',
      'One under the other, the rows make the matrix {:X}: one row for each token, one column for '
      + 'each number.',
    ],
    x: 'X: what goes into attention',
    e: 'E: embedding of each token',
    p: 'P: position of each place',
  },
  pairs: {
    heading: 'Every row within reach of every other',
    lead: [
      'Take two rows. Each is turned into a vector, a {query|query} from the one and a {key|key} from '
      + 'the other, and the two are compared by one number.',
      'With all rows packed into one matrix, a single product does this for every pair at once. That '
      + 'is the point of the packing: no pair is too far apart, and no order of work is forced on '
      + 'the machine.',
    ],
    pair: 'One pair of rows',
    all: 'All pairs at once',
  },
  swap: {
    heading: 'Where is the order?',
    lead: [
      'Attention itself knows no order. Swap two tokens: with positions and mask both switched off, '
      + 'the two output rows swap as well, and nothing else changes. Whatever order a model knows '
      + 'comes from the positions it was given and from the mask.',
    ],
    positions: 'positions',
    mask: 'mask',
    what: (a: number, from: string, b: number, to: string): string =>
      `Tokens ${a} ${from} and ${b} ${to} are swapped.`,
    same: 'Choose a row and a column with different tokens.',
    figure: 'Output of attention after the swap',
    first: (a: number, b: number): string => `Row ${a} now, compared with row ${b} before:`,
    second: (a: number, b: number): string => `Row ${b} now, compared with row ${a} before:`,
    others: 'All other rows, compared with before:',
    unit: 'largest difference',
  },
  ask: {
    text: 'Positions and mask stay as they are in the model. Two tokens are swapped. Which output '
      + 'rows change?',
    options: { two: 'Only those two', more: 'Others as well' },
    reveal: 'Largest difference in the other rows:',
  },
};
