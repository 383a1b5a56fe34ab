// SPDX-License-Identifier: MIT
// Documents: links inside the repository lead somewhere, and the commands they name exist.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './lib/paths.mjs';
import { readFiles, runAsProgram } from './lib/sources.mjs';

const builtIn = new Set(['start', 'test', 'ci', 'install', 'pack', 'publish']);

/**
 * @param {{path: string, text: string}[]} files
 * @param {{exists: (path: string) => boolean, scripts: string[], presets: string[]}} project
 */
export function docFaults(files, { exists, scripts, presets }) {
  return files.flatMap(({ path, text }) => {
    const faults = [];
    text.split('\n').forEach((line, index) => {
      const report = (why) => faults.push(`${path}:${index + 1}: ${why}`);
      for (const [, target] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^([a-z]+:|#)/.test(target)) continue;
        const place = normalize(join(dirname(path), decodeURI(target.replace(/#.*$/, ''))));
        if (!exists(place)) report(`link to ${target}, which is not there`);
      }
      for (const [, flags, name] of line.matchAll(/\bnpm run((?: -[\w-]+)*) ([a-z][\w:-]*)/g)) {
        const other = /-w\b|--workspace|--prefix/.test(flags);
        if (!other && !scripts.includes(name) && !builtIn.has(name)) {
          report(`npm run ${name}, which package.json does not have`);
        }
      }
      for (const [, name] of line.matchAll(/\b(?:cmake|ctest)(?: --build)? --preset[ =]([\w-]+)/g)) {
        if (!presets.includes(name)) report(`preset ${name}, which CMakePresets.json lacks`);
      }
    });
    return faults;
  });
}

export function find() {
  const json = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const scripts = ['package.json', 'web/lib/package.json', 'web/site/package.json']
    .filter((name) => existsSync(join(root, name)))
    .flatMap((name) => Object.keys(json(name).scripts ?? {}));
  return docFaults(readFiles(/\.md$/), {
    exists: (path) => existsSync(join(root, path)),
    scripts,
    presets: json('CMakePresets.json').configurePresets.map((preset) => preset.name),
  });
}

runAsProgram(import.meta, 'documents', find);
