// SPDX-License-Identifier: MIT
// A project of somebody else: an empty folder outside the repository with the packed package.

import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { lib } from '../../../scripts/lib/paths.mjs';
import { must } from '../../../scripts/lib/run.mjs';

/** Packs the package as it is built and installs it; without dependencies that needs no network. */
export async function makeConsumer() {
  const folder = mkdtempSync(join(tmpdir(), 'heed-consumer-'));
  try {
    const packed = await must('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: lib,
      seconds: 60,
    });
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[')));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    await must('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], {
      cwd: folder,
      seconds: 120,
    });
    return {
      folder,
      /** Paths in the tarball. */
      files: files.map(({ path }) => path),
      installed: join(folder, 'node_modules', 'heed'),
      write(path, content) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
        return join(folder, path);
      },
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Trains three steps and gives the hash of the weights: the same bits everywhere. */
export const trainThreeSteps = `
export async function trainThreeSteps(heed, options) {
  const engine = await heed.createEngine(options);
  const tokens = Int32Array.from({ length: 300 }, (_, i) => (5 * i) % 13);
  const trainer = await engine.createTrainer({
    model: { vocab: 13, context: 8, layers: 2, heads: 2, width: 16 },
    train: { steps: 3, batch: 2 },
    data: { tokens },
  });
  const losses = [];
  for await (const { loss } of trainer.run()) losses.push(loss);
  const { where, variant } = engine.info;
  const weightsHash = await trainer.model.weightsHash();
  engine.dispose();
  return { losses, weightsHash, where, variant };
}
`;
