// SPDX-License-Identifier: MIT
// Groups of tensors as the core lists, names and reports them.

import type { GroupInfo, GroupNorms, GroupReport } from './api-train.js';
import type { Core } from './core.js';
import type { Handle } from './protocol.js';

export function listGroups(core: Core, trainer: Handle): GroupInfo[] {
  return core
    .takeText(core.handle((m) => m.listGroups(trainer)))
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', parameters, frozen] = line.split(' ');
      return { name, parameters: Number(parameters), frozen: frozen === '1' };
    });
}

/** Of the trainer's last step or trial. */
export function readReports(core: Core, trainer: Handle): GroupReport[] {
  const values = core.takeDoubles(core.handle((m) => m.readReports(trainer)));
  return listGroups(core, trainer).map(({ name }, i) => ({
    name,
    gradientNorm: values[3 * i]!,
    change: values[3 * i + 1]!,
    predicted: values[3 * i + 2]!,
  }));
}

/** Of the trainer's last step. */
export function readNorms(core: Core, trainer: Handle): GroupNorms[] {
  const values = core.takeDoubles(core.handle((m) => m.readNorms(trainer)));
  return listGroups(core, trainer).map(({ name }, i) => ({
    name,
    gradient: values[2 * i]!,
    weights: values[2 * i + 1]!,
  }));
}

/** Names for the time of `use`; null stands for all groups. */
export function withNames<T>(
  core: Core,
  names: readonly string[] | null,
  use: (buffer: Handle) => T,
): T {
  if (names === null) {
    return use(0);
  }
  return core.withBuffer(new TextEncoder().encode(names.map((name) => `${name}\n`).join('')), use);
}

export function setFrozen(core: Core, trainer: Handle, names: readonly string[]): void {
  withNames(core, names, (buffer) => core.checked((m) => m.setFrozen(trainer, buffer)));
}
