// SPDX-License-Identifier: MIT
// heed train: trains on a text file, shows how it goes, saves the run.

import type { Engine, StepMetrics, Trainer, TrainingData } from '../api.js';
import { createEngine } from '../node.js';
import { HeedError } from '../errors.js';
import { type PresetName, presets } from '../presets.js';
import { CharTokenizer } from '../tokenizers/char.js';
import { tokenizerFromMetadata, tokenizerMetadata } from '../tokenizers/restore.js';
import type { Tokenizer } from '../tokenizers/tokenizer.js';
import { type Output, jsonOutput, terminalOutput } from './output.js';
import { measurePeak } from './peak.js';
import { loadRun, prepareFolder, saveRun } from './run-folder.js';
import { readTextFile } from './text-file.js';
import { UsageError, onlyPositional, parse, text, wholeNumber } from './usage.js';

export const trainUsage =
  'heed train FILE [--preset NAME] [--steps N] [--seed N] [--threads N] [--out DIR]\n' +
  '             [--stop-at N] [--resume DIR] [--json]';

/** Steps between two JSON lines. */
const reportEvery = 10;
/** trainLoss is the mean over this many last steps: single batches scatter. */
const lossWindow = 100;

interface TrainArguments {
  file: string;
  preset: PresetName | undefined;
  steps: number | undefined;
  seed: number | undefined;
  threads: number;
  out: string | undefined;
  stopAt: number | undefined;
  resume: string | undefined;
  json: boolean;
}

interface Run {
  trainer: Trainer;
  tokenizer: Tokenizer;
  preset: string;
}

export async function train(args: string[]): Promise<number> {
  const options = readArguments(args);
  const output = options.json
    ? jsonOutput(process.stdout, reportEvery)
    : terminalOutput(process.stdout);
  const engine = await createEngine();
  try {
    if (options.threads > engine.info.threads) {
      output.note(
        `${options.threads} threads were asked for; this build computes with ` +
          `${engine.info.threads}.`,
      );
    }
    if (options.out !== undefined) {
      prepareFolder(options.out);
    }
    const content = readTextFile(options.file);
    const run =
      options.resume === undefined
        ? await startRun(engine, content, options)
        : await resumeRun(engine, content, options, options.resume);
    return await runToEnd(engine, run, options, output);
  } finally {
    engine.dispose();
  }
}

function readArguments(args: string[]): TrainArguments {
  const { positionals, values } = parse(args, {
    preset: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    threads: { type: 'string' },
    out: { type: 'string' },
    'stop-at': { type: 'string' },
    resume: { type: 'string' },
    json: { type: 'boolean' },
  });
  const preset = text(values, 'preset');
  if (preset !== undefined && !Object.hasOwn(presets, preset)) {
    const known = Object.keys(presets).join(', ');
    throw new UsageError(`there is no preset "${preset}"; known: ${known}`);
  }
  return {
    file: onlyPositional(positionals, 'FILE'),
    preset: preset as PresetName | undefined,
    steps: wholeNumber(values, 'steps', 1),
    seed: wholeNumber(values, 'seed', 0),
    threads: wholeNumber(values, 'threads', 1) ?? 1,
    out: text(values, 'out'),
    stopAt: wholeNumber(values, 'stop-at', 0),
    resume: text(values, 'resume'),
    json: values['json'] === true,
  };
}

async function startRun(engine: Engine, content: string, options: TrainArguments): Promise<Run> {
  const preset = options.preset ?? 'nanogpt-cpu';
  const { model, train: schedule } = presets[preset];
  const tokenizer = CharTokenizer.fromText(content);
  const trainer = await engine.createTrainer({
    model: { ...model, vocab: tokenizer.vocab },
    train: {
      ...schedule,
      steps: options.steps ?? schedule.steps,
      seed: options.seed ?? schedule.seed,
    },
    data: dataOf(tokenizer, content),
  });
  return { trainer, tokenizer, preset };
}

async function resumeRun(
  engine: Engine,
  content: string,
  options: TrainArguments,
  folder: string,
): Promise<Run> {
  const file = loadRun(folder);
  // The tokenizer is in the file, and the tokens must be there before the trainer: look first.
  const { model, metadata } = await engine.loadModel(file);
  model.dispose();
  const tokenizer = tokenizerFromMetadata(metadata);
  const preset = metadata['preset'];
  if (tokenizer === null || preset === undefined) {
    throw new HeedError(
      'bad-data',
      `The run in ${folder} was not saved by "heed train". Resume a run that was.`,
    );
  }
  const { trainer } = await engine.resumeTrainer(file, dataOf(tokenizer, content));
  const given = { preset: options.preset, steps: options.steps, seed: options.seed };
  const saved = { preset, steps: trainer.config.steps, seed: trainer.config.seed };
  for (const key of ['preset', 'steps', 'seed'] as const) {
    if (given[key] !== undefined && given[key] !== saved[key]) {
      throw new UsageError(
        `--${key} ${given[key]} differs from the saved run's ${saved[key]}; a resumed run keeps ` +
          'its settings, so leave the option out',
      );
    }
  }
  return { trainer, tokenizer, preset };
}

function dataOf(tokenizer: Tokenizer, content: string): TrainingData {
  return { tokens: tokenizer.encode(content) };
}

async function runToEnd(
  engine: Engine,
  { trainer, tokenizer, preset }: Run,
  options: TrainArguments,
  output: Output,
): Promise<number> {
  const { model, config } = trainer;
  const forecast = await engine.forecast(model.config, config);
  const metadata = { ...tokenizerMetadata(tokenizer), preset };
  output.event('start', {
    preset,
    parameters: model.parameters,
    vocab: model.config.vocab,
    step: trainer.step,
    steps: config.steps,
    seed: config.seed,
    bytes: forecast.bytes.total,
    variant: engine.info.variant,
    threads: engine.info.threads,
  });

  const interrupt = new AbortController();
  if (options.out !== undefined) {
    // Only where there is something to save; otherwise the signals end the process as usual. They
    // stay caught: a terminal's Ctrl-C may arrive twice, also through whoever started this process.
    process.on('SIGINT', () => interrupt.abort()).on('SIGTERM', () => interrupt.abort());
  }
  const until = Math.min(options.stopAt ?? config.steps, config.steps);
  const from = trainer.step;
  const losses: number[] = [];
  const start = performance.now();
  let computeMs = 0;
  try {
    const steps = Math.max(until - from, 0);
    for await (const metrics of trainer.run({ steps, signal: interrupt.signal })) {
      output.progress(metrics, from, until);
      computeMs += metrics.stepMs;
      remember(losses, metrics);
    }
  } catch (error) {
    if (error instanceof HeedError && error.code === 'non-finite' && options.out !== undefined) {
      await save(trainer, options.out, metadata, output);
    }
    throw error;
  }
  const seconds = (performance.now() - start) / 1000;

  if (options.out !== undefined) {
    await save(trainer, options.out, metadata, output);
  }
  if (interrupt.signal.aborted) {
    output.note(`Interrupted after step ${trainer.step}; continue with --resume ${options.out}.`);
    return 0;
  }
  const done = trainer.step - from;
  const { flopsPerStep, tokensPerStep } = forecast;
  const gflops = done === 0 ? null : (done * flopsPerStep) / (computeMs / 1000) / 1e9;
  const peakGflops = gflops === null ? null : measurePeak();
  output.event('done', {
    steps: trainer.step,
    trainLoss: losses.length === 0 ? null : mean(losses),
    valLoss: await validationLoss(trainer, output),
    seconds,
    tokensPerSecond: done === 0 ? null : (done * tokensPerStep) / seconds,
    gflops,
    peakGflops,
    ofPeak: gflops === null || peakGflops === null ? null : gflops / peakGflops,
    parameters: model.parameters,
    variant: engine.info.variant,
    threads: engine.info.threads,
    weightsHash: await model.weightsHash(),
  });
  return 0;
}

async function save(
  trainer: Trainer,
  folder: string,
  metadata: Record<string, string>,
  output: Output,
): Promise<void> {
  const path = saveRun(folder, await trainer.save(metadata));
  output.event('saved', { step: trainer.step, path });
}

/** Null, with a note, when the validation part is too short for a single window. */
async function validationLoss(trainer: Trainer, output: Output): Promise<number | null> {
  try {
    const { loss } = await trainer.evaluate({ split: 'validation' });
    return loss;
  } catch (error) {
    if (error instanceof HeedError && error.code === 'bad-data') {
      output.note(error.message);
      return null;
    }
    throw error;
  }
}

function remember(losses: number[], metrics: StepMetrics): void {
  losses.push(metrics.loss);
  if (losses.length > lossWindow) {
    losses.shift();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
