// SPDX-License-Identifier: MIT
export const c4 = {
  title: 'Softmax is a budget',
  question: 'Why softmax, why divide by the square root of D, and why can it not see ahead?',
  budget: {
    heading: 'From scores to shares',
    lead: [
      'A row compares its {query|query} with the {key|key} of every column it may see. Each '
      + 'comparison gives a {score|score}. Scores can be any numbers; attention needs shares. So each '
      + 'score is raised to a power of {:e}, and divided by the sum of these powers along the row. '
      + 'The results are the {weight|weights} {weight:A_ij}: positive, and together exactly 1.',
      'That makes attention a budget. To spend more on one column, the row has to spend less on '
      + 'others. Only differences between scores count: adding 5 to all of them changes nothing.',
    ],
    figure: 'One row: scores, powers, shares',
  },
  ask: {
    text: (j: number, token: string): string =>
      `Suppose the score of column ${j} ${token} grows by 1 and nothing else is touched. What happens `
      + 'to the weights of the other visible columns?',
    options: { fall: 'All of them fall', stay: 'They stay as they are', mixed: 'Some rise, some fall' },
    reveal: (j: number): string => `With 1 added to score ${j}, the others change by`,
    own: 'and its own weight changes by',
  },
  scale: {
    heading: 'Why the scores are divided by √D',
    lead: [
      'A score is a sum of {:D} products. The more of them, the larger it tends to be, for no better '
      + 'reason than that there are more. Divided by {:\\sqrt{D}}, scores start out at the same size '
      + 'whatever {:D} is.',
      'Size matters because softmax gets stubborn. Multiply all scores and the largest takes nearly '
      + 'everything; then the {push|pushes} on the scores fade, and the row can hardly learn any '
      + 'more. Move the slider and watch the size of the learning signal under the bar.',
    ],
    label: 'Scores are multiplied by',
    stops: (factor: string): string => `${factor} times what the model uses`,
    model: 'what the model uses: 1 / √D',
    undivided: 'not divided at all',
    even: 'zero: all scores equal',
  },
  mask: {
    heading: 'Why it cannot see ahead',
    lead: [
      'When the model writes, what comes later does not exist yet. So in training, too, each row may '
      + 'look only at columns up to its own. The rest is masked: those weights are not small, they '
      + 'are 0, and no {push|push} ever reaches them.',
    ],
    off: 'Let this head see ahead',
    zeros: 'Masked cells of this head that are exactly 0:',
    sums: 'Rows whose weights add up to 1 within one part in a million:',
    figure: 'Attention weights of this head',
    cheat: {
      lead: 'Does seeing ahead help? Train two models on the same text, one of which may look at the '
        + 'letter it is asked for.',
      start: 'Train both',
      busy: (step: string): string => `training, step ${step}`,
      honest: 'sees only the past',
      cheat: 'may see ahead',
      figure: 'Loss of both models in training',
      lead2: 'The cheat learns to look up the answer. Now both have to continue a text, where '
        + 'there is nothing ahead to look at:',
      atHome: 'loss where it may see ahead',
      abroad: 'loss where it may not, as in writing',
      honestLoss: 'loss of the model that never could',
    },
  },
  reset: 'Back to the model\'s own numbers',
};
