// SPDX-License-Identifier: MIT
export const c3 = {
  title: 'Alignment',
  question: 'What does it mean that a query and a key point the same way?',
  plane: {
    heading: 'Two vectors always share a plane',
    lead: [
      'A {query|query} and a {key|key} have many numbers, but any two vectors lie in one plane. Drawn '
      + 'in that plane, lengths and angle are true; nothing is squeezed. Their product is the length '
      + 'of one, times the length of the other, times the cosine of the angle: large if both are '
      + 'long and point the same way, 0 at a right angle, negative beyond.',
      'Move the tip of the {query|query}, with the pointer or the arrow keys, and see what the model '
      + 'would do with it: its scores, its weights, its loss. Let go, and it is back.',
    ],
    figure: 'Query and key, in the plane they share',
    loss: 'Loss of this example, as it is and with the moved query:',
  },
  ruler: {
    heading: 'One query, all keys',
    lead: [
      'For one row, only one thing about each {key|key} counts: how far it reaches along the '
      + '{query|query}. That is an exact picture in one dimension: all the keys as marks on a ruler.',
    ],
    figure: 'All keys along one query',
  },
  bars: {
    heading: 'The same number as a sum',
    lead: [
      'The product can also be added up number by number. Some pairs pull up, some pull down; the '
      + '{score|score} is what is left, divided by {:\\sqrt{D}}.',
    ],
    figure: 'Products that add up to the score',
  },
  all: {
    heading: 'All scores',
    figure: 'Scores S: rows look, columns are looked at',
    row: 'Weights of this row',
  },
  ask: {
    text: 'All scores of a row are multiplied by 2, as by a query twice as long. Does the row\'s '
      + 'favourite column change?',
    options: { no: 'No, but it gets more', yes: 'Yes' },
    reveal: 'Favourite before and after: columns',
    weight: 'its weight before and after:',
  },
};
