// SPDX-License-Identifier: MIT
// "Copy as code": a program for Node or a page that makes the run again, up to the step shown, and
// prints the number. What it prints is the number in the page, bit for bit.

import { modelOf, trainOf } from './run/lessons';
import type { View } from './room.svelte';
import type { LearnRoom } from './room.svelte';

const literal = (value: object): string =>
  JSON.stringify(value).replace(/"([A-Za-z_]\w*)":/g, '$1: ').replace(/"/g, "'")
    .replace(/,(?=\w+: )/g, ', ').replace(/^\{/, '{ ').replace(/\}$/, ' }');

/** `lines` use `trainer`, `model`, `tokens` and `targets`. */
export function program(room: LearnRoom, view: View, lines: readonly string[]): string {
  const { initial } = room;
  const branchings = room.run?.branchings ?? [];
  const own = initial.task === 'text';
  const data = own ? '{ tokens: tokenizer.encode(text) }' : literal({ task: initial.task });
  const code = [
    `import { ${own ? 'CharTokenizer, ' : ''}createEngine } from 'heed';`,
    '',
    ...(own ? ['const tokenizer = CharTokenizer.fromText(text); // your text'] : []),
    'const engine = await createEngine();',
    `${branchings.length > 0 ? 'let' : 'const'} trainer = await engine.createTrainer({`,
    `  model: ${literal(modelOf(initial, view.labels.length))},`,
    `  train: ${literal(trainOf(initial))},`,
    `  data: ${data},`,
    '});',
  ];
  for (const { step, learningRate, optimizer } of branchings) {
    const change = literal({ learningRate, minLearningRate: learningRate, optimizer });
    code.push(
      `const before${step} = await trainer.record();`,
      `for await (const _ of trainer.run({ steps: ${step} - trainer.step }));`,
      `trainer = await before${step}.branch(${step}, ${change});`,
    );
  }
  const { shownStep } = view;
  code.push(
    ...(shownStep > (branchings.at(-1)?.step ?? 0)
      ? [`for await (const _ of trainer.run({ steps: ${shownStep} - trainer.step }));`]
      : []),
    'const { model } = trainer;',
    `const { tokens, targets } = await trainer.example(${view.exampleIndex}, 'validation');`,
    ...lines,
  );
  return `${code.join('\n')}\n`;
}

/** The program that prints the number of an address. */
export const programOf = (room: LearnRoom, view: View, address: string): string =>
  program(room, view, [
    'const trace = await model.trace(tokens, targets);',
    `console.log(trace.read('${address}'));`,
  ]);
