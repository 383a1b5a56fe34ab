// SPDX-License-Identifier: MIT
export const c10 = {
  title: 'One step, taken apart',
  question: 'What did the update do here, and whose doing was it?',
  lead: [
    'The next step is looked at before it is made. The batch, the gradients and the new weights are '
    + 'the real ones; afterwards everything is put back.',
  ],
  resting: 'Pause training to take the next step apart.',
  scrubbed: 'Go to the newest step to take the next one apart.',
  optimizer: 'With Adam each weight gets a rate of its own, so the step does not simply follow the '
    + 'gradient, and a straight-line prediction is rougher. With SGD it does follow it.',
  ledger: {
    heading: 'The ledger of the loss',
    lead: [
      'The weights come in groups. For each group there is a prediction, the slope times the change, '
      + 'and a measurement: the loss of this batch when only this group moves. What is left when all '
      + 'move together is the remainder: the curve bends, and the groups work on each other. That '
      + 'remainder is what "trained jointly" means, as a number.',
    ],
    figure: 'Change of the loss in the next step, by group of weights',
    subset: 'Loss if only the ticked groups move:',
    groups: {
      embeddings: 'embeddings', positions: 'positions', query: 'W_Q', key: 'W_K', value: 'W_V',
      output: 'W_O', feedForward: 'feed-forward', norms: 'norms', norm: 'final norm', head: 'head',
    } as Record<string, string>,
    layer: (layer: number, name: string): string => `layer ${layer} ${name}`,
  },
  cell: {
    heading: 'One cell, before and after',
    lead: [
      'The update changes every {query|query} and every {key|key}. A {score|score} is a product of '
      + 'both, so its change splits exactly into three parts: the query moved, the key moved, and '
      + 'both moved at once.',
    ],
    before: 'Score before and after',
    figure: 'Change of this score',
    query: 'query moved: Δq · k',
    key: 'key moved: q · Δk',
    both: 'both: Δq · Δk',
    total: 'change of the score',
    followed: 'Visible scores that went the way they were pushed:',
    followedLead: 'Weights are shared by all rows and all examples, so a score can go against its '
      + 'own push.',
  },
  output: {
    heading: 'Routing or content',
    lead: [
      'The {mixture|mixture} changes because the row looks elsewhere ({weight:A} changed: routing), '
      + 'because what it finds there is different ({value:V} changed: content), and because of both '
      + 'at once. The parts are shown along the direction that speaks for the right answer.',
    ],
    figure: 'Change of the mixture, for the answer and against its rival',
    routing: 'routing: ΔA · v',
    content: 'content: A · Δv',
    both: 'both: ΔA · Δv',
    total: 'change of the mixture',
  },
  apply: {
    heading: 'Make only part of the step',
    buttons: { scores: 'Only W_Q and W_K', values: 'Only W_V', all: 'All groups' },
    undo: 'Undo',
    done: (names: string): string => `Made a step of: ${names}.`,
  },
  ask: {
    text: 'Which single group lowers the loss of this batch most, if it alone moves?',
    reveal: 'Measured change of the loss:',
  },
};
