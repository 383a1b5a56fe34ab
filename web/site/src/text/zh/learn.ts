// SPDX-License-Identifier: MIT
// What the learn room says around its chapters, in Simplified Chinese.

import type { learn as english } from '../en/learn';
import { chapters } from './chapters';

export const learn: typeof english = {
  chapters,

  opening: '正在准备引擎',
  chapterList: '章节',
  previous: (title) => `上一章：${title}`,
  next: (title) => `下一章：${title}`,
  chapter: (number, title) => `${number}. ${title}`,

  tasks: {
    pointAndShift: {
      name: '指向并后移',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入 ${tokens} 个词元：先是字母，然后是一个指针：@2 指向第 2 个位置的字母，从 0 数起。它要回答的是：被指到的字母在字母表里的下一个（最后一个之后是 A）。`,
    },
    copy: {
      name: '抄写',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入 ${tokens} 个词元：字母，一个分隔符，然后要把同样的字母再说一遍。`,
    },
    reverse: {
      name: '倒写',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入 ${tokens} 个词元：字母，一个分隔符，然后要把字母从最后一个说到第一个。`,
    },
    induction: {
      name: '归纳',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入 ${tokens} 个词元：一排字母，接着从这排字母中间的某处再来一遍。要接下去，它得找到这个字母先前出现在哪里、后面跟着什么。`,
    },
    sort: {
      name: '排序',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入 ${tokens} 个词元：字母，一个分隔符，然后要按字母表顺序说出这些字母。`,
    },
    text: {
      name: '你自己的文本',
      lead: (tokens) =>
        `这个模型此刻就在这个网页里学习。它读入一段文本的 ${tokens} 个字符，并在每个字符之后说出下一个是什么。`,
    },
  },

  strip: {
    region: '训练',
    play: '训练',
    pause: '暂停',
    step: '走一步',
    back: '退一步',
    stages: { idle: '只做前向', forward: '只做反向', backward: '只做更新' },
    stageDone: {
      forward: (loss) => `前向已完成：这一批的损失是 ${loss}。还没有权重移动。`,
      backward: (norm) => `反向已完成：梯度的长度是 ${norm}。还没有权重移动。`,
    },
    pace: '速度',
    paces: (steps) => (Number.isFinite(steps) ? `每秒 ${steps} 步` : '能多快就多快'),
    reset: '重置',
    seed: '换种子',
    settings: '任务与设置',
    task: '任务',
    text: '要学习的文本',
    textUse: '学习这段文本',
    textHint: '它只留在这个标签页里。超过 100,000 个字符的部分不会使用。',
    textShort: (shortest) => `请至少输入 ${shortest} 个字符。`,
    rate: '学习率',
    rateHint: '从这一步起改变，不必重置。',
    ratePossible: '请输入 0.000001 到 10 之间的数。',
    optimizer: '优化器',
    optimizers: { adamw: 'Adam', sgd: 'SGD' },
    block: '模型',
    blocks: { attention: '只有注意力', full: '完整的块（归一化、前馈）' },
    heads: '每层的头数',
    example: (index) => `例 ${index + 1}`,
    exampleNext: '下一个例子',
    exampleBack: '上一个例子',
    stepLabel: '步',
    loss: '损失',
    accuracy: '答对的比例',
    accuracyHint: (sequences) => `在 ${sequences} 个从未训练过的例子上`,
    gradientNorm: '梯度长度',
    tokensPerSecond: '每秒词元数',
    none: '–',
    phases: {
      opening: '正在准备', running: '训练中', paused: '静止', broken: '引擎没有运行',
    },
    rests: {
      reader: '已暂停',
      hidden: '看不见时已暂停',
      converged: '学会了：静止，再练也没有收获',
      limit: '跑了很久，静止；按“训练”继续',
    },
    looking: (step) => `正在看第 ${step} 步`,
    newest: '回到最新一步',
    spoken: (phase, step, loss) =>
      loss === undefined ? `${phase}。第 ${step} 步。` : `${phase}。第 ${step} 步，损失 ${loss}。`,
    keys: '空格：训练或暂停。句点：走一步。逗号：退一步。G：数值或推力。方向键移动，回车固定，Esc 放开。',
  },

  depth: { label: '深度', picture: '图', numbers: '数', algebra: '代数', code: '代码' },

  side: { label: '显示', forward: '数值', gradient: '推力' },

  inspector: {
    heading: '这个数',
    none: '指向一个数，或用方向键移到它，就能看到它从哪里来。',
    address: '地址',
    value: '数值',
    formula: '它是怎样得来的',
    terms: '逐项',
    term: '项',
    product: '乘积',
    total: '累计',
    from: '来自',
    to: '去向',
    nowhere: '到这里为止：这就是损失。',
    start: '一个学出来的权重。',
    unpin: '放开',
    open: '展开',
    close: '收起',
    sign: '梯度是损失的坡度。下降走相反的方向；推力就是负的梯度。',
  },

  names: {
    E: '模型学会为这个词元写下的东西：它的嵌入中的一个数。',
    P: '模型学会为序列中这个位置写下的东西。',
    X: '进入三个投影的那一行中的一个数。',
    Q: '{query|查询}中的一个数：这一行在找什么。',
    K: '{key|键}中的一个数：这一列凭什么被找到。',
    V: '{value|值}中的一个数：这一列被看时交出什么。',
    S: '一个{score|分数}：这一行的{query|查询}与这一列的{key|键}方向有多一致。',
    A: '一个{weight|权重}：这一行把多少注意力花在这一列上。',
    C: '{mixture|混合}中的一个数：所有可见列的值，按权重相加。',
    Y: '注意力写入主干的一个数。',
    M: '注意力之后主干中的一个数。',
    N: '输出层读到的一个数。',
    logits: '在 softmax 之前，模型有多支持这个答案。',
    probs: '模型给这个答案的概率。',
    loss: '这一行猜得多错：正确答案概率的对数取负。',
    dlogits: '损失怎样随这个 logit 变化。',
    dC: '损失怎样随混合中的这个数变化。',
    dA: '如果只有这个权重变大，损失会怎样变化。',
    dS: '损失怎样随这个分数变化：负的{push|推力}。',
    push: '这个分数受到的{push|推力}：下降要它往哪边走、走多少。',
    gain: '按一阶近似，每混入一份这个值，损失会下降多少。',
    mean: '现有混合的同一个量：一个值要被往上推，就得超过它。',
    dQ: '损失怎样随查询的这个数变化。',
    dK: '损失怎样随键的这个数变化。',
    dV: '损失怎样随值的这个数变化。',
    dW_Q: '损失怎样随 {query:W_Q} 的这个权重变化。',
    dW_K: '损失怎样随 {key:W_K} 的这个权重变化。',
    dW_V: '损失怎样随 {value:W_V} 的这个权重变化。',
    W_Q: '{query:W_Q} 的一个权重。',
    W_K: '{key:W_K} 的一个权重。',
    W_V: '{value:W_V} 的一个权重。',
  },

  tools: {
    code: '复制为代码',
    codeCopied: '已复制：算出这个数的代码。',
    link: '复制链接',
    linkCopied: '已复制：正好指向这里的链接。',
    failed: '浏览器不允许复制。内容显示在图的下面。',
  },

  timeline: { heading: '到目前为止的步', region: '时间线' },

  question: {
    heading: '先猜再看',
    check: '看看模型怎么说',
    right: '对了。',
    wrong: '这次不对。',
    again: '再问一次',
  },

  pick: {
    row: '看的行', column: '被看的列', head: '头', layer: '层', answer: '正确答案', rival: '对手',
  },

  ratio: '{of} 个中有 {count} 个',
  algebra: '用代数写出来',
  whatIf: '假如：这些不是模型自己的数，而是它会算出的数。',
  whatIfBack: '回到模型',
  heldFixed: '这个模型有归一化。这里把它的尺度固定在现在的值上，才能单独谈论一个部分。',

  code: { heading: '用代码写出来', copy: '复制' },

  error: (why) => `训练停止了。${why}`,
};
