// SPDX-License-Identifier: MIT
// No source file over 500 lines: past that, a file does more than one job.
import { readFiles, runAsProgram } from './lib/sources.mjs';

export const limit = 500;
const sources = /\.(cc|h|ts|mts|mjs|cjs|js|svelte|css|py|sh|cmake|html)$|(^|\/)CMakeLists\.txt$/;

/** @param {{path: string, text: string}[]} files */
export function sizeFaults(files) {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return lines > limit ? [`${path}: ${lines} lines, at most ${limit} are allowed`] : [];
  });
}

export const find = () => sizeFaults(readFiles(sources));

runAsProgram(import.meta, 'size', find);
