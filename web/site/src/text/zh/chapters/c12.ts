// SPDX-License-Identifier: MIT
import type { c12 as english } from '../../en/chapters/c12';

export const c12: typeof english = {
  title: '纵观训练',
  question: '先学会什么？什么依赖什么？',
  lead: [
    '到目前为止的每一步都可以再看，而且分毫不差：拖动时间线，或按逗号和句点。下面每条曲线都在所示的例子上测量，取分布在整个训练过程中的步。点击曲线就去到那一步；所有章节的所有图都跟着走。',
  ],
  measure: '测量到目前为止的训练',
  measuring: (done, all) => `已测 ${done} 步，共 ${all} 步`,
  row: {
    heading: '这一行有多拿定主意',
    lead: [
      '熵表示一行的注意力有多分散：只看一列时是 0，平均地看所有列时是列数的对数。分数上{push|推力}的大小表示关于“看哪里”还有多少要学。推力消退有两个原因：猜对了，或者这一行太拿定主意，softmax 什么也不放过。',
    ],
    entropy: '这一行的熵（奈特）',
    push: '它的推力的大小',
    figure: '熵，以及推力的大小',
    loss: '这个例子的损失',
    lossFigure: '这个例子的损失',
    answerFigure: '正确答案的概率',
    answer: '正确答案',
  },
  groups: {
    heading: '哪些权重在什么时候移动',
    lead: ['每一步中每组权重变化的长度。各组学习的时间不同：一组因什么得到奖励，取决于别的组已经在做什么。'],
    figure: '每一步权重的变化，按组',
  },
  compare: {
    heading: '两步并排',
    lead: ['在时间线上固定两步，看注意力有什么不同。'],
    none: '请在下面的时间线上固定两步。',
    at: (step) => `第 ${step} 步`,
    difference: '差别：后减前',
  },
  branch: {
    heading: '从这里起换个走法',
    lead: ['去到较早的一步，从那里用另一种设置训练下去。如果什么都不改，分支会把旧的损失重复到最后一位。'],
    rate: '分支的学习率',
    start: (step) => `从第 ${step} 步分支`,
  },
};
