// SPDX-License-Identifier: MIT
import type { c5 as english } from '../../en/chapters/c5';

export const c5: typeof english = {
  title: '混合',
  question: '加权和得到什么？为什么说它带上了上下文？',
  mix: {
    heading: '一行变成一个混合',
    lead: [
      '这一行取它能看到的每一列的{value|值}，每个取{weight|权重}所说的那么多，再加起来。这个和就是它的{mixture|混合} {mixture:c_i}。',
      '下面每个箭头是一份 {weight:A_ij} {value:v_j}。首尾相接，终点就是 {mixture:c_i}。向量的方向不止两个；这里横着看的是对答案要紧的方向，竖着看的是其余部分最多的方向。'
      + '看得见的长度占多少，也写了出来。',
    ],
    figure: '加权的值，首尾相接',
    axis: (answer, rival) => `支持 ${answer}，反对 ${rival}`,
  },
  parts: {
    heading: '每一次看对答案贡献多少',
    lead: [
      '模型用 logit 来支持一个答案。两个 logit 的差是一个和，所以可以拆开：每一列贡献多少，词元自己的嵌入绕过注意力贡献多少。各部分加起来分毫不差。',
    ],
    figure: (answer, rival) => `${answer} 的 logit 减 ${rival} 的 logit`,
    edge: (index, token) => `看 ${index} ${token}`,
    others: '这一层的其他头',
    embedding: '自己的嵌入和位置',
    attention: (layer) => `第 ${layer} 层的注意力`,
    feedForward: (layer) => `第 ${layer} 层的前馈`,
    bias: '偏置',
    total: '和：这个差',
  },
  mute: {
    label: (index, token) => `剪掉对第 ${index} 列 ${token} 的看`,
    renormalise: '把它的份额分给其他列',
    loss: '这个例子的损失，不剪与剪掉：',
  },
  ask: {
    text: (answer, rival) => `哪一次看最支持 ${answer} 而反对 ${rival}：最亮的那个，还是别的？`,
    options: { brightest: '最亮的那个', other: '别的' },
    reveal: '最亮的列，和最支持答案的列：',
  },
  context: {
    heading: '同一个词元，另一个上下文',
    lead: [
      '取两个只差一个词元的序列，看后面某一行，它自己的词元在两个序列里相同。关掉位置时，它的 {:X} 的行两边一样：同一个词元，同样的数。'
      + '它的{mixture|混合}却不一样。这就是带上上下文的意思：这一行现在含有关于别的行的东西。',
    ],
    pick: (row, token, changed, from, to) =>
      `第 ${row} 行 ${token}；在第 ${changed} 列，${from} 换成了 ${to}。`,
    x: '两行 X 之间的距离',
    c: '两个混合之间的距离',
  },
};
