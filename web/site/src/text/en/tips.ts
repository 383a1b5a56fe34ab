// SPDX-License-Identifier: MIT
// What each control of the train room does to the model or the training, in one sentence, in English.
// Loaded when the first tip is asked for. Where each comes from: ../sources.ts.

import type { TipKey } from '../sources';

const sentences: Readonly<Record<TipKey, string>> = {
  tokenizer: 'Small pieces make a short vocabulary and long sequences; byte pairs turn frequent '
    + 'sequences into one token each, so that the same context reaches further back.',
  vocabulary: 'More tokens make the text shorter but the embedding larger, and rare tokens come too '
    + 'seldom to be learned well.',
  layers: 'Each layer reads what the one below has written, so more of them can compute in more '
    + 'stages, and each takes its share of the time of a step.',
  heads: 'Each head weighs the tokens before it in a way of its own, with its part of the width: '
    + 'more heads look for more things, with fewer numbers for each.',
  width: 'All that the model knows of a token is a vector of this length; weights and time of a step '
    + 'grow about with its square.',
  ffn: 'Between two attentions this many features are looked for in each token by itself.',
  context: 'Training windows are this long and nothing further back can change a guess; the time of '
    + 'attention grows with its square.',
  position: 'Attention by itself cannot tell in which order tokens come, so the place is added to '
    + 'each token, turns queries and keys, or lowers scores with distance.',
  norm: 'Brings the vector of each token to a like size, which keeps deep models trainable; RMS norm '
    + 'does it without taking off the mean.',
  activation: 'Without this bend two projections in a row could do no more than one; the gated kinds '
    + 'multiply two projections, one of them bent.',
  batch: 'The gradient is the mean over this many windows: more of them make it steadier and each '
    + 'step slower.',
  learningRate: 'Sets how far a step moves the weights: too small learns slowly, too large makes the '
    + 'loss jump or grow.',
  steps: 'Training ends here, and a rate that falls is spread over this length, so it should be what '
    + 'will really be run.',
  seed: 'Fixes the first weights, the choice of windows and what dropout drops, so that a link repeats '
    + 'a run bit for bit.',
  headsPerKey: 'Query heads that share keys and values need fewer weights, and less memory when the '
    + 'model writes, at little cost in quality.',
  normPosition: 'Before the branch, what layers add up runs through untouched and training is stable '
    + 'from its start; after the sum, as first proposed, it needs the warm-up.',
  dropout: 'The model cannot rely on single numbers when any of them may be missing, which helps where '
    + 'it would learn a small text by heart.',
  window: 'A layer then looks back only so far, and what is further away has to be handed on from '
    + 'layer to layer.',
  softcap: 'Bends scores by a tanh so that none of them can run away while the model trains.',
  scale: 'Multiplies the scores before the softmax: larger makes attention sharper, and too large '
    + 'leaves hardly any gradient to learn from.',
  ropeBase: 'Sets how slowly the slowest pair of numbers turns from place to place, and so how far '
    + 'apart two places can be told from each other.',
  ropeLayout: 'The paper turns neighbours, other models turn numbers half a head apart: both learn '
    + 'alike, but weights from elsewhere fit only one of them.',
  value: 'Without W_V a token hands on its vector as it is, so a head can learn where to look but not '
    + 'what to take from there.',
  init: 'Small weights make the first guesses nearly even; vectors of length 1 give tiny models, with '
    + 'parts held still, something to work with from the start.',
  qkNorm: 'Queries and keys are brought to a learned size before they are compared, which keeps the '
    + 'softmax from being driven to all or nothing.',
  bias: 'Lets a projection give something else than 0 for a vector of zeros; large models have been '
    + 'found more stable without.',
  tied: 'One table then turns tokens into vectors and vectors into guesses, which saves a matrix and '
    + 'often guesses better.',
  outProjection: 'Mixes what the heads have found before it is added to the token; without it each '
    + 'head can write only to its own part of the width.',
  uniformAttention: 'Every visible token then counts alike, which shows what the model can do without '
    + 'choosing where to look.',
  optimizer: 'AdamW gives each number a step by its own history, Lion follows signs only, Muon moves '
    + 'all directions of a matrix alike, and SGD follows the gradient as it is.',
  schedule: 'Large steps get far and small ones settle, so the rate falls along this curve towards '
    + 'the end.',
  warmup: 'Lets the rate climb from near 0, since the first gradients point anywhere and the '
    + 'optimizer knows no averages yet.',
  finalShare: 'At 0 the last steps hardly move and the weights settle; more leaves the run learning '
    + 'to its end.',
  decayFraction: 'Before this part the rate stays at its peak, so a run can be prolonged from there '
    + 'without having been cooled down.',
  accumulation: 'Adds up gradients before the weights change, which has the effect of a larger batch '
    + 'in the memory of a small one.',
  weightDecay: 'Shrinks matrices a little at every step, apart from the gradient, so that weights the '
    + 'text has no use for fade.',
  beta1: 'Averages the direction over more steps the nearer it is to 1, which is smoother and slower '
    + 'to turn.',
  beta2: 'Nearer to 1, AdamW judges the usual size of a gradient over more steps, and Lion remembers '
    + 'directions for longer.',
  momentum: 'Lets steps grow where gradients agree and cancel where they alternate.',
  clip: 'Shortens a gradient beyond this length, so that one odd batch cannot throw the weights far '
    + 'away.',
  labelSmoothing: 'Asks for a little probability on every token, which keeps the model from growing '
    + 'too sure and the training loss from reaching 0.',

  text: 'Decides what there is to learn: the model sees nothing but this text, or examples of this '
    + 'task made from the seed.',
  ownText: 'Your text becomes all that the model learns from; it is read in this page and sent '
    + 'nowhere.',
  column: 'The texts of this column, one after the other, become what the model learns from.',
  encoding: 'Decides which letters the bytes of the file stand for; a wrong one gives the model '
    + 'other letters to learn.',
  pieces: 'Shows what the model is really given: the numbers of these pieces, and no letters.',
  play: 'Train makes one step after the other until you pause it, the plan is done or it goes wrong.',
  step: 'One step reads a batch, finds how its loss would change with every weight, and moves all '
    + 'of them once.',
  reset: 'Reset puts back the weights that the seed made; what was learned can be brought back.',
  start: 'Makes new weights and trains them under these settings; the run before stays among the '
    + 'runs in this browser.',
  go: 'Goes on from this step with the same weights and the optimizer\'s memory, under the other '
    + 'settings of training.',
  takeBack: 'Undoing shows the settings of the run in progress again and changes nothing in the run.',
  prompt: 'The newest weights continue from here; what you write changes nothing of what they learn.',
  temperature: 'Divides the scores before a token is drawn: below 1 likely tokens become likelier '
    + 'still, above 1 rare ones get a chance.',
  probe: 'The newest weights only read this text, to show where each head looks; they never train '
    + 'on it.',
  compare: 'A compared run is drawn over the open one, and a table says what they have otherwise '
    + 'than each other.',
  openRun: 'Opening a run saves the one in progress first and goes on where the other was left.',
  note: 'A run with a name or notes stays until you delete it; of the others the newest twenty do.',
  states: 'A saved state holds all weights and the optimizer\'s memory, so a run goes on from it '
    + 'bit for bit.',
  fork: 'Going on as a new run trains from the chosen state and leaves the run that it comes from '
    + 'as it is.',
  exportRun: 'Saving as a file puts the newest state, the curves, the notes and a text of your own '
    + 'into one file.',
  deleteRun: 'Deleting takes the run out of this list; until the page is opened anew you can have it '
    + 'back.',
  importRun: 'Adds a run from such a file to this list and opens it.',
  download: 'Writes weights and the optimizer\'s memory as they are now into a file that the package '
    + 'goes on from.',
  restHidden: 'Pauses training while another tab covers this one, and goes on when it is seen again.',
  shortcuts: 'Lets single keys act, or not, for those who speak to their machine or press keys by '
    + 'accident.',
  lookRun: 'Every run of this browser that has a kept state can be looked into, also while another tab '
    + 'trains it on.',
  lookState: 'An earlier state shows the same prompt with the weights of that step, so moving through them '
    + 'shows what was learned when.',
  lookPrompt: 'The model reads this and nothing else; what it is told follows each place is the next token '
    + 'of the prompt itself.',
  headsKind: 'Weights say what a row takes from each column, scores what softmax made them from, and the '
    + 'push where the loss wants the scores.',
  cutTo: 'Zero takes away all that the head says, its mean only what differs from place to place.',
  renormalise: 'Without it the row takes less in all; with it the other columns fill the gap, as softmax '
    + 'would have it.',
  scoreKind: 'Each score is the mean weight on one kind of place, which tells heads apart that look at the '
    + 'token before, at the first one, or at what followed last time.',
  otherPrompt: 'The second prompt gives the activations that are put into the first one\'s pass, so the two '
    + 'should differ in one thing only.',
  patchWhat: 'The stream carries everything that is known at a place, attention and feed-forward layers '
    + 'what they add to it there, a head what it adds everywhere.',
  write: 'Each token is drawn from the distribution below and joins the text that the next one is read '
    + 'from.',
  topK: 'Only so many of the likeliest tokens can be drawn, and their probabilities grow to 1 in all.',
  topP: 'Only the likeliest tokens that together reach this probability can be drawn.',
  drawSeed: 'Fixes which tokens are drawn: the same seed, text and settings give the same ones again.',
};

export const tips = {
  sentences,
  from: 'Source',
  section: (section: string): string => `section ${section}`,
};
