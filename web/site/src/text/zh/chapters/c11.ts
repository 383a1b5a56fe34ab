// SPDX-License-Identifier: MIT
import type { c11 as english } from '../../en/chapters/c11';

export const c11: typeof english = {
  title: '究竟为什么要有 V？',
  question: '注意力已经挑出了词元，为什么还要变换它们？',
  lead: [
    '“指向并后移”是两件事合成的。改道：找到被指的字母，这归 {query:W_Q} 和 {key:W_K}。内容：说出它后面的字母，这归 {value:W_V}。十个模型从同一个种子出发，看同样的批。每一个都被拿掉了一点东西。',
    '左边一列的嵌入固定在随机的起点上，所以没有什么能代替被拿掉的部分。右边一列的嵌入可以学习。',
  ],
  variants: {
    full: '什么都没拿掉',
    identity: '没有 W_V：V = X',
    frozenValue: 'W_V 固定为随机',
    frozenScores: 'W_Q 和 W_K 固定为随机',
    uniform: '平均地看所有地方',
  },
  columns: { frozen: '嵌入固定', learned: '嵌入学习' },
  predict: {
    text: '嵌入固定、V = X 时，最后会答对多少？',
    options: { chance: '和乱猜差不多（八分之一）', half: '大约一半', all: '几乎全部' },
    reveal: '最后答对的比例：',
  },
  start: '训练全部十个',
  stop: '停止',
  busy: (step, steps) => `第 ${step} 步，共 ${steps} 步`,
  figure: (column) => `损失，${column}`,
  table: '训练之后答对的比例',
  variant: '模型',
  accuracy: (samples) => `在 ${samples} 个新例子上`,
  looks: '各自看向哪里：最后一行的权重，在一个从未训练过的例子上',
  reading: {
    heading: '怎样读这张表',
    text: [
      '嵌入固定时，两件事干净地分开。没有 {value:W_V}，模型也许看对了字母，却只能照说一遍。没有学到的分数，它找不到那个字母。',
      '嵌入一旦可以学习，模型的其余部分几乎能绕过任何被拿掉的东西：所有部分一起优化，一起找到另一条路。如果只看右边一列，就会以为几乎哪一部分都不需要。',
      '后面有 {:W_O}、而且值与主干一样宽时，{value:W_V} 可以并入 {:W_O}；要紧的是每个头里两者的乘积。',
    ],
  },
  seed: '种子',
  outProjection: '带输出投影 W_O',
};
