#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The package's command line. Exit code 2: the arguments are wrong; 1: the work failed.

import { HeedError } from '../errors.js';
import { sample, sampleUsage } from './sample.js';
import { train, trainUsage } from './train.js';
import { UsageError } from './usage.js';

const usage = `Usage:
  ${trainUsage}
  ${sampleUsage}
`;

async function main(): Promise<number> {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined || command === 'help' || args.includes('--help')) {
    process.stdout.write(usage);
    return command === undefined ? 2 : 0;
  }
  switch (command) {
    case 'train':
      return train(args);
    case 'sample':
      return sample(args);
    default:
      throw new UsageError(`there is no command "${command}"`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`heed: ${error.message}.\n${usage}`);
    process.exitCode = 2;
  } else if (error instanceof HeedError) {
    process.stderr.write(`heed: ${error.message}\n`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
