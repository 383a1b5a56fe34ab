// SPDX-License-Identifier: MIT
// Tasks in the train room, in Simplified Chinese.

import type { tasks as english } from '../en/train-tasks';

export const tasks: typeof english = {
  tasks: {
    title: (parameters, name) => `${parameters} 个数正在学习一项任务：${name}`,
    heading: '它现在的回答',
    waiting: '走过最初几步后会出现第一批回答。',
    example: '留出的例子',
    wanted: '应当接着',
    given: '它说',
    verdict: '整个例子',
    right: '对',
    wrong: '错',
    exact: '做对的例子',
    exactHint: '留出 1,024 个，每个词元都对才算',
    unknownLabel: (word) =>
      `这项任务没有词元“${word.slice(0, 20)}”。请用空格隔开各个词元。`,
    kinds: {
      pointAndShift: {
        name: '指向并移位',
        lead: '先是字母，然后是指向其中一个的数字；答案是字母表里的下一个字母。注意力必须找到数字所指的位置，而它的值必须带来那里的字母，并且已经向后移了一位。',
      },
      copy: {
        name: '复制 16 个字母',
        lead: '字母、一条竖线，再是同样的字母。注意力必须往回看固定的距离，把那里的字母交出来。',
      },
      reverse: {
        name: '倒写 12 个字母',
        lead: '字母、一条竖线，再把字母从最后一个说到第一个。注意力每走一步都要看得更远：靠位置，而不是靠距离。',
      },
      induction: {
        name: '归纳，32 个字母',
        lead: '一行互不相同的字母，从中间某处再说一遍。一层要记下每个字母之前是什么，下一层要据此找到这个字母第一次出现的地方，并交出它后面的字母。',
      },
      sort: {
        name: '给 10 个字母排序',
        lead: '字母、一条竖线，再按字母表顺序说出这些字母。注意力必须找到不小于上一个字母的最小字母，并数清重复的字母。',
      },
      addition: {
        name: '加法，3 + 3 位数字',
        lead: '两个数和它们的和，像笔算一样从末位写起。注意力必须把同一位的两个数字放到一起，还有前面各位的进位。',
      },
      modularAddition: {
        name: '模 97 加法',
        lead: '两个小于 97 的数，以及它们的和除以 97 的余数。全部数对的五分之四用于训练。注意力把两个数放到一起；学到的是一个圆，在圆上相加就是旋转。',
      },
      parity: {
        name: '10 个比特的累计奇偶',
        lead: '比特；每个之后问到此为止 1 的个数是否为奇数。这对注意力来说是出了名的难：注意力取平均，多一个或少一个比特几乎不改变平均，却总会改变答案。用这些设置试过三个种子：两个在 35 秒内学会，一个停在一半的例子上。',
      },
      dyck: {
        name: '括号，最多 4 层',
        lead: '两种括号，嵌套最多四层；每当有一个要闭合时，是哪一种。注意力必须越过其间已经开合的括号，找到最后一个仍然开着的括号。',
      },
    },
  },
};
