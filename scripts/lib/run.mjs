// SPDX-License-Identifier: MIT
// Runs other programs: streaming to the terminal, or captured and shown only when they fail.
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string>, show?: boolean, seconds?: number}} options
 *   `show`: pass output on as it comes; `seconds`: end the program after this time.
 * @returns {Promise<{code: number, output: string}>} code 124 means out of time.
 */
export function run(command, args, { cwd = root, env = {}, show = false, seconds = 0 } = {}) {
  return new Promise((resolve) => {
    // An own process group, so that a time-out also ends what the program started.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let expired = false;
    const expire = () => endGroup(child, () => (expired = true));
    const timer = seconds > 0 ? setTimeout(expire, seconds * 1000) : undefined;
    const stop = () => {
      endGroup(child, () => {});
      process.exit(130);
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const take = (stream) => (chunk) => {
      output += chunk;
      if (show) stream.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take(process.stdout));
    child.stderr.setEncoding('utf8').on('data', take(process.stderr));
    const end = (code, text = '') => {
      clearTimeout(timer);
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      resolve({ code: expired ? 124 : code, output: output + text });
    };
    child.on('error', (error) => end(127, `${command}: ${error.message}\n`));
    child.on('close', (code, signal) => end(code ?? 1, signal ? `${command}: ${signal}\n` : ''));
  });
}

function endGroup(child, note) {
  note();
  try {
    process.kill(-child.pid, 'SIGTERM');
    setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It ended in time.
      }
    }, 3000).unref();
  } catch {
    // It ended by itself.
  }
}

/** Runs a program and throws with its output when it fails. */
export async function must(command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) {
    const shown = options.show ? '' : `\n${tail(output, 120)}`;
    throw new Error(`${[command, ...args].join(' ')}: exit code ${code}${shown}`);
  }
  return output;
}

/** The last `lines` lines of a text: where compilers and test runners say what went wrong. */
export function tail(text, lines) {
  const all = text.trimEnd().split('\n');
  const kept = all.slice(-lines);
  const cut = all.length > lines ? [`[${all.length - lines} lines before]`] : [];
  return [...cut, ...kept].join('\n');
}
