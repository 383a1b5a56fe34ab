// SPDX-License-Identifier: MIT
// Every word the figures say, in Simplified Chinese.

import type { figureWords as english } from '../en/figures';

export const figureWords: typeof english = {
  language: 'zh-Hans',

  tokens: { space: '空格', newline: '换行', tab: '制表符', empty: '空' },

  frame: {
    tools: '图的工具',
    table: '表格',
    save: '保存',
    png: '图像 (PNG)',
    svg: '矢量图 (SVG)',
    csv: '数值 (CSV)',
    json: '带地址的数值 (JSON)',
    noNumber: '无',
  },

  labels: {
    token: '{index} {token}',
    spokenToken: '{index}，{token}',
    channel: '通道 {index}',
    shouldSay: '{index} {token}，应当说 {expected}',
    row: '行',
  },

  grid: {
    looks: '行在看，列被看。',
    looksTransposed: '列在看，行被看。',
    rowSums: '每行之和为 {one}。',
    columnSums: '每列之和为 {one}。',
    arrow: 'a → b：在 a 处，答案应当是 b。',
    lookCell: '第 {i} 行“{from}”看第 {j} 列“{to}”：{value}',
    lookMasked: '第 {i} 行“{from}”看不到后面的第 {j} 列“{to}”：0',
    lookPush: '第 {i} 行“{from}”看第 {j} 列“{to}”：{value} {push} (权重，推力)',
    lookPushMasked: '第 {i} 行“{from}”看不到后面的第 {j} 列“{to}”：0 0 (权重，推力)',
    plainCell: '{row}，{column}：{value}',
    transpose: '交换行与列',
    lock: '固定刻度',
    pinned: '已固定。按 Esc 松开。',
    hint: '指向或用方向键查看，点击或按 Enter 固定，按 Esc 松开。',
    weight: '权重',
    push: '推力',
    both: '上面的数：权重。下面的数：推力，即梯度下降希望分数去的方向。',
  },

  plane: {
    lengths: 'q 的长度：{q}；k 的长度：{k}',
    angle: '夹角 {angle}°，余弦 {cos}',
    product: 'q · k = {dot}',
    score: '分数 = {dot} × {scale} = {score}',
    query: 'q {index} {token}',
    key: 'k {index} {token}',
    handle: '查询向量的端点',
    handleHint: '上下键：加长或缩短 10 %。左右键：转动 5°。Esc：复原。',
    handleValue: '长度 {length}，夹角 {angle}°',
    changed: '假设：查询向量已被移动。按 Esc 复原。',
    back: '复原',
    exact: '两个向量都在这个平面内：长度和夹角都是真实的。',
  },

  bars: {
    product: 'q × k，逐个通道',
    total: '总计',
  },

  ruler: {
    axis: '沿查询 q {index} {token} 方向的距离',
    hidden: '这一行看不到',
    exact: '分数 = 这个距离 × 查询的长度 × {scale}。',
  },

  budget: {
    score: '分数',
    exp: 'exp(分数 − 最大值)',
    share: '份额',
    sum: '和 {sum}',
    bar: '一条长度为 {one} 的横条，分给各列',
    entropy: '这一行的熵：{entropy} 奈特',
    signal: '学习信号的大小，|dS| 之和：{signal}',
    nudge: '推动 {index} {token} 的分数',
  },

  view: {
    across: '横轴：{name}',
    up: '纵轴：{name}',
    largest: '其余部分最主要的方向',
    kept: '这个视图保留的长度份额：{share}',
    mixture: '混合 c {index}',
    query: '查询 q {index}',
    valueGradient: '对 v {index} 的推力',
    pushTip: '损失希望它去的地方',
    moved: '推力把它移到的地方',
    scaled: '箭头画成 {factor} 倍长',
  },

  mixture: {
    end: 'c {index}',
  },

  gain: {
    axis: '这一行若只取这个值的收益；越靠右越有帮助',
    mean: '当前的混合：{mean}',
    gain: '收益',
    weight: '权重',
    push: '推力',
    rule: '推力 = 权重 × (收益 − 平均)',
    size: '点越大，权重越大。',
  },

  nudge: {
    axis: '加到第 {i} 行 {from}、第 {j} 列 {to} 的分数上',
    curve: '真实损失',
    line: '切线',
    tangent: '切线，斜率 {slope}',
    handle: '推动分数',
    at: '推动 {by} 时：真实损失 {loss}，切线 {line}，相差 {gap}',
  },

  readers: {
    cut: '切断读者 {index} {token}',
    value: 'v {index} {token}',
    sum: '对 v 的推力：长度 {length}',
    width: '箭头越宽，那一行读这个值越多。',
    none: '没有一行读这个值。',
  },

  outer: {
    gradient: '{of} 的梯度',
    chosen: '{index} {token} 贡献的部分',
    share: '占梯度的份额',
    shareSum: '份额之和为 {sum}',
    small: '梯度太小，份额没有意义。',
    all: '所有词元合起来',
  },

  step: { before: '之前', after: '之后', change: '变化', push: '推力' },

  ledger: {
    predicted: '预测',
    measured: '实测',
    remainder: '余项',
    sum: '所有组',
    before: '之前的损失',
    after: '之后的损失',
    apply: '应用 {name}',
    explain:
      '预测：梯度乘以变化。实测：只让这一组移动。余项：直线没有抓住的部分，以及各组之间的相互影响。',
  },

  curves: {
    at: '在第 {step} 步',
    label: '{name}：{value}',
    slider: '{title}：曲线的步',
    spoken: '第 {step} 步：{values}',
    empty: '还没有点。',
  },

  timeline: {
    slider: '步',
    step: '第 {step} 步',
    pin: '固定第 {step} 步',
    unpin: '松开第 {step} 步',
    pins: '固定的步',
    goto: '到第 {step} 步',
  },

  heads: {
    head: '第 {layer} 层，第 {head} 头',
    short: 'L{layer}.H{head}',
  },

  importance: {
    weights: 'A：有多亮',
    sizes: 'A|v|：带来多少',
    firstOrder: '−A·dA：按斜率，切断的代价',
    cut: '切断后的损失减去损失',
    agreement: '次序一致程度（斯皮尔曼，可见的格）',
    selfTop: '最亮的格是词元自己的行：{total} 行中的 {count} 行',
    cutTop: '最亮的格恰是切断代价最大的行：{total} 行中的 {count} 行',
  },
};
