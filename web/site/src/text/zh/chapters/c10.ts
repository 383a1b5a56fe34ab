// SPDX-License-Identifier: MIT
import type { c10 as english } from '../../en/chapters/c10';

export const c10: typeof english = {
  title: '把一步拆开',
  question: '这次更新在这里做了什么？是谁做的？',
  lead: ['下一步在走之前就先看一看。批、梯度和新权重都是真的；看完之后一切放回原处。'],
  resting: '请暂停训练，才能拆开下一步。',
  scrubbed: '请回到最新一步，才能拆开下一步。',
  optimizer: '用 Adam 时每个权重有自己的步长，所以这一步并不只是顺着梯度走，直线预测也就更粗略。用 SGD 时是顺着梯度走的。',
  ledger: {
    heading: '损失的账本',
    lead: [
      '权重分成几组。每组有一个预测：坡度乘变化；和一个测量：只有这一组移动时这一批的损失。所有组一起移动时剩下的是余项：曲线会弯，各组也互相影响。“共同训练”写成一个数，就是这个余项。',
    ],
    figure: '下一步中损失的变化，按权重组',
    subset: '只有勾选的组移动时的损失：',
    groups: {
      embeddings: '嵌入', positions: '位置', query: 'W_Q', key: 'W_K', value: 'W_V', output: 'W_O',
      feedForward: '前馈', norms: '归一化', norm: '最后的归一化', head: '输出层',
    },
    layer: (layer, name) => `第 ${layer} 层 ${name}`,
  },
  cell: {
    heading: '一个格子，之前与之后',
    lead: [
      '更新改变每个{query|查询}和每个{key|键}。{score|分数}是两者的乘积，所以它的变化正好分成三部分：查询动了，键动了，两者同时动了。',
    ],
    before: '分数，之前与之后',
    figure: '这个分数的变化',
    query: '查询动了：Δq · k',
    key: '键动了：q · Δk',
    both: '同时：Δq · Δk',
    total: '分数的变化',
    followed: '走向了被推方向的可见分数：',
    followedLead: '权重由所有行和所有例子共用，所以一个分数可能逆着自己的推力走。',
  },
  output: {
    heading: '改道还是改内容',
    lead: [
      '{mixture|混合}改变，有的因为这一行看向别处（{weight:A} 变了：改道），有的因为在那里找到的东西变了（{value:V} 变了：改内容），有的因为两者同时。各部分沿着支持正确答案的方向显示。',
    ],
    figure: '混合的变化，支持答案、反对对手',
    routing: '改道：ΔA · v',
    content: '改内容：A · Δv',
    both: '同时：ΔA · Δv',
    total: '混合的变化',
  },
  apply: {
    heading: '只走这一步的一部分',
    buttons: { scores: '只动 W_Q 和 W_K', values: '只动 W_V', all: '全部都动' },
    undo: '撤销',
    done: (names) => `走了一步：${names}。`,
  },
  ask: {
    text: '如果只有一组移动，哪一组最能降低这一批的损失？',
    reveal: '测得的损失变化：',
  },
};
