// SPDX-License-Identifier: MIT
// What the header and the train room say, in Simplified Chinese.

import type { train as english } from '../en/train';

export const train: typeof english = {
  shell: {
    name: 'Heed',
    motto: '一个 Transformer 就在这个网页里、在你自己的机器上学习。你输入的任何内容都不会离开它。',
    themeLabel: '配色',
    themes: { system: '跟随系统', light: '浅色', dark: '深色' },
    languageLabel: '语言',
    rooms: { label: '房间', learn: '学习', train: '训练', inspect: '观察' },
    skip: '跳到训练控件',
    engine: (variant, threads) => `引擎：WebAssembly ${variant}，${threads} 个线程`,
    engineWhy: (reason) => `原因：${reason}`,
    wasmHash: (hash) => `二进制 ${hash.slice(0, 12)}`,
    shortcuts: '键盘快捷键',
    shortcutsHint: '按 ? 键列出它们。',
    help: '按键与帮助',
  },

  tips: {
    about: (label) => `关于：${label}`,
    these: '这些按钮',
    region: '关于这个控件',
    loading: '请稍候。',
    failed: '无法载入。请检查连接后再试。',
    where: '指向一个 ?，或在栏目里按 F1，可看到它的作用和出处。',
  },

  title: {
    opening: '正在准备',
    empty: '还没有训练',
    broken: '现在无法训练',
    learning: (parameters, name) => `${parameters} 个数正在学习续写 ${name}`,
    lead: (tokenizer, vocab, uniform) =>
      `在文本的每个位置，模型要从 ${vocab} 个${
        { char: '字符', byte: '字节', bpe: '词元' }[tokenizer]
      }中猜出下一个。损失表示它错得多厉害：平均乱猜是 ${uniform}，总能猜中是 0。`,
  },

  controls: {
    region: '训练',
    play: '训练',
    pause: '暂停',
    step: '走一步',
    reset: '重置',
    progress: '训练进度',
    of: (step, steps) => `第 ${step} 步，共 ${steps} 步`,
    phases: {
      opening: '正在载入引擎和文本',
      running: '训练中',
      paused: '已暂停',
      finished: '已完成：计划的步数都走完了',
      stopped: '已停止',
      empty: '没有训练。请用下面的表单开始一个',
      broken: '引擎没有运行',
    },
    left: (time) => `大约还要 ${time}`,
    spoken: (phase, step, loss) =>
      loss === undefined ? `${phase}。第 ${step} 步。` : `${phase}。第 ${step} 步，损失 ${loss}。`,
  },

  numbers: {
    region: '训练的数字',
    loss: '训练损失',
    lossHint: '最近一步，单位奈特',
    validation: '验证损失',
    validationHint: (step) => `留出的文本，第 ${step} 步`,
    validationNone: '在留出的文本上',
    learningRate: '学习率',
    gradientNorm: '梯度范数',
    gradientNormHint: (clip) =>
      clip === undefined ? '' : clip === 0 ? '不裁剪' : `裁剪到 ${clip} 之前`,
    tokensPerSecond: '每秒词元数',
    tokensSeen: (tokens) => `目前已看过 ${tokens} 个`,
    none: '–',
  },

  chart: {
    loss: '损失',
    compared: (letter, name) => `${letter}（${name}）`,
    comparedCaption: '末端带字母的虚线：所比较训练的验证损失。',
    lossCaption: '灰色：训练损失，点密处取平均。带点的线：验证损失。',
    training: '训练',
    validation: '验证',
    learningRate: '学习率',
    gradientNorm: '梯度范数',
    tokensPerSecond: '每秒词元数',
    step: '步',
    empty: '曲线从第一步开始。',
    keys: '方向键在曲线上移动。',
    at: (step, parts) => `第 ${step} 步：${parts.join('，')}`,
    part: (name, value) => `${name} ${value}`,
    more: '学习率、梯度范数和速度的曲线',
  },

  sample: {
    heading: '它现在写出的文字',
    prompt: '开头',
    temperature: '温度',
    temperatureHint: '越低越谨慎，0 总取最可能的一个。',
    at: (step) => `写于第 ${step} 步`,
    waiting: '走过最初几步后会出现第一段。',
    none: '没有训练，就没有可写的。',
    emptyPrompt: '请至少输入一个字符让模型续写。',
  },

  attention: {
    heading: '它看向哪里',
    lead: '每一行是探针文本的一个词元，它看向各列：自己和之前的词元。格子的墨色越重，权重越大；每一行的和是 1。',
    probe: '探针文本',
    probeHint: (tokens) => `${tokens} 个词元`,
    probeCut: (longest) => `只显示前 ${longest} 个词元。`,
    emptyProbe: '请至少输入一个字符来查看它的注意力。',
    at: (step) => `第 ${step} 步`,
    heads: '层与头',
    head: (layer, head) => `L${layer}.H${head}：第 ${layer} 层，第 ${head} 个头`,
    headShort: (layer, head) => `L${layer}.H${head}`,
    layer: (layer) => `第 ${layer} 层`,
    noLayers: '这个模型没有层，因此没有注意力。',
    grid: (layer, head) => `第 ${layer} 层第 ${head} 个头的注意力权重。行看，列被看。`,
    rows: '行在看',
    columns: '列被看',
    rowHeader: (index, token) => `第 ${index} 行，${token}`,
    columnHeader: (index, token) => `第 ${index} 列，${token}`,
    cell: (i, from, j, to, value) => `第 ${i} 行“${from}”看第 ${j} 列“${to}”：${value}`,
    masked: (i, from, j, to) => `第 ${i} 行“${from}”看不到后面的第 ${j} 列“${to}”：0`,
    reading: {
      row: (index) => `第 ${index} 行`,
      column: (index) => `第 ${index} 列`,
      looksAt: '看向',
      cannotSee: '看不到后面的',
      shouldSay: '后面应当是',
    },
    keys: '指向一个格子，或用方向键移动。点击或回车固定，Esc 放开。',
    pinned: '已固定',
    legend: '权重',
    table: '以表格显示这个头',
    caption: (grid, step) => `${grid}第 ${step} 步。`,
    waiting: '正在等待第一批权重。',
    none: '没有训练，就没有权重可看。',
  },

  form: {
    heading: '文本与模型',
    text: '文本或任务',
    texts: '文本',
    tasks: '任务',
    own: '自己的文本',
    paste: '粘贴到这里',
    use: '使用这段文本',
    upload: '或选择文件，也可拖到这里：.txt、.md、.csv、.json、.jsonl',
    reading: '正在读取文本',
    learningTokens: (done, wanted) => `正在学习词元：${done} / ${wanted}`,
    column: '列或字段',
    columnSize: (name, characters) => `${name}（${characters} 个字符）`,
    encoding: '编码',
    encodingHint: '这是按字母出现的频率猜的。如果文字不对，请另选一种。',
    textSize: (bytes, tokens, vocab) => `${bytes}，${tokens} 个词元，其中 ${vocab} 种`,
    textCut: (limit) => `只使用前 ${limit}。`,
    cut: (limit) => `使用前 ${limit}`,
    excerpt: '开头是这样的',
    pieces: '文本怎样切成词元',
    piecesText: '任意文本',
    piecesOf: (characters, tokens) => `${characters} 个字符，${tokens} 个词元`,
    piecesCut: (longest) => `只显示前 ${longest} 个。`,
    piece: (token, id) => `${token}，词元 ${id}`,
    model: '模型',
    training: '训练',
    start: '开始新的训练',
    startHint: '正在进行的训练会先保存，再离开。',
    go: '用这些设置继续',
    goHint: '只有训练设置不同，所以可以用新设置继续：学到的都会保留。',
    textFirst: '有了文本并读完之后，才能开始训练。',
    noEngine: '引擎运行之前，无法开始训练。',
    startLoses: '正在进行的训练无法保存在这里，会丢失：请先下载它。',
    takeBack: '撤销这些改动',
    bringBack: '恢复这些改动',
    same: '这就是正在进行的训练。',
    fixFirst: '有些栏目需要先改正，才能开始训练。',
    fields: {
      tokenizer: { label: '词元', hint: '文本被切成什么' },
      vocabulary: { label: '词表', hint: '最多多少个词元；其中 256 个是字节' },
      layers: { label: '层', hint: '一块接一块' },
      heads: { label: '头', hint: '每层的注意力图' },
      width: { label: '宽度', hint: '每个词元用多少个数' },
      ffn: { label: '前馈宽度', hint: '0 表示不要它' },
      context: { label: '上下文', hint: '能回看多少个词元' },
      position: { label: '位置', hint: '怎样知道顺序' },
      norm: { label: '归一化', hint: '在每个分支之前' },
      activation: { label: '激活函数', hint: '在前馈部分' },
      batch: { label: '批量', hint: '一步里的序列数' },
      learningRate: { label: '学习率', hint: '峰值' },
      steps: { label: '步数', hint: '计划' },
      seed: { label: '种子', hint: '种子相同，训练就相同' },
      headsPerKey: { label: '共用键的头数', hint: '几个查询头共用一个键头' },
      normPosition: { label: '归一化的地方', hint: '在分支之前，或在求和之后' },
      bias: { label: '偏置', hint: '加在每个投影里' },
      tied: { label: '共享输出头', hint: '输出使用词元嵌入' },
      dropout: { label: '随机失活', hint: '训练时置为 0 的比例' },
      window: { label: '窗口', hint: '每个位置能看到的词元数，含自身；0 表示全部' },
      softcap: { label: '软上限', hint: '分数不超过它；0 表示没有' },
      scale: { label: '分数缩放', hint: '0 表示头宽度平方根的倒数' },
      qkNorm: { label: '查询和键的归一化', hint: '长度不会变大' },
      ropeBase: { label: '旋转底数', hint: '越大转得越慢' },
      ropeLayout: { label: '旋转配对', hint: '哪些数一起转' },
      value: { label: '值', hint: '一个词元交出什么' },
      outProjection: { label: '输出投影', hint: '各个头之后的 W_O' },
      uniformAttention: { label: '相等的权重', hint: '没有查询和键' },
      init: { label: '初始权重', hint: '有多大' },
      optimizer: { label: '优化器', hint: '梯度怎样变成一步' },
      schedule: { label: '学习率安排', hint: '过了峰值之后怎样变化' },
      warmup: { label: '预热', hint: '步数，最多占全部的二十分之一' },
      finalShare: { label: '最终比例', hint: '学习率最后降到峰值的多少' },
      decayFraction: { label: '下降部分', hint: '占全部步数；只用于预热-稳定-下降' },
      accumulation: { label: '累积', hint: '几个批量合成一步' },
      weightDecay: { label: '权重衰减', hint: '把矩阵拉向 0' },
      beta1: { label: 'Beta 1', hint: '对梯度的记忆（AdamW、Lion）' },
      beta2: { label: 'Beta 2', hint: '对平方的记忆（AdamW），或 Lion 的动量' },
      momentum: { label: '动量', hint: '对梯度的记忆（Muon、SGD）' },
      clip: { label: '裁剪', hint: '梯度的最大长度；0 表示不裁剪' },
      labelSmoothing: { label: '标签平滑', hint: '分给所有词元的目标比例' },
    },
    furtherModel: '模型的更多设置',
    furtherTraining: '训练的更多设置',
    changed: (count) => `改了 ${count} 项`,
    options: {
      tokenizer: { char: '字符', byte: '字节', bpe: '字节对（BPE）' },
      position: {
        learned: '学习得到', sinusoidal: '正弦', rope: '旋转（RoPE）', alibi: '按距离（ALiBi）',
        none: '无',
      },
      norm: { layer: '层归一化', rms: 'RMS 归一化', none: '无' },
      activation: {
        geluErf: 'GELU', geluTanh: 'GELU（tanh）', relu: 'ReLU', relu2: 'ReLU²',
        silu: 'SiLU', swiglu: 'SwiGLU', geglu: 'GEGLU',
      },
      normPosition: { pre: '每个分支之前', post: '每次求和之后' },
      ropeLayout: { halves: '相隔半个头', interleaved: '相邻' },
      value: { learned: '学习得到（W_V）', identity: '输入本身' },
      init: { gpt2: '小（GPT-2）', unit: '长度接近 1' },
      optimizer: { adamw: 'AdamW', muon: 'Muon', lion: 'Lion', sgd: 'SGD' },
      schedule: {
        cosine: '余弦', linear: '线性', wsd: '预热-稳定-下降', constant: '不变',
      },
    },
  },

  forecast: {
    heading: '需要多少',
    parameters: '参数',
    memory: '训练所需内存',
    step: '一步的时间',
    milliseconds: (ms) => `${ms} 毫秒`,
    time: '走完所有步的时间',
    timeMeasured: '约数，依据在这台机器上测得的速度',
    timeGuess: '在这里测过一次训练之前，只是粗略估计',
    none: '文本读完、各栏填妥后就知道了。',
    tooMuch: (needed, limit) =>
      `这需要 ${needed} 内存，而网页最多能用 ${limit}。请减小宽度、上下文、批量或层数。`,
  },

  problems: {
    missing: ({ min, max }) => `缺少一个数。请输入 ${min} 到 ${max} 之间的数。`,
    notNumber: ({ found, min, max }) => `“${found}”不是数。请输入 ${min} 到 ${max} 之间的数。`,
    notWhole: ({ found, min, max }) => `“${found}”不是整数。请输入 ${min} 到 ${max} 之间的整数。`,
    outside: ({ found, min, max }) => `“${found}”超出范围。请输入 ${min} 到 ${max} 之间的数。`,
    either: (below, above) => `${below} 或 ${above}`,
    indivisible: ({ width, heads, instead }) =>
      `各个头平分宽度，而 ${width} 不能被 ${heads} 整除。请试试 ${instead}。`,
    oddHead: ({ headWidth }) =>
      `旋转位置成对地转动数字，所以宽度除以头数必须是偶数；现在是 ${headWidth}。请改变宽度或头数。`,
    exampleTooLong: ({ context, needed }) =>
      `这项任务的一个例子有 ${needed} 个词元，超过了 ${context} 的上下文。请用 ${needed} 或更大。`,
    unevenSharing: ({ heads, headsPerKey }) =>
      `${heads} 个头不能分成每组 ${headsPerKey} 个。请用能整除 ${heads} 的数。`,
    textTooShort: ({ tokens, context, needed, longest }) =>
      `文本有 ${tokens} 个词元。上下文为 ${context} 且留出十分之一用于验证时，至少需要 ${needed} 个。${
        longest > 0 ? `请选更长的文本，或不超过 ${longest} 的上下文。` : '请选更长的文本。'
      }`,
  },

  textFailures: {
    empty: '这里没有文本。请粘贴或选择一段有文字的文本。',
    binary: '这不是文本：它含有任何文本都不会有的字节。请选择纯文本 .txt 文件。',
    encoding: '这个文件不是 UTF-8 编码，网页认识的其他编码也不合适。请存为 UTF-8 文本后再选。',
    table: ({ line, message }) =>
      `无法把这个文件读成表格${line === undefined ? '' : `：第 ${line} 行有错`}（${message}）。`
      + '请改正，或把扩展名改成 .txt，把全部内容当作文本。',
    tableTooLarge: ({ size, limit }) =>
      `这个表格有 ${size}；网页最多读取 ${limit}。请只选它的一部分。`,
    aborted: '读取已停止。请重新选择文本。',
    tooLarge: ({ size, limit }) =>
      `这段文本有 ${size}；网页最多处理 ${limit}。请使用它的开头，或选更短的文本。`,
    unreachable: (why) => `无法载入文本（${why}）。请检查连接后重新选择。`,
    missing: '这次训练的文本已不在这个浏览器里。请重新粘贴或选择。',
  },

  storageFailures: {
    unavailable: '这个浏览器不允许网页存储任何东西，所以关闭网页后训练会丢失。训练会继续；要保留它，请下载。',
    full: ({ needed, free }) =>
      `训练无法保存：浏览器的存储已满${
        needed === undefined ? '' : free === undefined ? `（需要 ${needed}）` : `（需要 ${needed}，剩余 ${free}）`
      }。上一次保存仍然完好。请腾出空间，或下载这次训练。`,
    failed: (why) => `训练无法保存（${why}）。上一次保存仍然完好。训练会继续；要保留它，请下载。`,
  },

  saving: {
    none: '尚未保存',
    saved: (step, bytes) => `已保存在此浏览器，第 ${step} 步（${bytes}）`,
    download: '下载这次训练',
    restHidden: '看不到这个标签页时暂停，以节省能源',
    fileName: (step) => `heed-step-${step}.safetensors`,
  },

  engineFailures: {
    'invalid-argument': (message) => `引擎拒绝了：${message}`,
    'out-of-memory': (message) => `内存不够。${message}`,
    'non-finite': (message) =>
      `训练停止了，因为有一个数不再是有限的。${message} 权重保持在这一步之前的状态。通常的原因是学习率太高。`,
    disposed: (message) => message,
    'bad-data': (message) => message,
    'bad-state': (message) => message,
    aborted: (message) => message,
    unsupported: (message) => `这个浏览器无法运行引擎。${message}`,
    'load-failed': (message) => `引擎无法载入。${message}`,
    crashed: (message) => `引擎出了故障（${message}）。已保存的内容还在；请再试一次，从那里继续。`,
  },

  notices: {
    close: '关闭',
    tryAgain: '再试一次',
    ignored: (ignored) =>
      `链接要求 ${
        ignored.map(({ key, value }) => `${key} = “${value.slice(0, 40)}”`).join('，')
      }，这里无法做到。改用通常的值。`,
    ownTextElsewhere: '链接对应某人自己的文本，它不在这个浏览器里。改用内置文本。',
    damaged: (older) =>
      older ? '这次训练最新的保存已损坏，因此使用前一次的。' : '保存的训练已损坏，无法使用。将开始新的训练。',
    textChanged: '训练保存之后文本变了，它的词元不再对应。',
    notContinued: (why) => `保存的训练无法继续，因此开始新的训练。${why}`,
    wasReset: (step) => `回到第 0 步。在你继续之前，第 ${step} 步会保留。`,
    bringBack: (step) => `恢复第 ${step} 步`,
    backTo: (step, rate) => `回到第 ${step} 步，以 ${rate} 继续`,
    startAt: (rate) => `以 ${rate} 重新开始`,
    diverging: (loss, uniform) =>
      `训练已停止，因为损失（${loss}）远高于平均乱猜（${uniform}）：模型在变差。通常的原因是学习率太高。按“训练”仍可继续。`,
  },

  tokens: { space: '空格', newline: '换行', tab: '制表符' },

  durations: {
    underSecond: '不到一秒',
    seconds: (count) => `${count} 秒`,
    minutes: (count) => `${count} 分钟`,
    hours: (hours, minutes) => (minutes === 0 ? `${hours} 小时` : `${hours} 小时 ${minutes} 分钟`),
    days: (count) => `${count} 天`,
  },
};
