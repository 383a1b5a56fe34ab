// SPDX-License-Identifier: MIT
// The list of runs, in Simplified Chinese.

import type { runs as english } from '../en/train-runs';

export const runs: typeof english = {
  runs: {
    heading: '这个浏览器里的训练',
    none: '训练开始几秒后会保存，保存后就列在这里。',
    open: '当前',
    bytes: (bytes) => `共占 ${bytes}。`,
    quota: (quota) => `浏览器允许 ${quota}。`,
    usualName: (text, parameters, model) =>
      `${text}：${parameters} 个数，${model.layers} 层，每层 ${model.heads} 个头，宽度 ${model.width}`,
    step: (step) => `第 ${step} 步`,
    loss: (loss) => `损失 ${loss}`,
    validation: (loss) => `验证 ${loss}`,
    exact: (share) => `解出 ${share}`,
    compare: (name) => `比较 ${name}`,
    compareHint: '把它的曲线画在当前训练的曲线上',
    goTo: '打开',
    goToNamed: (name) => `打开 ${name}`,
    more: '名称、笔记、状态',
    moreNamed: (name) => `名称、笔记、状态：${name}`,
    name: '名称',
    notes: '笔记',
    origin: (name, step) =>
      name === undefined ? `接着一个已不存在的训练的第 ${step} 步。` : `接着“${name}”的第 ${step} 步。`,
    states: '保存的状态',
    state: (step, bytes) => `第 ${step} 步（${bytes}）`,
    fork: '从那里作为新的训练继续',
    inspect: '观察',
    export: '存为文件',
    import: '从文件打开训练',
    delete: '删除',
    openStays: '当前的训练不能删除。请先打开或开始另一个。',
    deleted: (name) => `已删除：${name}。`,
    undelete: '恢复',
    differences: '它们之间的不同',
    yes: '是',
    no: '否',
  },

  runFailures: {
    missing: '这个训练已不在这个浏览器里，或它的所有保存都已损坏。',
    inUse: '这个训练正在另一个标签页中打开。请在那里关闭它，或从它的某个状态作为新的训练继续。',
    file: (why) => `这个文件不是本网页保存的训练：${why}。请选择用“存为文件”得到的 .safetensors 文件。`,
  },
};
