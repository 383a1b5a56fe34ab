// SPDX-License-Identifier: MIT
// The sheet of keys and help, in English. Loaded when it is first opened.

export const help = {
  heading: 'Keys and help',
  first: {
    heading: 'Your first run',
    lines: [
      'In the room Train, choose "A text of your own" under "Text or task", paste it and press "Use '
      + 'this text".',
      'Press "Start a new run". The run before is saved and stays in the list of runs.',
      'Watch the loss: it begins near that of guessing evenly and falls; the validation loss tells '
      + 'whether it learns more than this text by heart.',
      'Read "What it writes now" as it turns from noise into words, and "Where it looks" to see how.',
      'A run is saved in this browser by itself. "Save as a file" in the list of runs takes it '
      + 'elsewhere; the address of the page is a link that repeats it.',
    ],
  },
  keys: 'Keys',
  groups: {
    everywhere: 'Everywhere',
    run: 'The run',
    map: 'In the map "Where it looks"',
    chart: 'In a curve',
    states: 'The states of the run',
    figure: 'In a figure',
  },
  does: {
    help: 'this sheet',
    tip: 'about the control that has the focus; once more, to its source',
    close: 'closes a tip or this sheet',
    play: 'train or pause',
    step: 'one step',
    back: 'one step back',
    reset: 'back to step 0',
    earlier: 'an earlier kept state',
    later: 'a later kept state',
    side: 'values or gradients',
    cell: 'to the next cell',
    cells: 'five rows up or down',
    edge: 'to the first or last column; with Ctrl, to the corner',
    pin: 'pins what is read',
    release: 'lets go',
    point: 'to the next point',
    points: 'ten points on',
    ends: 'to the first or last',
    item: 'to the next part',
  },
  names: {
    ' ': 'Space', '.': '. (full stop)', ',': ', (comma)', Enter: 'Enter', Escape: 'Esc', Home: 'Home',
    End: 'End', PageUp: 'Page Up', PageDown: 'Page Down', ArrowUp: '↑', ArrowDown: '↓',
    ArrowLeft: '←', ArrowRight: '→',
  } as Readonly<Record<string, string>>,
};
