// SPDX-License-Identifier: MIT
// The sheet of keys and help, in Simplified Chinese.

import type { help as english } from '../en/help';

export const help: typeof english = {
  heading: '按键与帮助',
  first: {
    heading: '第一次训练',
    lines: [
      '在“训练”房间的“文本或任务”里选择“自己的文本”，粘贴后按“使用这段文本”。',
      '按“开始新的训练”。之前的训练会保存，并留在训练列表里。',
      '看损失：它从平均乱猜的值附近开始下降；验证损失说明它学到的是否不只是背下这段文本。',
      '读“它现在写出的文字”怎样从杂乱变成词句，再看“它看向哪里”是怎样做到的。',
      '训练会自动保存在这个浏览器里。用训练列表里的“存为文件”可以带走；网页的地址就是能重现它的链接。',
    ],
  },
  keys: '按键',
  groups: {
    everywhere: '任何地方',
    run: '训练',
    map: '在“它看向哪里”的图中',
    chart: '在曲线中',
    states: '训练的状态',
    figure: '在图中',
  },
  does: {
    help: '打开这一页',
    tip: '说明焦点所在的控件；再按一次，转到来源',
    close: '关闭说明或这一页',
    play: '训练或暂停',
    step: '走一步',
    back: '退一步',
    reset: '回到第 0 步',
    earlier: '较早的保存状态',
    later: '较晚的保存状态',
    side: '数值或梯度',
    cell: '移到旁边的格子',
    cells: '上下移动五行',
    edge: '到第一列或最后一列；加 Ctrl 到角上',
    pin: '固定所读的格子',
    release: '放开',
    point: '移到旁边的点',
    points: '移动十个点',
    ends: '到最前或最后',
    item: '移到下一部分',
  },
  names: {
    ' ': '空格', '.': '.（句点）', ',': ',（逗号）', Enter: '回车', Escape: 'Esc', Home: 'Home',
    End: 'End', PageUp: 'Page Up', PageDown: 'Page Down', ArrowUp: '↑', ArrowDown: '↓',
    ArrowLeft: '←', ArrowRight: '→',
  },
};
