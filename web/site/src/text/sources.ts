// SPDX-License-Identifier: MIT
// What has a tip, and where each tip comes from. Names of sources are the same in every language.

import type { FieldKey } from '../train/fields';

/** Controls that are no settings of a run. */
export type ControlKey =
  | 'text' | 'ownText' | 'column' | 'encoding' | 'pieces'
  | 'play' | 'step' | 'reset' | 'start' | 'go' | 'takeBack'
  | 'prompt' | 'temperature' | 'probe'
  | 'compare' | 'openRun' | 'note' | 'states' | 'fork' | 'exportRun' | 'deleteRun' | 'importRun'
  | 'download' | 'restHidden' | 'shortcuts'
  | 'lookRun' | 'lookState' | 'lookPrompt' | 'headsKind' | 'cutTo' | 'renormalise' | 'scoreKind'
  | 'otherPrompt' | 'patchWhat' | 'write' | 'topK' | 'topP' | 'drawSeed';

/** A field of the form without a tip is an error of types, here and in every language. */
export type TipKey = FieldKey | ControlKey;

export interface Paper {
  by: string;
  year: number;
  title: string;
  /** Number of the section that says it. */
  section?: string;
  link?: string;
}

/** A file of this project that says it, and the heading under which it does. */
export interface Page {
  file: string;
  under: string;
}

export type Source = Paper | Page;

const arxiv = (id: string, by: string, year: number, title: string): Paper =>
  ({ by, year, title, link: `https://arxiv.org/abs/${id}` });
const page = (file: string, under: string): Page => ({ file, under });

const vaswani = arxiv('1706.03762', 'Vaswani et al.', 2017, 'Attention Is All You Need');
const radford: Paper = {
  by: 'Radford et al.', year: 2019, title: 'Language Models are Unsupervised Multitask Learners',
};
const sennrich = arxiv('1508.07909', 'Sennrich et al.', 2016,
  'Neural Machine Translation of Rare Words with Subword Units');
const roformer = arxiv('2104.09864', 'Su et al.', 2021,
  'RoFormer: Enhanced Transformer with Rotary Position Embedding');
const adam = arxiv('1412.6980', 'Kingma, Ba', 2015, 'Adam: A Method for Stochastic Optimization');
const adamw = arxiv('1711.05101', 'Loshchilov, Hutter', 2019, 'Decoupled Weight Decay Regularization');
const lion = arxiv('2302.06675', 'Chen et al.', 2023, 'Symbolic Discovery of Optimization Algorithms');
const minicpm = arxiv('2404.06395', 'Hu et al.', 2024,
  'MiniCPM: Unveiling the Potential of Small Language Models with Scalable Training Strategies');

const lessonOptions = page('web/lib/src/api.ts', 'ModelConfig');
const controls = page('web/site/README.md', 'The controls of the train room');
const kept = page('web/site/README.md', 'What is kept');
const inspecting = page('web/site/README.md', 'The inspect room');
const whatMakesARun = page('web/site/README.md', 'What makes a run');

export const sources: Readonly<Record<TipKey, readonly Source[]>> = {
  tokenizer: [{ ...sennrich, section: '3.2' }, { ...radford, section: '2.2' }],
  vocabulary: [{ ...sennrich, section: '3.2' }],
  layers: [{ ...vaswani, section: '3.1' }],
  heads: [{ ...vaswani, section: '3.2.2' }],
  width: [{ ...vaswani, section: '3.1' }],
  ffn: [{ ...vaswani, section: '3.3' }],
  context: [{ ...radford, section: '2.3' }],
  position: [
    { ...vaswani, section: '3.5' },
    roformer,
    arxiv('2108.12409', 'Press et al.', 2022,
      'Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation'),
  ],
  norm: [
    arxiv('1607.06450', 'Ba et al.', 2016, 'Layer Normalization'),
    arxiv('1910.07467', 'Zhang, Sennrich', 2019, 'Root Mean Square Layer Normalization'),
  ],
  activation: [
    arxiv('1606.08415', 'Hendrycks, Gimpel', 2016, 'Gaussian Error Linear Units (GELUs)'),
    arxiv('2002.05202', 'Shazeer', 2020, 'GLU Variants Improve Transformer'),
    arxiv('2109.08668', 'So et al.', 2021,
      'Primer: Searching for Efficient Transformers for Language Modeling'),
  ],
  headsPerKey: [
    arxiv('2305.13245', 'Ainslie et al.', 2023,
      'GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints'),
  ],
  normPosition: [
    arxiv('2002.04745', 'Xiong et al.', 2020,
      'On Layer Normalization in the Transformer Architecture'),
  ],
  bias: [
    {
      ...arxiv('2204.02311', 'Chowdhery et al.', 2022, 'PaLM: Scaling Language Modeling with Pathways'),
      section: '2',
    },
  ],
  tied: [
    arxiv('1608.05859', 'Press, Wolf', 2017,
      'Using the Output Embedding to Improve Language Models'),
  ],
  dropout: [{
    by: 'Srivastava et al.', year: 2014,
    title: 'Dropout: A Simple Way to Prevent Neural Networks from Overfitting',
  }],
  window: [
    arxiv('2004.05150', 'Beltagy et al.', 2020, 'Longformer: The Long-Document Transformer'),
    arxiv('2310.06825', 'Jiang et al.', 2023, 'Mistral 7B'),
  ],
  softcap: [
    arxiv('1611.09940', 'Bello et al.', 2016,
      'Neural Combinatorial Optimization with Reinforcement Learning'),
    arxiv('2408.00118', 'Gemma Team', 2024,
      'Gemma 2: Improving Open Language Models at a Practical Size'),
  ],
  scale: [{ ...vaswani, section: '3.2.1' }],
  qkNorm: [
    arxiv('2010.04245', 'Henry et al.', 2020, 'Query-Key Normalization for Transformers'),
  ],
  ropeBase: [roformer],
  ropeLayout: [roformer],
  value: [lessonOptions],
  outProjection: [{ ...vaswani, section: '3.2.2' }, lessonOptions],
  uniformAttention: [lessonOptions],
  init: [{ ...radford, section: '2.3' }, lessonOptions],
  batch: [
    arxiv('1812.06162', 'McCandlish et al.', 2018, 'An Empirical Model of Large-Batch Training'),
  ],
  learningRate: [
    arxiv('1206.5533', 'Bengio', 2012,
      'Practical Recommendations for Gradient-Based Training of Deep Architectures'),
  ],
  steps: [
    arxiv('2203.15556', 'Hoffmann et al.', 2022, 'Training Compute-Optimal Large Language Models'),
  ],
  seed: [page('docs/architecture.md', 'Randomness and reproducibility')],
  optimizer: [
    adamw,
    lion,
    {
      by: 'Jordan et al.', year: 2024,
      title: 'Muon: An optimizer for hidden layers in neural networks',
      link: 'https://kellerjordan.github.io/posts/muon/',
    },
  ],
  schedule: [
    arxiv('1608.03983', 'Loshchilov, Hutter', 2017,
      'SGDR: Stochastic Gradient Descent with Warm Restarts'),
    minicpm,
  ],
  warmup: [
    arxiv('1706.02677', 'Goyal et al.', 2017,
      'Accurate, Large Minibatch SGD: Training ImageNet in 1 Hour'),
    { ...vaswani, section: '5.3' },
  ],
  finalShare: [
    arxiv('2005.14165', 'Brown et al.', 2020, 'Language Models are Few-Shot Learners'),
  ],
  decayFraction: [minicpm],
  accumulation: [arxiv('1806.00187', 'Ott et al.', 2018, 'Scaling Neural Machine Translation')],
  weightDecay: [adamw],
  beta1: [adam, lion],
  beta2: [adam, lion],
  momentum: [
    {
      by: 'Polyak', year: 1964,
      title: 'Some methods of speeding up the convergence of iteration methods',
    },
    {
      by: 'Sutskever et al.', year: 2013,
      title: 'On the importance of initialization and momentum in deep learning',
    },
  ],
  clip: [
    arxiv('1211.5063', 'Pascanu et al.', 2013,
      'On the difficulty of training recurrent neural networks'),
  ],
  labelSmoothing: [{
    ...arxiv('1512.00567', 'Szegedy et al.', 2016,
      'Rethinking the Inception Architecture for Computer Vision'),
    section: '7',
  }],

  text: [page('web/site/TEXTS.md', 'The built-in texts'), page('web/lib/README.md', 'Tasks and single steps')],
  ownText: [kept],
  column: [controls],
  encoding: [controls],
  pieces: [page('web/lib/README.md', 'Tokenizers')],
  play: [page('web/site/README.md', 'How a run is driven')],
  step: [page('docs/architecture.md', 'A training step')],
  reset: [controls],
  start: [kept],
  go: [whatMakesARun],
  takeBack: [controls],
  prompt: [controls],
  temperature: [
    {
      by: 'Ackley et al.', year: 1985, title: 'A Learning Algorithm for Boltzmann Machines',
    },
    arxiv('1904.09751', 'Holtzman et al.', 2020, 'The Curious Case of Neural Text Degeneration'),
  ],
  probe: [controls],
  compare: [controls],
  openRun: [kept],
  note: [kept],
  states: [kept],
  fork: [kept],
  exportRun: [controls],
  deleteRun: [kept],
  importRun: [controls],
  download: [page('web/lib/README.md', 'What there is')],
  restHidden: [controls],
  lookRun: [kept],
  lookState: [inspecting],
  lookPrompt: [inspecting],
  headsKind: [{ ...vaswani, section: '3.2.1' }, inspecting],
  cutTo: [arxiv('1905.10650', 'Michel et al.', 2019, 'Are Sixteen Heads Really Better than One?')],
  renormalise: [page('web/lib/src/api-explain.ts', 'WhatIf')],
  scoreKind: [
    arxiv('2209.11895', 'Olsson et al.', 2022, 'In-context Learning and Induction Heads'),
    arxiv('2309.17453', 'Xiao et al.', 2023, 'Efficient Streaming Language Models with Attention Sinks'),
  ],
  otherPrompt: [
    arxiv('2211.00593', 'Wang et al.', 2022,
      'Interpretability in the Wild: a Circuit for Indirect Object Identification in GPT-2 small'),
  ],
  patchWhat: [
    arxiv('2202.05262', 'Meng et al.', 2022, 'Locating and Editing Factual Associations in GPT'),
  ],
  write: [inspecting],
  topK: [arxiv('1805.04833', 'Fan et al.', 2018, 'Hierarchical Neural Story Generation')],
  topP: [arxiv('1904.09751', 'Holtzman et al.', 2020, 'The Curious Case of Neural Text Degeneration')],
  drawSeed: [inspecting],
  shortcuts: [
    { by: 'W3C', year: 2018, title: 'Web Content Accessibility Guidelines 2.1', section: '2.1.4' },
  ],
};
