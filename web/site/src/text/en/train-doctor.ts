// SPDX-License-Identifier: MIT
// What the doctor says of a run, in English.

export const doctor = {
  doctor: {
    heading: 'How the run is doing',
    at: (step: string): string => `looked at step ${step}`,
    waiting: 'Watching. A first word comes some steps after the warm-up.',
    well: 'Nothing is wrong: the loss, every layer\'s gradient and every head read as in runs that learn well.',
    wellBesideHeads: 'Nothing is wrong: the loss and every layer\'s gradient read as in runs that learn well. '
      + 'Heads were not read: the model has none, or is too large to be traced beside its training.',
    on: 'on',
    put: (field: string, value: string): string => `Put into the form: ${field}, ${value}`,
    listed: (names: readonly string[], more: number): string =>
      more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', '),
    names: {
      diverging: 'The loss is climbing.',
      rateHigh: 'The learning rate is too high.',
      rateLow: 'The learning rate is too low.',
      overfitting: 'The model is learning the text by heart.',
      vanishing: 'The gradient fades on its way down.',
      exploding: 'Gradients explode.',
      saturated: 'Heads are stuck on one column.',
      silent: 'Heads do nothing.',
      unsteered: 'Heads cannot learn where to look.',
    },
    saw: {
      diverging: (mean: string, best: string, step: string): string =>
        `Over the last 20 steps it is ${mean} on average; at step ${step} it was ${best}.`,
      loud: (layer: string, written: string): string =>
        `In ${layer} a head writes vectors ${written} times as long as the stream they are added to, `
        + 'so the weights have been thrown far and drown what was there.',
      raises: (raised: number, looks: number): string =>
        `${raised} of the last ${looks} steps that were looked at made the loss of their own batch larger.`,
      rateLow: (share: string, loss: string, uniform: string): string =>
        `A step lowers the loss of its own batch by ${share} of it, and at ${loss} the model still `
        + `guesses nearly evenly (${uniform}).`,
      overfitting: (v: { best: string; bestStep: string; now: string; training: string }): string =>
        `Validation was best at step ${v.bestStep} with ${v.best} and is ${v.now} now, while the `
        + `training loss went on falling, to ${v.training}.`,
      vanishing: (layers: string, ratio: string, strongest: string): string =>
        `Beside its weights, the gradient of ${layers} is down to ${ratio} of that of ${strongest}: those `
        + 'layers stay as they were drawn.',
      exploding: (surges: number, steps: number, norm: string, layer: string): string =>
        `${surges} of the last ${steps} gradients had a norm above 100, up to ${norm}; at the last look most of it in ${layer}.`,
      saturated: (heads: string, peak: string, passed: string): string =>
        `${heads}: a row gives ${peak} to one column on average, and softmax lets only ${passed} of `
        + 'the gradient through to the scores, so they hardly change any more.',
      silent: (heads: string): string =>
        `${heads}: less than a ten-thousandth of the stream's length is written.`,
      unsteered: (layers: string, steering: string): string =>
        `In ${layers} the gradient of W_Q and W_K is ${steering} of that of W_V: the scores have no `
        + 'effect that could be learnt from.',
    },
    tries: {
      diverging: 'Try a tenth of the learning rate, or a longer warm-up.',
      rateHigh: 'Try a tenth of the learning rate. What is learnt stays when you go on with it.',
      rateLow: 'Try ten times the learning rate.',
      overfitting: 'Try more text, a smaller model, or dropout; the best state can be forked from '
        + 'the list of runs. On tasks with few examples, going on can still end in understanding '
        + '(grokking, Power et al. 2022).',
      vanishing: 'Try norms before each branch, or fewer layers.',
      exploding: 'Try clipping, norms, or a lower learning rate.',
      saturated: 'Try the usual scale of scores, norms on queries and keys, or a lower learning rate.',
      silent: 'Fewer heads would do the same. If there were effects before, lower the weight decay.',
      unsteered: 'Try the usual scale of scores, no softcap, or a wider window.',
    },
    readings: 'What was measured',
    readingsLead: 'Of the step just made: norms of each layer\'s gradient, and every head on one '
      + 'training example (of models up to four million numbers).',
    layer: 'layer',
    pull: 'gradient over weights',
    steering: 'W_Q and W_K over W_V',
    written: 'heads: written over stream',
    peak: 'heads: largest weight',
    passed: 'heads: let through',
    own: (before: string, after: string, rows: number, of: number): string =>
      `Loss of the step's own batch${rows < of ? ` (the first ${rows} of its ${of} rows)` : ''}: ${before} before `
      + `the step, ${after} after it.`,
  },
};
