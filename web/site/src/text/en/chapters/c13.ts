// SPDX-License-Identifier: MIT
export const c13 = {
  title: 'Is attention an explanation?',
  question: 'What does each head do, and is a bright cell important?',
  heads: {
    heading: 'Several heads',
    lead: [
      'A layer may have several heads. Each has its own {query|queries}, {key|keys} and '
      + '{value|values}, narrower ones, and mixes on its own; their outputs are put together. Nobody '
      + 'gives a head a role, and small models need not show any that a reader would recognise.',
    ],
    figure: 'Attention weights of all heads',
    one: 'This model has one head in each layer. Under "Task and settings" it can have more.',
    self: 'Rows whose brightest cell is the token itself:',
  },
  importance: {
    heading: 'Four meanings of important',
    lead: [
      'A bright cell looks important. But a large {weight|weight} on a short {value|value} carries '
      + 'little, and what is carried may not matter for the answer. The last map is the only one '
      + 'that asks the model: each look is cut in turn, and the loss is measured again.',
    ],
    figure: 'Four maps of one head',
    renormalise: 'when a look is cut, its share goes to the other columns',
    sums: 'Cut without sharing out, the row no longer adds up to 1.',
  },
  ask: {
    text: (i: number, token: string): string =>
      `Row ${i} ${token}: is its brightest look also the one that costs most to cut?`,
    options: { yes: 'Yes', no: 'No' },
    reveal: 'Brightest, and most costly to cut: columns',
  },
  mute: {
    heading: 'Without a head',
    lead: [
      'A whole head can be taken out: its output set to 0, or to its own average over the rows. The '
      + 'loss says what it was worth on this example.',
    ],
    head: (layer: number, head: number): string => `layer ${layer}, head ${head}`,
    zero: 'output 0',
    mean: 'output averaged',
    loss: 'loss',
    whole: 'nothing taken out',
    all: 'all heads at 0: only what goes past attention is left',
  },
};
