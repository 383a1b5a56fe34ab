// SPDX-License-Identifier: MIT
// Tasks in the train room, in English.

export const tasks = {
  tasks: {
    title: (parameters: string, name: string): string =>
      `${parameters} numbers are learning a task: ${name}`,
    heading: 'What it answers now',
    waiting: 'The first answers come after the first steps.',
    example: 'held-out example',
    wanted: 'should follow',
    given: 'it says',
    verdict: 'all of it',
    right: 'right',
    wrong: 'wrong',
    exact: 'Examples solved',
    exactHint: 'of 1,024 held out, all tokens right',
    unknownLabel: (word: string): string =>
      `The task has no token '${word.slice(0, 20)}'. Write its tokens with spaces between them.`,
    kinds: {
      pointAndShift: {
        name: 'point and shift',
        lead: 'Letters, then a number that points at one of them; the answer is the next letter of the '
          + 'alphabet. Attention must find the place that the number names, and its value must carry '
          + 'the letter there, already moved on by one.',
      },
      copy: {
        name: 'copy 16 letters',
        lead: 'Letters, a bar, and the same letters again. Attention must look back a fixed number of '
          + 'places and hand on what stands there.',
      },
      reverse: {
        name: 'reverse 12 letters',
        lead: 'Letters, a bar, and the letters from the last to the first. Attention must look further '
          + 'back with every step: by place, not by distance.',
      },
      induction: {
        name: 'induction, 32 letters',
        lead: 'A row of different letters that goes on from a place inside itself. One layer must note '
          + 'what came before each letter, the next must find the letter\'s first coming by it and hand '
          + 'on what followed.',
      },
      sort: {
        name: 'sort 10 letters',
        lead: 'Letters, a bar, and the letters in alphabetical order. Attention must find the smallest '
          + 'letter that is not below the last one said, and count those that come twice.',
      },
      addition: {
        name: 'addition, 3 + 3 digits',
        lead: 'Two numbers and their sum, the last digit first, as one adds on paper. Attention must '
          + 'bring the two digits of a place together, and the carry from the places before.',
      },
      modularAddition: {
        name: 'addition modulo 97',
        lead: 'Two numbers below 97 and what is left of their sum when 97 is taken off. Four fifths of '
          + 'all pairs are for training. Attention brings both numbers together; what is learned is a '
          + 'circle on which adding is turning.',
      },
      parity: {
        name: 'running parity of 10 bits',
        lead: 'Bits; after each, whether there were an odd number of ones so far. This is known to be '
          + 'hard for attention, which averages: one bit more or less hardly moves an average, but '
          + 'always turns the answer. Of three seeds tried with these settings, two had it within 35 '
          + 'seconds and one stayed at half of the examples.',
      },
      dyck: {
        name: 'brackets, 4 deep',
        lead: 'Two kinds of brackets, nested at most four deep; wherever one closes, which. Attention '
          + 'must find the last bracket that is still open, past all that were opened and closed since.',
      },
    },
  },
};
