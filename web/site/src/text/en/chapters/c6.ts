// SPDX-License-Identifier: MIT
export const c6 = {
  title: 'From a wrong guess to the mixture',
  question: 'Where does the learning signal come from?',
  error: {
    heading: 'The error is a difference',
    lead: [
      'The model gives every answer a probability; the right one should have had 1, the others 0. The '
      + 'difference is the error: too much here, too little there. It is also the gradient of the '
      + 'loss at the logits, divided by the number {:n} of answers asked for. It adds up to 0: what '
      + 'the right answer is to gain, the others are to lose.',
    ],
    figure: 'Gradient at the logits of this row, (p − y) / n',
    sum: 'Sum over all answers:',
    none: 'No answer is asked for at this row, so no error starts here. Choose a row with an arrow.',
  },
  push: {
    heading: 'The error points somewhere',
    lead: [
      'Each answer has a direction in which the model listens for it. Taken back along these '
      + 'directions, the error becomes an arrow at the {mixture|mixture} of the row: where the loss '
      + 'wants the mixture to move. Its opposite is {:g_i}, the gradient.',
      'Call another answer right, and the arrow turns.',
    ],
    target: 'call this the right answer',
    figure: 'The mixture, and where the loss wants it',
    length: 'Length of the gradient at the mixture:',
    own: 'the right answer',
    axis: (answer: string, rival: string): string => `for ${answer} and against ${rival}`,
  },
  ask: {
    text: (answer: string): string =>
      `Apart from the right answer ${answer}, which answer's logit is pushed down most?`,
    options: {
      likeliest: 'The wrong answer that seems likeliest', even: 'All wrong ones alike',
      other: 'Another one',
    },
    reveal: 'Pushed down most: the answer',
    with: 'which had probability',
  },
};
