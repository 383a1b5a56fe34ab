// SPDX-License-Identifier: MIT
import type { c9 as english } from '../../en/chapters/c9';

export const c9: typeof english = {
  title: '谁教了 W_Q？',
  question: '这个梯度该归功于哪个词元、哪一对？',
  stack: {
    heading: '梯度是一叠',
    lead: [
      '投影的梯度是许多简单的块之和，每个词元一块：进去的 {:X} 的行，乘出来处的梯度，一个的每个数乘另一个的每个数。所以可以问：谁贡献了多少。',
      '一块的份额，是它沿整个梯度伸出多远。份额加起来是 1；负的份额表示这个词元往反方向拉。',
    ],
    projection: '投影',
    figure: (name) => `${name} 的梯度，一叠各块`,
    floor: '这个梯度太小，分不出份额：分出来的只是噪声。',
  },
  pairs: {
    heading: '逐对来看',
    lead: [
      '对 {query:W_Q} 和 {key:W_K}，每一块还能再拆，因为分数属于一对：看的行，和被看的列。',
    ],
    figure: '每一对的带符号份额',
    sum: '所有对的份额之和是',
  },
  ask: {
    text: (name) => `在这个例子上，哪个词元给 ${name} 的梯度加得最多？`,
    last: '最后一个', other: '别的',
    reveal: '份额最大的词元：',
  },
  batch: {
    heading: '整批来看',
    lead: ['一步把整批例子的梯度加起来。有的例子说得更响：多半是模型答错的那些。'],
    start: '问遍下一批的所有例子',
    busy: (done, all) => `正在问 ${done}，共 ${all}`,
    figure: (name) => `每个例子在这一批 ${name} 梯度中的份额`,
    example: (index) => `例 ${index + 1}`,
    loudest: '最响的例子：',
    loss: '它的损失，和这一批的平均损失：',
  },
};
