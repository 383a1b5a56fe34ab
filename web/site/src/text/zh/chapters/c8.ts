// SPDX-License-Identifier: MIT
import type { c8 as english } from '../../en/chapters/c8';

export const c8: typeof english = {
  title: '值被告知什么',
  question: 'W_V 怎样得到它的信号？',
  readers: {
    heading: '值从它的读者那里听到消息',
    lead: [
      '每一行看了第 {key:j} 列，就用了 {value:v_j}，也就有意见：它自己的误差 {:-g_i}，按它看了多少来算。{value:v_j} 受到的{push|推力}就是这些的和，别无其他。没有人读的值，什么也听不到。',
    ],
    figure: '每个读者告诉这个值什么',
    cut: '没有你剪掉的读者时，这个值受到的推力长度是',
    uncut: '所有读者都在时，长度是',
  },
  ask: {
    text: (j, token) => `哪一行对值 ${j} ${token} 说得最多：看它最多的那一行，还是别的？`,
    options: { most: '看它最多的那一行', other: '别的行' },
    reveal: '看得最多的行，和说得最多的行：',
  },
  same: {
    heading: '先混合还是先变换',
    lead: [
      '模型先用 {value:W_V} 变换每一行，再混合。先把 {:X} 的行混合、再变换，结果一样：{:A (X W_V) = (A X) W_V}。请在两者之间切换，看有没有东西动。',
      '所以 {value:W_V} 的训练与普通线性层完全一样，只是它的输入是已经混合过的行，{:\\bar{x}_i = \\sum_j A_ij x_j}。',
    ],
    options: { transform: 'A (X W_V)', mix: '(A X) W_V' },
    label: '次序',
    figure: '混合 C，每行一个',
    difference: '两者在所有格子上的最大差别：',
  },
  gradient: {
    heading: 'W_V 的梯度，一块一块',
    lead: [
      '每一行 {query:i} 加上一块：它混合过的输入 {:\\bar{x}_i} 乘它的误差 {:g_i}，一个的每个数乘另一个的每个数。各块之和就是 {value:W_V} 的梯度。',
    ],
    mixed: '混合过的输入行，A X',
    upstream: '混合处的梯度，G',
    figure: 'W_V 的梯度',
    row: (i, token) => `第 ${i} 行 ${token} 加上的一块`,
    pieces: '各块之和与梯度的最大差别：',
  },
};
