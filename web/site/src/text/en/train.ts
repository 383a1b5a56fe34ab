// SPDX-License-Identifier: MIT
// What the header and the train room say, in English. Numbers come in already formatted where they
// are strings.

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const train = {
  shell: {
    name: 'Heed',
    motto: 'A transformer learns in this page, on your machine. Nothing you type leaves it.',
    themeLabel: 'Colours',
    themes: { system: 'as the system', light: 'light', dark: 'dark' },
    languageLabel: 'Language',
    rooms: { label: 'Rooms', learn: 'Learn', train: 'Train', inspect: 'Inspect' },
    skip: 'Skip to the training controls',
    engine: (variant: string, threads: number): string =>
      `Engine: WebAssembly ${variant}, ${threads} ${plural(threads, 'thread', 'threads')}`,
    engineWhy: (reason: string): string => `Why: ${reason}`,
    wasmHash: (hash: string): string => `Binary ${hash.slice(0, 12)}`,
    shortcuts: 'Keyboard shortcuts',
    shortcutsHint: 'The key ? lists them.',
    help: 'Keys and help',
  },

  tips: {
    about: (label: string): string => `About ${label}`,
    these: 'these buttons',
    region: 'About this control',
    loading: 'One moment.',
    failed: 'This could not be loaded. Check the connection and try again.',
    where: 'Point at a ?, or press F1 in a field, for what it does and who proposed it.',
  },

  title: {
    opening: 'Getting ready',
    empty: 'Nothing is training yet',
    broken: 'Nothing can train now',
    learning: (parameters: string, name: string): string =>
      `${parameters} numbers are learning to continue ${name}`,
    lead: (tokenizer: 'char' | 'byte' | 'bpe', vocab: number, uniform: string): string =>
      `At each place in the text the model guesses the next ${
        { char: 'character', byte: 'byte', bpe: 'token' }[tokenizer]
      } out of ${vocab}. The loss is how wrong it is: ${uniform} if it guessed evenly, 0 if it `
      + 'always knew.',
  },

  controls: {
    region: 'Training',
    play: 'Train',
    pause: 'Pause',
    step: 'One step',
    reset: 'Reset',
    progress: 'Progress of the run',
    of: (step: string, steps: string): string => `step ${step} of ${steps}`,
    phases: {
      opening: 'Loading the engine and the text',
      running: 'Training',
      paused: 'Paused',
      finished: 'Finished: all planned steps are done',
      stopped: 'Stopped',
      empty: 'No run. Start one with the form below',
      broken: 'The engine is not running',
    },
    left: (time: string): string => `about ${time} left`,
    spoken: (phase: string, step: string, loss: string | undefined): string =>
      loss === undefined ? `${phase}. Step ${step}.` : `${phase}. Step ${step}, loss ${loss}.`,
  },

  numbers: {
    region: 'Numbers of the run',
    loss: 'Training loss',
    lossHint: 'last step, in nats',
    validation: 'Validation loss',
    validationHint: (step: string): string => `kept back, step ${step}`,
    validationNone: 'of text kept back',
    learningRate: 'Learning rate',
    gradientNorm: 'Gradient norm',
    gradientNormHint: (clip: number | undefined): string =>
      clip === undefined ? '' : clip === 0 ? 'not clipped' : `before clipping at ${clip}`,
    tokensPerSecond: 'Tokens per second',
    tokensSeen: (tokens: string): string => `${tokens} seen so far`,
    none: '–',
  },

  chart: {
    loss: 'Loss',
    compared: (letter: string, name: string): string => `${letter} (${name})`,
    comparedCaption: 'Dashed, with a letter at the end: validation of the compared runs.',
    lossCaption: 'Grey: training, averaged where points are dense. Line with dots: validation.',
    training: 'training',
    validation: 'validation',
    learningRate: 'learning rate',
    gradientNorm: 'gradient norm',
    tokensPerSecond: 'tokens per second',
    step: 'step',
    empty: 'The curve begins with the first step.',
    keys: 'Arrow keys move through the curve.',
    at: (step: string, parts: string[]): string => `step ${step}: ${parts.join(', ')}`,
    part: (name: string, value: string): string => `${name} ${value}`,
    more: 'Learning rate, gradient norm and speed as curves',
  },

  sample: {
    heading: 'What it writes now',
    prompt: 'Begin with',
    temperature: 'Temperature',
    temperatureHint: 'Lower is more careful, 0 always takes the likeliest.',
    at: (step: string): string => `written at step ${step}`,
    waiting: 'The first sample comes with the first steps.',
    none: 'Without a run there is nothing to write.',
    emptyPrompt: 'Type at least one character for the model to continue.',
  },

  attention: {
    heading: 'Where it looks',
    lead: 'Each row is a token of the probe and looks at the columns, itself and what came '
      + 'before. The stronger the ink of a cell, the larger its weight; each row sums to 1.',
    probe: 'Probe text',
    probeHint: (tokens: number): string => `${tokens} ${plural(tokens, 'token', 'tokens')}`,
    probeCut: (longest: number): string => `Only the first ${longest} tokens are shown.`,
    emptyProbe: 'Type at least one character to see its attention.',
    at: (step: string): string => `at step ${step}`,
    heads: 'Layers and heads',
    head: (layer: number, head: number): string =>
      `L${layer}.H${head}: layer ${layer}, head ${head}`,
    headShort: (layer: number, head: number): string => `L${layer}.H${head}`,
    layer: (layer: number): string => `layer ${layer}`,
    noLayers: 'This model has no layers, so it has no attention.',
    grid: (layer: number, head: number): string =>
      `Attention weights of layer ${layer}, head ${head}. Rows look, columns are looked at.`,
    rows: 'rows look',
    columns: 'columns are looked at',
    rowHeader: (index: number, token: string): string => `row ${index}, ${token}`,
    columnHeader: (index: number, token: string): string => `column ${index}, ${token}`,
    cell: (i: number, from: string, j: number, to: string, value: string): string =>
      `row ${i} '${from}' looks at column ${j} '${to}': ${value}`,
    masked: (i: number, from: string, j: number, to: string): string =>
      `row ${i} '${from}' cannot see column ${j} '${to}', which comes later: 0`,
    reading: {
      row: (index: number): string => `row ${index}`,
      column: (index: number): string => `column ${index}`,
      looksAt: 'looks at',
      cannotSee: 'cannot see the later',
      shouldSay: 'should be followed by',
    },
    keys: 'Point at a cell, or move with the arrow keys. Click or Enter pins it, Escape lets go.',
    pinned: 'pinned',
    legend: 'weight',
    table: 'Show this head as a table',
    caption: (grid: string, step: string): string => `${grid} At step ${step}.`,
    waiting: 'Waiting for the first weights.',
    none: 'Without a run there are no weights to show.',
  },

  form: {
    heading: 'Text and model',
    text: 'Text or task',
    texts: 'Texts',
    tasks: 'Tasks',
    own: 'A text of your own',
    paste: 'Paste it here',
    use: 'Use this text',
    upload: 'or choose a file, or drop one here: .txt, .md, .csv, .json, .jsonl',
    reading: 'Reading the text',
    learningTokens: (done: string, wanted: string): string =>
      `Learning tokens: ${done} of ${wanted}`,
    column: 'Column or field',
    columnSize: (name: string, characters: string): string => `${name} (${characters} characters)`,
    encoding: 'Read as',
    encodingHint: 'A guess from how often letters come. Choose another if the text looks wrong.',
    textSize: (bytes: string, tokens: string, vocab: string): string =>
      `${bytes}, ${tokens} tokens, ${vocab} different`,
    textCut: (limit: string): string => `Only the first ${limit} are used.`,
    cut: (limit: string): string => `Use the first ${limit}`,
    excerpt: 'How it begins',
    pieces: 'How text is cut into tokens',
    piecesText: 'Any text',
    piecesOf: (characters: number, tokens: number): string =>
      `${characters} ${plural(characters, 'character', 'characters')}, ${
        tokens} ${plural(tokens, 'token', 'tokens')}`,
    piecesCut: (longest: number): string => `Only the first ${longest} are shown.`,
    piece: (token: string, id: number): string => `${token}, token ${id}`,
    model: 'Model',
    training: 'Training',
    start: 'Start a new run',
    startHint: 'The run in progress is saved and left.',
    go: 'Go on with these',
    goHint: 'Only the training differs, so the run can go on with it: nothing learned is lost.',
    textFirst: 'A run can start once its text is read.',
    noEngine: 'No run can start before the engine runs.',
    startLoses: 'The run in progress cannot be saved here and would be lost: download it first.',
    takeBack: 'Undo these changes',
    bringBack: 'Have the changes back',
    same: 'This is the run in progress.',
    fixFirst: 'Some fields need attention before a run can start.',
    fields: {
      tokenizer: { label: 'Tokens', hint: 'what the text is cut into' },
      vocabulary: { label: 'Vocabulary', hint: 'tokens at most; 256 are the bytes' },
      layers: { label: 'Layers', hint: 'blocks one after the other' },
      heads: { label: 'Heads', hint: 'attention maps in each layer' },
      width: { label: 'Width', hint: 'numbers for each token' },
      ffn: { label: 'Feed-forward width', hint: '0 leaves it out' },
      context: { label: 'Context', hint: 'tokens it can look back on' },
      position: { label: 'Positions', hint: 'how order is known' },
      norm: { label: 'Normalization', hint: 'before each branch' },
      activation: { label: 'Activation', hint: 'in the feed-forward part' },
      batch: { label: 'Batch', hint: 'sequences in a step' },
      learningRate: { label: 'Learning rate', hint: 'at its peak' },
      steps: { label: 'Steps', hint: 'planned' },
      seed: { label: 'Seed', hint: 'the same seed, the same run' },
      headsPerKey: { label: 'Heads sharing keys', hint: 'query heads to one key head' },
      normPosition: { label: 'Place of the norm', hint: 'before a branch or after its sum' },
      bias: { label: 'Biases', hint: 'added in every projection' },
      tied: { label: 'Tied head', hint: 'the output reads with the token embedding' },
      dropout: { label: 'Dropout', hint: 'share of numbers set to 0 while training' },
      window: { label: 'Window', hint: 'tokens a position sees, itself included; 0 is all' },
      softcap: { label: 'Soft cap', hint: 'scores stay below it; 0 is none' },
      scale: { label: 'Score scale', hint: '0 is 1 by the root of the head\'s width' },
      qkNorm: { label: 'Norm of queries and keys', hint: 'lengths cannot grow' },
      ropeBase: { label: 'Rotary base', hint: 'larger turns more slowly' },
      ropeLayout: { label: 'Rotary pairs', hint: 'which numbers turn together' },
      value: { label: 'Values', hint: 'what a token hands on' },
      outProjection: { label: 'Output projection', hint: 'W_O after the heads' },
      uniformAttention: { label: 'Equal weights', hint: 'no queries and keys' },
      init: { label: 'First weights', hint: 'how large they are' },
      optimizer: { label: 'Optimizer', hint: 'how gradients become steps' },
      schedule: { label: 'Schedule', hint: 'how the rate goes on from its peak' },
      warmup: { label: 'Warm-up', hint: 'steps, at most a twentieth of all' },
      finalShare: { label: 'Last share', hint: 'of the rate, where a schedule falls to' },
      decayFraction: { label: 'Decay part', hint: 'of all steps; warm-up, stable, decay only' },
      accumulation: { label: 'Accumulation', hint: 'batches added up for one step' },
      weightDecay: { label: 'Weight decay', hint: 'pull of matrices to 0' },
      beta1: { label: 'Beta 1', hint: 'memory of gradients (AdamW, Lion)' },
      beta2: { label: 'Beta 2', hint: 'memory of their squares (AdamW) or of Lion\'s momentum' },
      momentum: { label: 'Momentum', hint: 'memory of gradients (Muon, SGD)' },
      clip: { label: 'Clipping', hint: 'longest gradient; 0 is none' },
      labelSmoothing: { label: 'Label smoothing', hint: 'share of the target given to all tokens' },
    },
    furtherModel: 'More about the model',
    furtherTraining: 'More about the training',
    changed: (count: number): string => `${count} changed`,
    options: {
      tokenizer: { char: 'characters', byte: 'bytes', bpe: 'byte pairs (BPE)' },
      position: {
        learned: 'learned', sinusoidal: 'sinusoidal', rope: 'rotary (RoPE)',
        alibi: 'by distance (ALiBi)', none: 'none',
      },
      norm: { layer: 'layer norm', rms: 'RMS norm', none: 'none' },
      activation: {
        geluErf: 'GELU', geluTanh: 'GELU (tanh)', relu: 'ReLU', relu2: 'ReLU²',
        silu: 'SiLU', swiglu: 'SwiGLU', geglu: 'GEGLU',
      },
      normPosition: { pre: 'before', post: 'after' },
      ropeLayout: { halves: 'halves', interleaved: 'neighbours' },
      value: { learned: 'learned', identity: 'the input' },
      init: { gpt2: 'small', unit: 'length 1' },
      optimizer: { adamw: 'AdamW', muon: 'Muon', lion: 'Lion', sgd: 'SGD' },
      schedule: {
        cosine: 'cosine', linear: 'linear', wsd: 'warm-up, stable, decay', constant: 'constant',
      },
    } as Record<string, Record<string, string>>,
  },

  forecast: {
    heading: 'What it would take',
    parameters: 'parameters',
    memory: 'memory for training',
    step: 'time for a step',
    milliseconds: (ms: string): string => `${ms} ms`,
    time: 'time for all steps',
    timeMeasured: 'approximate, from the speed measured on this machine',
    timeGuess: 'a rough guess until a run has been measured here',
    none: 'Known once the text is read and the fields are in order.',
    tooMuch: (needed: string, limit: string): string =>
      `This needs ${needed} of memory and the page can have ${limit}. `
      + 'Choose a smaller width, context, batch or number of layers.',
  },

  problems: {
    missing: ({ min, max }: { min: string; max: string }): string =>
      `A number is missing. Type one from ${min} to ${max}.`,
    notNumber: ({ found, min, max }: { found: string; min: string; max: string }): string =>
      `'${found}' is not a number. Type one from ${min} to ${max}.`,
    notWhole: ({ found, min, max }: { found: string; min: string; max: string }): string =>
      `'${found}' is not a whole number. Type one from ${min} to ${max}.`,
    outside: ({ found, min, max }: { found: string; min: string; max: string }): string =>
      `'${found}' is outside the range. Type a number from ${min} to ${max}.`,
    either: (below: string, above: string): string => `${below} or ${above}`,
    indivisible: (at: { width: number; heads: number; instead: string }): string =>
      `The heads share the width evenly, and ${at.width} cannot be divided by ${at.heads}. `
      + `Try ${at.instead}.`,
    oddHead: ({ headWidth }: { headWidth: number }): string =>
      `Rotary positions turn pairs of numbers, so width divided by heads must be even; it is ${
        headWidth
      }. Change the width or the heads.`,
    exampleTooLong: ({ context, needed }: { context: number; needed: number }): string =>
      `An example of this task has ${needed} tokens, more than a context of ${context}. Use ${
        needed
      } or more.`,
    unevenSharing: ({ heads, headsPerKey }: { heads: number; headsPerKey: number }): string =>
      `${heads} heads cannot be parted into groups of ${headsPerKey}. Use a number that divides ${
        heads
      }.`,
    textTooShort: (at: {
      tokens: string; context: number; needed: string; longest: number;
    }): string =>
      `The text has ${at.tokens} tokens. With a context of ${at.context}, and a tenth kept back `
      + `for validation, at least ${at.needed} are needed. ${
        at.longest > 0
          ? `Choose a longer text or a context of at most ${at.longest}.`
          : 'Choose a longer text.'
      }`,
  },

  textFailures: {
    empty: 'There is no text here. Paste or choose one with some words in it.',
    binary: 'This is not a text: it has bytes that no text contains. Choose a plain .txt file.',
    encoding: 'This file is not in UTF-8, and no other encoding that the page knows fits. Save it as '
      + 'UTF-8 text and choose it again.',
    table: ({ line, message }: { line: number | undefined; message: string }): string =>
      `This file cannot be read as a table${
        line === undefined ? '' : `: line ${line} is at fault`
      } (${message}). Mend it, or give it the ending .txt to use all of it as text.`,
    tableTooLarge: ({ size, limit }: { size: string; limit: string }): string =>
      `This table has ${size}; the page reads at most ${limit}. Choose a part of it.`,
    aborted: 'Reading was stopped. Choose the text again.',
    tooLarge: ({ size, limit }: { size: string; limit: string }): string =>
      `This text has ${size}; the page works with at most ${limit}. Use its beginning, or choose a `
      + 'shorter text.',
    unreachable: (why: string): string =>
      `The text could not be loaded (${why}). Check the connection and choose it again.`,
    missing: 'The text of this run is no longer in this browser. Paste or choose it again.',
  },

  storageFailures: {
    unavailable: 'This browser does not let the page store anything, so the run will be lost when '
      + 'the page is closed. Training goes on; download the run to keep it.',
    full: ({ needed, free }: { needed: string | undefined; free: string | undefined }): string =>
      `The run could not be saved: the browser's storage is full${
        needed === undefined ? ''
        : free === undefined ? ` (${needed} needed)`
        : ` (${needed} needed, ${free} free)`
      }. The save before it is still good. Free some space, or download the run.`,
    failed: (why: string): string =>
      `The run could not be saved (${why}). The save before it is still good. Training goes on; `
      + 'download the run to keep it.',
  },

  saving: {
    none: 'Not saved yet',
    saved: (step: string, bytes: string): string =>
      `Saved in this browser at step ${step} (${bytes})`,
    download: 'Download the run',
    restHidden: 'Rest while this tab cannot be seen, to save energy',
    fileName: (step: number): string => `heed-step-${step}.safetensors`,
  },

  engineFailures: {
    'invalid-argument': (message: string): string => `The engine refused this: ${message}`,
    'out-of-memory': (message: string): string =>
      `There is not enough memory for this. ${message}`,
    'non-finite': (message: string): string =>
      `Training stopped because a number was no longer finite. ${message} The weights are those `
      + 'from before this step. The usual cause is a learning rate that is too high.',
    disposed: (message: string): string => message,
    'bad-data': (message: string): string => message,
    'bad-state': (message: string): string => message,
    aborted: (message: string): string => message,
    unsupported: (message: string): string =>
      `This browser cannot run the engine. ${message}`,
    'load-failed': (message: string): string => `The engine could not be loaded. ${message}`,
    crashed: (message: string): string =>
      `The engine broke down (${message}). What was saved is kept; try again to go on from there.`,
  },

  notices: {
    close: 'Close',
    tryAgain: 'Try again',
    ignored: (ignored: ReadonlyArray<{ key: string; value: string }>): string =>
      `The link asks for ${
        ignored.map(({ key, value }) => `${key} = '${value.slice(0, 40)}'`).join(', ')
      }, which is not possible here. The usual values are used instead.`,
    ownTextElsewhere: 'The link belongs to a text of someone\'s own, which is not in this browser. '
      + 'A built-in text is used instead.',
    damaged: (older: boolean): string =>
      older
        ? 'The newest save of this run was damaged, so the one before it is used.'
        : 'The saved run was damaged and cannot be used. A new one starts.',
    textChanged: 'The text has changed since the run was saved, so its tokens no longer fit.',
    notContinued: (why: string): string =>
      `The saved run could not be continued, so a new one starts. ${why}`,
    wasReset: (step: number): string => `Back at step 0. Step ${step} is kept until you go on.`,
    bringBack: (step: number): string => `Bring back step ${step}`,
    backTo: (step: number, rate: number): string => `Back to step ${step}, and on at ${rate}`,
    startAt: (rate: number): string => `Start again at ${rate}`,
    diverging: (loss: string, uniform: string): string =>
      `Training was stopped because the loss (${loss}) is far above that of guessing evenly (${
        uniform
      }): the model is getting worse. The usual cause is a learning rate that is too high. The `
      + 'button Train goes on all the same.',
  },

  tokens: { space: 'space', newline: 'newline', tab: 'tab' },

  durations: {
    underSecond: 'less than a second',
    seconds: (count: number): string => `${count} s`,
    minutes: (count: number): string => `${count} min`,
    hours: (hours: number, minutes: number): string =>
      minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`,
    days: (count: number): string => `${count} ${plural(count, 'day', 'days')}`,
  },
};
