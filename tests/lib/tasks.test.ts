// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import {
  type Engine,
  type Example,
  type TaskInfo,
  type TaskKind,
  type TaskOptions,
  type Trainer,
  describeTask,
} from 'heed';

import { collect, describeEngines, failure, timeless, tinyTrain, tokens } from './support.js';

const kinds: TaskKind[] = [
  'pointAndShift',
  'copy',
  'reverse',
  'induction',
  'sort',
  'addition',
  'modularAddition',
  'parity',
  'dyck',
];
const model = { layers: 1, heads: 2, width: 16, ffn: 0 } as const;

function taskTrainer(engine: Engine, data: TaskOptions, train = {}): Promise<Trainer> {
  const { vocab } = describeTask(data);
  return engine.createTrainer({
    model: { ...model, vocab },
    train: { ...tinyTrain, ...train },
    data,
  });
}

/** Each task's rule, written independently of the core: what should follow each token, or -1. */
function answers({ task, length, symbols, context }: TaskInfo, row: number[]): number[] {
  const word = row.slice(0, length);
  const nothing = Array<number>(length).fill(-1);
  switch (task) {
    case 'pointAndShift':
      return [...nothing, (word[row[length]! - symbols]! + 1) % symbols];
    case 'induction':
      return [...nothing, ...row.slice(length).map((t) => word[word.indexOf(t) + 1]!)];
    case 'copy':
      return [...nothing, ...word];
    case 'reverse':
      return [...nothing, ...word.toReversed()];
    case 'sort':
      expect(context).toBe(2 * length);
      return [...nothing, ...word.toSorted((a, b) => a - b)];
    case 'addition': {
      const number = (from: number) => Number(row.slice(from, from + length).join(''));
      const sum = String(number(0) + number(length + 1)).padStart(length + 1, '0');
      expect([row[length], row[2 * length + 1]]).toEqual([symbols, symbols + 1]);
      return [...Array<number>(2 * length + 1).fill(-1), ...[...sum].toReversed().map(Number)];
    }
    case 'modularAddition':
      expect(row[2]).toBe(symbols);
      return [-1, -1, (row[0]! + row[1]!) % symbols];
    case 'parity':
      return row.map((_, i) => row.slice(0, i + 1).reduce((a, b) => a + b, 0) % 2);
    case 'dyck':
      return closings(symbols, row);
  }
}

/** The bracket that closes next, where one does; the last one closes what is left open. */
function closings(kindsOfBracket: number, row: number[]): number[] {
  const open: number[] = [];
  const targets = row.map(() => -1);
  row.forEach((id, i) => {
    if (id < kindsOfBracket) {
      open.push(id);
      expect(open.length).toBeLessThanOrEqual(4);
    } else {
      expect(id - kindsOfBracket).toBe(open.pop());
      targets[i - 1] = id;
    }
  });
  expect(open).toHaveLength(1);
  targets[row.length - 1] = kindsOfBracket + open[0]!;
  return targets;
}

const text = ({ tokens: ids, targets }: Example) => `${ids.join()}>${targets.join()}`;

test('describeTask needs no engine', () => {
  expect(describeTask({ task: 'pointAndShift' })).toEqual({
    task: 'pointAndShift',
    length: 6,
    symbols: 8,
    vocab: 14,
    context: 7,
    labels: [...'ABCDEFGH', '@0', '@1', '@2', '@3', '@4', '@5'],
  });
  expect(describeTask({ task: 'sort', length: 3, symbols: 30 })).toMatchObject({
    vocab: 31,
    context: 6,
    labels: [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'AA', 'AB', 'AC', 'AD', '|'],
  });
  expect(describeTask({ task: 'induction' })).toMatchObject({ vocab: 16, context: 12 });
  expect(describeTask({ task: 'addition' }).labels).toEqual([...'0123456789+=']);
  expect(describeTask({ task: 'dyck', symbols: 5 }).labels.join(' ')).toBe('( [ { < (4 ) ] } > )4');
  for (const task of kinds) {
    const info = describeTask({ task });
    expect(info.context).toBeLessThanOrEqual(32);
    expect(new Set(info.labels).size).toBe(info.vocab);
  }
});

test('task options that cannot be are refused', async () => {
  const bad: [unknown, ...string[]][] = [
    [null, 'task options', 'null'],
    [{}, 'need "task"', 'pointAndShift'],
    [{ task: 'add' }, '"task"', "'sort'"],
    [{ task: 'copy', length: 1 }, 'length is 1', 'from 2 to 64'],
    [{ task: 'copy', length: 65 }, 'length is 65'],
    [{ task: 'copy', length: 2.5 }, '"length"', 'whole number'],
    [{ task: 'sort', symbols: 1 }, 'symbols is 1'],
    [{ task: 'sort', symbols: 257 }, 'symbols is 257'],
    [{ task: 'induction', length: 2 }, 'from 3 to 64'],
    [{ task: 'induction', length: 9, symbols: 8 }, '9 different symbols'],
    [{ task: 'reverse', length: 2, symbols: 5 }, '25 different examples'],
    [{ task: 'modularAddition', length: 3 }, 'length is 3', 'from 2 to 2'],
    [{ task: 'parity', symbols: 3 }, 'symbols is 3'],
    [{ task: 'dyck', length: 7 }, 'length is 7', 'even'],
    [{ task: 'addition', length: 2, symbols: 2 }, '16 different examples'],
    [{ task: 'reverse', size: 2 }, '"size"', 'length'],
  ];
  for (const [options, ...words] of bad) {
    await failure(() => describeTask(options as TaskOptions), 'invalid-argument', ...words);
  }
});

describeEngines('tasks', (engine) => {
  test.each(kinds)('%s: batches and numbered examples follow the rule', async (task) => {
    const info = describeTask({ task });
    const trainer = await taskTrainer(engine(), { task }, { batch: 8, accumulation: 2 });
    expect(trainer.task).toEqual(info);
    expect(trainer.model.config.context).toBe(info.context);
    const train = new Set<string>();
    const validation = new Set<string>();
    for (let i = 0; i < 40; ++i) {
      const batch = await trainer.batch(i + 1);
      expect(batch).toHaveLength(16);
      const held = await trainer.example(i);
      for (const example of [...batch, await trainer.example(i, 'train')]) {
        expect([...example.targets]).toEqual(answers(info, [...example.tokens]));
        train.add(text(example));
      }
      expect([...held.targets]).toEqual(answers(info, [...held.tokens]));
      validation.add(text(held));
    }
    // Of 10 bits there are no more than 896 for training.
    expect(train.size).toBeGreaterThan(400);
    expect([...validation].filter((example) => train.has(example))).toEqual([]);
    trainer.dispose();
  });

  test('a batch is that of the next step, and by seed', async () => {
    const trainer = await taskTrainer(engine(), { task: 'copy' });
    const other = await taskTrainer(engine(), { task: 'copy' }, { seed: 6 });
    const texts = async (from: Trainer, step?: number) => (await from.batch(step)).map(text);
    const first = await texts(trainer);
    expect(await texts(trainer, 1)).toEqual(first);
    expect(await texts(other)).not.toEqual(first);
    const { loss } = await trainer.model.batchLoss(await trainer.batch());
    const [step] = await collect(trainer.run({ steps: 1 }));
    expect(step!.loss).toBeCloseTo(loss, 5);
    expect(await texts(trainer)).toEqual(await texts(other, 2).then(() => texts(trainer, 2)));
    expect(await texts(trainer)).not.toEqual(first);
    expect(text(await trainer.example(3))).toBe(text(await other.example(3)));
    trainer.dispose();
    other.dispose();
  });

  test('accuracy and exact matches are those of a count by hand', async () => {
    const trainer = await taskTrainer(
      engine(),
      { task: 'sort', length: 3, symbols: 5 },
      { steps: 150, batch: 16, learningRate: 1e-2 },
    );
    await collect(trainer.run({ every: 50 }));
    let correct = 0;
    let counted = 0;
    let exact = 0;
    const examples = await Promise.all(Array.from({ length: 64 }, (_, i) => trainer.example(16 * i)));
    for (const { tokens: ids, targets } of examples) {
      const logits = await trainer.model.forward(ids);
      const vocab = logits.length / ids.length;
      const right = [...targets].flatMap((target, t) => {
        const row = [...logits.slice(t * vocab, (t + 1) * vocab)];
        return target < 0 ? [] : [row.indexOf(Math.max(...row)) === target];
      });
      correct += right.filter(Boolean).length;
      counted += right.length;
      exact += right.every(Boolean) ? 1 : 0;
    }
    // Evenly spread over the 1024 numbered examples: every sixteenth.
    const evaluation = await trainer.evaluate({ maxWindows: 64 });
    expect(counted).toBe(192);
    expect(correct).toBeGreaterThan(60);
    expect(exact).toBeLessThan(64);
    const expected = { tokens: 192, accuracy: correct / 192, exact: exact / 64, sequences: 64 };
    expect(evaluation).toMatchObject(expected);
    const batch = await trainer.model.batchLoss(examples);
    expect(batch).toMatchObject(expected);
    expect(batch.loss).toBeCloseTo(evaluation.loss, 5);
    expect((await trainer.evaluate({ split: 'train' })).sequences).toBe(1024);
    trainer.dispose();
  });

  test('a run on a task resumes bit for bit; the file names the task', async () => {
    const task = { task: 'induction', length: 5, symbols: 7 } as const;
    const straight = await taskTrainer(engine(), task, { freeze: ['key'] });
    const expected = timeless(await collect(straight.run()));
    const first = await taskTrainer(engine(), task, { freeze: ['key'] });
    await collect(first.run({ steps: 8 }));
    const file = await first.save();
    for (const data of [undefined, task]) {
      const { trainer } = await engine().resumeTrainer(file, data);
      expect(trainer.task).toEqual(describeTask(task));
      const frozen = (await trainer.groups()).filter((group) => group.frozen);
      expect(frozen.map(({ name }) => name)).toEqual(['layers.0.key']);
      expect(timeless(await collect(trainer.run()))).toEqual(expected.slice(8));
      expect(await trainer.model.weightsHash()).toBe(await straight.model.weightsHash());
      trainer.dispose();
    }
    const resume = (data?: TaskOptions) => () => engine().resumeTrainer(file, data);
    await failure(resume({ task: 'copy' }), 'bad-data', 'induction', 'copy');
    await failure(resume({ ...task, symbols: 8 }), 'bad-data', 'symbols 7');
    await failure(
      () => engine().resumeTrainer(file, { tokens: tokens(400) }),
      'bad-data',
      'induction',
    );
    await failure(resume({ task: 'copy', length: 0 }), 'invalid-argument', 'length');
    straight.dispose();
    first.dispose();
  });

  test('a model for a task and a text take turns', async () => {
    const shared = await engine().createModel({ ...model, vocab: 14, context: 8 });
    const onTask = await engine().createTrainer({
      model: shared,
      train: tinyTrain,
      data: { task: 'pointAndShift' },
    });
    const onText = await engine().createTrainer({
      model: shared,
      train: tinyTrain,
      data: { tokens: tokens(200) },
    });
    expect(onText.task).toBeNull();
    await collect(onTask.run({ steps: 2 }));
    await collect(onText.run({ steps: 2 }));
    const example = await onText.example(1);
    expect([...example.tokens]).toEqual([...tokens(200).slice(188, 196)]);
    expect([...example.targets]).toEqual([...tokens(200).slice(189, 197)]);
    await failure(() => onText.example(2), 'invalid-argument', 'number 2', 'there are 2');
    shared.dispose();
  });

  test('bad input of every kind', async () => {
    const trainer = await taskTrainer(engine(), { task: 'copy' });
    const wrong = (value: unknown) => value as never;
    await failure(() => trainer.example(1024), 'invalid-argument', '1024');
    await failure(() => trainer.example(-1), 'invalid-argument', 'from 0 up');
    await failure(() => trainer.example(wrong('1')), 'invalid-argument', 'number');
    await failure(() => trainer.example(0, wrong('test')), 'invalid-argument', '"split"');
    await failure(() => trainer.batch(0), 'invalid-argument', 'from 1 up');
    await failure(() => trainer.batch(1.5), 'invalid-argument', 'step');
    const { batchLoss } = trainer.model;
    const batch = (examples: unknown) => () => batchLoss.call(trainer.model, wrong(examples));
    await failure(batch([]), 'invalid-argument', 'non-empty');
    await failure(batch('x'), 'invalid-argument', 'non-empty');
    await failure(batch([null]), 'invalid-argument', 'examples[0]');
    await failure(batch([{ tokens: [1, 2] }]), 'invalid-argument', 'targets');
    await failure(batch([{ tokens: [1, 2], targets: [1] }]), 'invalid-argument', '1 targets');
    const pair = { tokens: [1, 2], targets: [2, -1] };
    await failure(batch([pair, { tokens: [1], targets: [1] }]), 'invalid-argument', '2 tokens');
    await failure(batch([{ ...pair, tokens: [1, 9] }]), 'bad-data', 'Token 9');
    await failure(batch([{ ...pair, targets: [1, -2] }]), 'bad-data', 'Target -2');
    await failure(
      () => engine().createTrainer({ model: { ...model, vocab: 8 }, data: { task: 'copy' } }),
      'bad-data',
      'vocab of 9 and a context of 12',
    );
    await failure(
      () => engine().createTrainer({ model: { ...model, vocab: 9 }, data: wrong({}) }),
      'invalid-argument',
      '"tokens" or "task"',
    );
    trainer.dispose();
  });
});
