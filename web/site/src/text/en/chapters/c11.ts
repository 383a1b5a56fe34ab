// SPDX-License-Identifier: MIT
export const c11 = {
  title: 'Why V at all?',
  question: 'If attention already picks tokens, why transform them?',
  lead: [
    'Point and shift is two jobs in one. Routing: find the letter that is pointed at; that is for '
    + '{query:W_Q} and {key:W_K}. Content: say the letter after it; that is for {value:W_V}. Ten '
    + 'models start from the same seed and see the same batches. In each of them something is taken '
    + 'away.',
    'In the left column the embeddings are held still at their random start, so nothing can stand in '
    + 'for what was taken. In the right column they may learn.',
  ],
  variants: {
    full: 'nothing taken away',
    identity: 'no W_V: V = X',
    frozenValue: 'W_V held at random',
    frozenScores: 'W_Q and W_K held at random',
    uniform: 'looks everywhere evenly',
  },
  columns: { frozen: 'embeddings held still', learned: 'embeddings learn' },
  predict: {
    text: 'With embeddings held still and V = X, how many answers will be right in the end?',
    options: {
      chance: 'about as many as by guessing (1 in 8)', half: 'about half', all: 'nearly all',
    },
    reveal: 'Share of right answers in the end:',
  },
  start: 'Train all ten',
  stop: 'Stop',
  busy: (step: string, steps: string): string => `step ${step} of ${steps}`,
  figure: (column: string): string => `Loss, ${column}`,
  table: 'Right answers after training',
  variant: 'model',
  accuracy: (samples: string): string => `share of ${samples} fresh examples`,
  looks: 'Where each looks: weights of the last row on an example never trained on',
  reading: {
    heading: 'How to read it',
    text: [
      'With embeddings held still, the two jobs separate cleanly. Without {value:W_V} the model may '
      + 'look at the right letter and can only repeat it. Without learned scores it cannot find the '
      + 'letter.',
      'Once embeddings may learn, the rest of the model works around almost anything that was taken '
      + 'away: all parts are optimised together, and together they find another way. Had only the '
      + 'right column been looked at, it would have seemed that hardly any part is needed.',
      'With a {:W_O} after it and values as wide as the stream, {value:W_V} can be folded into '
      + '{:W_O}; what matters is the product of both, head by head.',
    ],
  },
  seed: 'Seed',
  outProjection: 'with an output projection W_O',
};
