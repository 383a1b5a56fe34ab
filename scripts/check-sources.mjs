// SPDX-License-Identifier: MIT
// What no source may contain, each with the reason.
import { readFiles, runAsProgram } from './lib/sources.mjs';

const code = /\.(cc|h|ts|mts|mjs|cjs|js|svelte|css|py|sh|cmake|html)$|CMakeLists\.txt$|^scripts\//;
const text = /\.(cc|h|ts|mts|mjs|cjs|js|svelte|css|py|sh|cmake|html|md|json|txt|in|yml)$|^scripts\//;
// Fixtures hold other people's words; the lock file names packages' home pages.
const data = /^(package-lock\.json|tests\/golden\/.*\.(json|txt))$|\.safetensors$/;

export const rules = [
  {
    files: text,
    pattern: /npmjs[.](org|com)|pypi[.]org|pythonhosted[.]|[.]debian[.]org|crates[.]io|[.]pkg[.]dev/,
    why: 'names a package registry; clients read theirs from the machine',
  },
  {
    files: text,
    pattern: /(^|[\s"'(=])\/(root|home\/\w+|Users\/\w+|work)\//,
    why: 'holds a path of one machine',
  },
  { files: code, pattern: /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/, why: 'leaves work undone' },
  {
    files: /^web\/.*\.(ts|svelte|js|mjs)$/,
    pattern: /Math[.]random/,
    why: 'draws outside the seed; runs must repeat bit for bit',
  },
  {
    files: /^web\/.*\.(ts|svelte|js|mjs)$/,
    pattern: /\beval\(|new Function\(/,
    why: 'makes code from text, which strict content policies forbid',
  },
  {
    files: code,
    pattern: /-Of[a]st\b|-ffast[-]math|-funsafe[-]math|float_control\(precise, *off/,
    why: 'lets the compiler drop non-finite checks and reorder sums',
  },
];

/** @param {{path: string, text: string}[]} files */
export function sourceFaults(files) {
  return files.flatMap(({ path, text: content }) => {
    const faults = [];
    const lines = content.split('\n');
    for (const rule of rules) {
      if (!rule.files.test(path) || data.test(path)) continue;
      lines.forEach((line, index) => {
        const found = rule.pattern.exec(line);
        if (found) faults.push(`${path}:${index + 1}: '${found[0].trim()}' ${rule.why}`);
      });
    }
    if (needsHeader(path) && !lines.slice(0, 4).some((line) => line.includes(licenceLine))) {
      faults.push(`${path}: no licence line (${licenceLine}) at the top`);
    }
    return faults;
  });
}

const licenceLine = 'SPDX-License-Identifier: MIT';
const needsHeader = (path) => /\.(cc|h|ts|mjs|svelte|py|sh|cmake|css)$|CMakeLists\.txt$/.test(path);

export const find = () => sourceFaults(readFiles(text));

runAsProgram(import.meta, 'sources', find);
