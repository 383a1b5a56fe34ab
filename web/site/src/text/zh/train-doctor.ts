// SPDX-License-Identifier: MIT
// What the doctor says of a run, in Chinese.

import type { doctor as english } from '../en/train-doctor';

export const doctor: typeof english = {
  doctor: {
    heading: '训练状况',
    at: (step) => `检查于第 ${step} 步`,
    waiting: '正在观察。预热结束后再过若干步才有结论。',
    well: '一切正常：损失、各层梯度和各个注意力头的读数都与学得好的训练一致。',
    wellBesideHeads: '一切正常：损失和各层梯度的读数与学得好的训练一致。没有读取注意力头：模型没有头，或太大而不能在训练时追踪。',
    on: '开',
    put: (field, value) => `填入表单：${field}，${value}`,
    listed: (names, more) => (more > 0 ? `${names.join('、')} 等另外 ${more} 个` : names.join('、')),
    names: {
      diverging: '损失在上升。',
      rateHigh: '学习率太高。',
      rateLow: '学习率太低。',
      overfitting: '模型在死记文本。',
      vanishing: '梯度向下传播时消失了。',
      exploding: '梯度爆炸。',
      saturated: '有注意力头卡在一列上。',
      silent: '有注意力头不起作用。',
      unsteered: '注意力头学不会该看哪里。',
    },
    saw: {
      diverging: (mean, best, step) => `最近 20 步平均为 ${mean}；在第 ${step} 步时是 ${best}。`,
      loud: (layer, written) =>
        `${layer} 中有一个头写入的向量是残差流长度的 ${written} 倍：权重被推得太远，淹没了原有的内容。`,
      raises: (raised, looks) => `在检查过的最近 ${looks} 步中，有 ${raised} 步使自己那一批的损失变大。`,
      rateLow: (share, loss, uniform) =>
        `一步只把自己那一批的损失降低 ${share}，而损失为 ${loss}，模型仍接近均匀猜测（${uniform}）。`,
      overfitting: (v) =>
        `验证损失在第 ${v.bestStep} 步最好，为 ${v.best}，现在是 ${v.now}，而训练损失继续下降到 ${v.training}。`,
      vanishing: (layers, ratio, strongest) =>
        `相对于权重，${layers} 的梯度低到 ${strongest} 的 ${ratio}：这些层几乎停留在初始状态。`,
      exploding: (surges, steps, norm, layer) =>
        `最近 ${steps} 个梯度中有 ${surges} 个范数超过 100，最大 ${norm}；最近一次检查时主要在 ${layer}。`,
      saturated: (heads, peak, passed) =>
        `${heads}：每行平均把 ${peak} 给了一列，softmax 只让梯度的 ${passed} 传到分数，分数几乎不再改变。`,
      silent: (heads) => `${heads}：写入的长度不到残差流的万分之一。`,
      unsteered: (layers, steering) =>
        `${layers} 中 W_Q 和 W_K 的梯度只有 W_V 的 ${steering}：分数没有可供学习的作用。`,
    },
    tries: {
      diverging: '试试十分之一的学习率，或更长的预热。',
      rateHigh: '试试十分之一的学习率。继续训练时已学到的会保留。',
      rateLow: '试试十倍的学习率。',
      overfitting: '试试更多文本、更小的模型或 dropout；可以从运行列表中最好的状态分叉。对样本很少的任务，继续训练也可能最终学会（grokking，Power 等 2022）。',
      vanishing: '试试把归一化放在分支之前，或减少层数。',
      exploding: '试试梯度裁剪、归一化或更低的学习率。',
      saturated: '试试通常的分数缩放、对查询和键归一化，或更低的学习率。',
      silent: '更少的头也一样。如果以前有作用，请降低权重衰减。',
      unsteered: '试试通常的分数缩放、不用 softcap，或更宽的窗口。',
    },
    readings: '测量值',
    readingsLead: '刚完成的这一步：各层梯度的范数，以及每个头在一个训练样本上的读数（不超过四百万个参数的模型）。',
    layer: '层',
    pull: '梯度 / 权重',
    steering: 'W_Q、W_K / W_V',
    written: '头：写入 / 残差流',
    peak: '头：最大权重',
    passed: '头：通过的梯度',
    own: (before, after, rows, of) =>
      `这一步自己那一批${rows < of ? `（${of} 行中的前 ${rows} 行）` : ''}的损失：之前 ${before}，之后 ${after}。`,
  },
};
