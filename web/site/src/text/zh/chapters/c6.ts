// SPDX-License-Identifier: MIT
import type { c6 as english } from '../../en/chapters/c6';

export const c6: typeof english = {
  title: '从猜错到混合',
  question: '学习信号从哪里来？',
  error: {
    heading: '误差是一个差',
    lead: [
      '模型给每个答案一个概率；正确的本应得到 1，其余得到 0。差就是误差：这里多了，那里少了。它也正是损失对 logit 的梯度，除以要回答的个数 {:n}。'
      + '它加起来是 0：正确答案要得到的，正是其他答案要失去的。',
    ],
    figure: '这一行 logit 的梯度，(p − y) / n',
    sum: '所有答案之和：',
    none: '这一行不要求回答，所以没有误差从这里出发。请选择带箭头的行。',
  },
  push: {
    heading: '误差指向某处',
    lead: [
      '每个答案都有一个方向，模型沿着它听取这个答案。误差沿这些方向传回来，就成为这一行{mixture|混合}上的一个箭头：损失想让混合往哪里走。它的反向就是梯度 {:g_i}。',
      '把别的答案当作正确，箭头就会转向。',
    ],
    target: '把这个当作正确答案',
    figure: '混合，以及损失想让它去的地方',
    length: '混合处梯度的长度：',
    own: '正确答案',
    axis: (answer, rival) => `支持 ${answer}，反对 ${rival}`,
  },
  ask: {
    text: (answer) => `除了正确答案 ${answer}，哪个答案的 logit 被往下推得最多？`,
    options: { likeliest: '看起来最可能的错误答案', even: '所有错误答案一样', other: '别的答案' },
    reveal: '被往下推得最多的是答案',
    with: '它的概率是',
  },
};
