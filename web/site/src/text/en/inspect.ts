// SPDX-License-Identifier: MIT
// What the inspect room says, in English.

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const inspect = {
  inspect: {
    title: 'Look into a model',
    lead: 'Any run, any saved state, any prompt: what every head looks at, what the model would say on '
      + 'the way up, what each part is worth. Every number is the model\'s own.',
    opening: 'Loading the engine and your runs',
    empty: 'There is no run in this browser yet, so there is nothing to look into.',
    train: 'Train one: it takes a few seconds.',
    runElsewhere: 'The run of this link is not in this browser; another one is shown. Runs travel as files.',
    runNotKept: 'The run of this tab is not kept yet; another one is shown. It is kept a few steps after it begins.',
    runGone: 'The run that was shown has been deleted in another tab.',
    jump: 'Questions to the model',
    import: 'Take in a run from a file',
    waiting: 'Being worked out',
    picker: {
      region: 'What is looked at',
      run: 'Run',
      step: (step: string, place: number, count: number): string =>
        `State after step ${step} (${place} of ${count} kept)`,
      earlier: 'Earlier state',
      later: 'Later state',
      oneState: 'One state is kept of this run. States are kept while it trains, and thin out with age.',
      otherState: (step: string): string =>
        `What is shown below is of step ${step}: the state chosen cannot be read, or not with this prompt.`,
      prompt: 'Prompt',
      read: (tokens: number, loss: string): string =>
        `${tokens} ${plural(tokens, 'token', 'tokens')}, mean loss ${loss}`,
      cut: (tokens: number): string => `(only the first ${tokens} tokens, or what the context holds)`,
    },
    heads: {
      heading: 'Where every head looks',
      lead: 'Each small picture is one head: rows look, columns are looked at. Choose one to see it large.',
      grid: 'All heads',
      show: 'Show',
      kinds: {
        weights: 'weights', push: 'weights beside their push', scores: 'scores before softmax',
        scorePush: 'push on the scores',
      },
      explain: {
        weights: 'Softmax of the scores: how much of each column\'s value a row takes.',
        push: 'Below each weight: minus the loss\'s gradient at the score, where descent wants it.',
        scores: 'q·k, scaled, before the mask.',
        scorePush: 'Minus the gradient of the loss at each score: where descent wants it.',
      },
      weightsOf: (scope: string): string => `Weights of ${scope}`,
      scoresOf: (scope: string): string => `Scores of ${scope}`,
      scorePushOf: (scope: string): string => `Push on the scores of ${scope}`,
      pushOf: (scope: string): string => `Weights and push of ${scope}`,
    },
    loss: {
      heading: 'How wrong each guess is',
      lead: (uniform: string): string =>
        `Loss of guessing the token that follows each place, in nats; guessing evenly costs ${uniform}.`,
      figure: 'Loss of each token',
      mean: 'Mean of the prompt:',
      task: 'On a task only the answers are trained: the loss of other places, which are random, stays high.',
      none: 'A prompt of one token has no guess that could be judged. Write more.',
    },
    lens: {
      heading: 'What it would say on the way up',
      lead: 'The model\'s head, after its last norm where it has one, applied to the residual stream at every '
        + 'place (the logit lens, nostalgebraist 2020). Below stands what goes in, above what comes out.',
      table: 'Likeliest token at every place of the stream',
      place: 'place',
      cell: (token: string, share: string): string => `'${token}' with ${share}`,
      right: ', right',
      key: 'Darker: surer. Underlined: the token that really follows. L0, L1 …: layers, from below. R: the stream entering a layer; '
        + 'M: after its attention; last: after all layers.',
      at: (row: number, token: string): string => `At ${row} '${token}'`,
      detail: 'The likeliest tokens at each place',
      likeliest: 'likeliest tokens',
      target: 'what really follows',
      ranked: (share: string, rank: number): string => `${share}, rank ${rank}`,
      entropy: 'entropy, nats',
      length: 'length of the stream',
    },
    cut: {
      heading: 'What each head and edge is worth',
      lead: 'The loss of this prompt with one head left out, in turn, and with one edge of the chosen '
        + 'head\'s row left out. Above zero: it helped.',
      to: 'A head that is left out says',
      zero: 'nothing (zero)',
      mean: 'its mean over the places',
      whole: (loss: string): string => `With everything in place the loss is ${loss}.`,
      headsFigure: 'Loss without a head, less the loss with it',
      edges: (scope: string, row: number): string => `Edges of ${scope} from row ${row}`,
      edgesFigure: (scope: string, row: number): string => `Loss without an edge of ${scope}, row ${row}, less the loss with it`,
      notJudged: 'Nothing is known to follow this row, so nothing that it does can be judged. Choose an earlier one.',
      renormalise: 'The rest of the row takes over the share of the edge',
    },
    scores: {
      heading: 'What kind of head, and since when',
      lead: 'Scores of the heads in every kept state of the run, on this prompt; induction on random '
        + 'tokens that come twice (Olsson et al. 2022).',
      kind: 'Score',
      kinds: {
        entropy: 'entropy', distance: 'distance', previous: 'previous token', first: 'first token',
        induction: 'induction',
      },
      explain: {
        entropy: '0 looks at one token, 1 at all alike.',
        distance: 'How many tokens back it looks, on average.',
        previous: 'Mean weight on the token just before.',
        first: 'Mean weight on the first token, where heads look that want nothing (Xiao et al. 2023).',
        induction: 'Mean weight on the token that followed this one when the block stood there before.',
      },
      figure: (kind: string, step: number): string => `${kind} of every head, step ${step}`,
      curves: (scope: string): string => `Scores of ${scope} over training`,
      distance: (scope: string): string => `Distance of ${scope} over training, in tokens`,
      quantity: 'score',
      none: 'There is none: the prompt is too short, or the context is too short for anything to come twice.',
      progress: (done: number, all: number): string => `${done} of ${all} states read`,
      few: 'With more kept states these become curves: let the run go on.',
    },
    patch: {
      heading: 'Where a second prompt makes the difference',
      lead: 'One activation of the second prompt at a time is put into the pass of the first one. Where '
        + 'the answer turns, there the difference is carried (activation patching, Meng et al. 2022).',
      other: 'Second prompt, of as many tokens',
      hint: 'It should differ in one thing only: then what you see is about that.',
      copy: 'Begin with the first prompt',
      empty: 'Write a second prompt: the first one with something changed.',
      unreadable: 'It holds a character that the model has no token for.',
      lengths: (other: number, own: number): string =>
        `It has ${other} ${plural(other, 'token', 'tokens')}, the first prompt ${own}; places can only be `
        + 'exchanged between prompts of one length.',
      noFeedForward: 'This model has no feed-forward layers. Choose something else to replace.',
      what: 'Replace',
      kinds: {
        stream: 'the stream entering a layer, at one place',
        attention: 'attention\'s output, at one place',
        feedForward: 'the feed-forward output, at one place',
        head: 'a whole head',
      },
      compared: (target: string, rival: string): string =>
        `Compared after the last token: the logit of '${target}' (the second prompt's guess) less that of '${rival}'.`,
      comparedAlike: (target: string, rival: string): string =>
        `Both prompts are continued alike. Compared after the last token: the logit of '${target}' (their guess) less `
        + `that of '${rival}' (the first prompt's next guess).`,
      noWay: 'Both prompts give the same difference, so there is no way between them that could be gone.',
      own: 'First prompt:',
      from: 'second prompt:',
      figure: (what: string): string => `How much of the way is gone when it is replaced: ${what}`,
      read: '0: the first prompt\'s answer stays. 1: replacing this alone gives the second prompt\'s answer. '
        + 'Below 0: away from it.',
    },
    generate: {
      heading: 'What it writes, and why',
      lead: 'Token by token. Move a setting and watch the distribution; choose a token that was written '
        + 'to see what it was drawn from.',
      settings: {
        temperature: 'Temperature', topK: 'Keep the k likeliest (0: all)', topP: 'Keep this much probability',
        seed: 'Seed',
      },
      one: 'Next token',
      many: (count: number): string => `${count} more`,
      stop: 'Stop',
      undo: 'Take one back',
      clear: 'Begin again',
      choose: (number: number, token: string): string => `Token ${number} that was written, '${token}'`,
      coming: 'The token to come',
      drawn: (number: number, token: string): string => `Token ${number}, '${token}', was drawn from`,
      toCome: 'The next token will be drawn from',
      table: 'Distribution of the token',
      token: 'token',
      probability: 'as drawn',
      bar: 'as a bar',
      raw: 'as the model says it',
      isDrawn: ' is drawn',
      more: (count: number): string => `and ${count} more`,
      edges: 'Edges that spoke for it directly',
      edgesFigure: (token: string, rival: string): string => `What speaks for '${token}' against '${rival}'`,
      edge: (scope: string, column: number, token: string): string => `${scope} at ${column} ${token}`,
      feedForward: 'feed-forward layers',
      embedding: 'embedding of the last token',
      weaker: 'weaker edges, biases',
      difference: 'difference of the logits',
      windowed: 'The text is longer than the context: its end is read anew here.',
      edgesHint: 'Parts of the difference between the logit of the drawn token and that of its strongest '
        + 'rival, with the last norm\'s scale held (Elhage et al. 2021); what an edge does through later layers is '
        + 'not counted as its own. Choose one to see its head.',
      noEdges: 'With norms behind the branches a logit is no sum of parts, so there are none to show.',
    },
  },
};
