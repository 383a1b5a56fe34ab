// SPDX-License-Identifier: MIT
import type { c2 as english } from '../../en/chapters/c2';

export const c2: typeof english = {
  title: '同一行的三种读法',
  question: 'Q、K、V 都来自同一个 x，为什么不同？为什么这样叫？',
  readings: {
    heading: '一行，三个角色',
    lead: [
      '一行要扮演三个角色。作为看的一方，它在找东西：这是它的{query|查询}。作为可能被看的一方，它说明凭什么能找到它：这是它的{key|键}。'
      + '被看到时，它交出东西：这是它的{value|值}。要找的、应答的、交出的不必相同，所以各有一种读法：这一行乘 {query:W_Q}，乘 {key:W_K}，乘 {value:W_V}。',
      '名字来自查表：拿查询与键比较，匹配的键所带的就是值。在这里，每个键都匹配一点点。',
    ],
    x: (row) => `X 的第 ${row} 行`,
    q: '查询，Q = X W_Q',
    k: '键，K = X W_K',
    v: '值，V = X W_V',
  },
  microscope: {
    heading: '放在显微镜下',
    lead: [
      '{query|查询}的每个数都是一个和：{:X} 那一行的每个数乘 {query:W_Q} 一列中的一个权重，再加起来。请选择读法和数。',
    ],
    reading: '读法',
    channel: '第几个数',
    figure: (letter, row, channel) => `${letter}：第 ${row} 行第 ${channel} 个数，逐项`,
    total: '和',
    step: '加上下一项',
    all: '加上所有项',
    restart: '重新开始',
    soFar: '到目前为止的和：',
  },
  edit: {
    heading: '改一个权重',
    lead: ['给一个权重输入别的值。整个模型会用它重新计算；训练中的权重保持不变。'],
    weight: (name, row, column) => `${name} 第 ${row} 行第 ${column} 列的权重`,
    row: '权重的行',
    back: '恢复它自己的值',
    wrong: '请输入一个数。',
    cell: '这个数，改变前和改变后',
    score: '所选行与列的分数',
    attention: '所选行与列的权重',
    loss: '这个例子的损失',
    before: '之前',
    after: '改变后',
  },
};
