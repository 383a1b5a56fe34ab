// SPDX-License-Identifier: MIT
import type { c13 as english } from '../../en/chapters/c13';

export const c13: typeof english = {
  title: '注意力是解释吗？',
  question: '每个头做什么？亮的格子重要吗？',
  heads: {
    heading: '几个头',
    lead: [
      '一层可以有几个头。每个都有自己的、较窄的{query|查询}、{key|键}和{value|值}，各自混合；输出再合在一起。没有人给头分派角色，小模型也未必会出现读者认得的角色。',
    ],
    figure: '所有头的注意力权重',
    one: '这个模型每层只有一个头。在“任务与设置”里可以要更多。',
    self: '最亮的格子就是词元自己的行：',
  },
  importance: {
    heading: '“重要”的四种意思',
    lead: [
      '亮的格子看起来重要。但大的{weight|权重}配上短的{value|值}带不来多少东西，带来的东西也未必对答案要紧。只有最后一张图是去问模型的：逐个剪掉每一次看，再测一遍损失。',
    ],
    figure: '一个头的四张图',
    renormalise: '剪掉一次看时，把它的份额分给其他列',
    sums: '剪掉而不分出去时，这一行加起来不再是 1。',
  },
  ask: {
    text: (i, token) => `第 ${i} 行 ${token}：最亮的一次看，也是剪掉代价最大的一次吗？`,
    options: { yes: '是', no: '不是' },
    reveal: '最亮的列，和剪掉代价最大的列：',
  },
  mute: {
    heading: '没有某个头',
    lead: ['整个头都可以拿掉：输出设为 0，或设为它自己在各行上的平均。损失说明它在这个例子上值多少。'],
    head: (layer, head) => `第 ${layer} 层第 ${head} 个头`,
    zero: '输出为 0',
    mean: '输出取平均',
    loss: '损失',
    whole: '什么都没拿掉',
    all: '所有头都为 0：只剩下绕过注意力的部分',
  },
};
