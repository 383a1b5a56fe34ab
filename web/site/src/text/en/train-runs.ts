// SPDX-License-Identifier: MIT
// The list of runs, in English.

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const runs = {
  runs: {
    heading: 'Runs in this browser',
    none: 'A run is listed here once it is saved, a few seconds after it begins.',
    open: 'open',
    bytes: (bytes: string): string => `They take ${bytes}.`,
    quota: (quota: string): string => `The browser allows ${quota}.`,
    usualName: (
      text: string, parameters: string, model: { layers: number; heads: number; width: number },
    ): string =>
      `${text}: ${parameters} numbers, ${model.layers} ${
        plural(model.layers, 'layer', 'layers')} of ${model.heads} ${
        plural(model.heads, 'head', 'heads')}, width ${model.width}`,
    step: (step: string): string => `step ${step}`,
    loss: (loss: string): string => `loss ${loss}`,
    validation: (loss: string): string => `validation ${loss}`,
    exact: (share: string): string => `${share} solved`,
    compare: (name: string): string => `Compare ${name}`,
    compareHint: 'Draws its curve over that of the open run',
    goTo: 'Open',
    goToNamed: (name: string): string => `Open ${name}`,
    more: 'Name, notes, states',
    moreNamed: (name: string): string => `Name, notes, states: ${name}`,
    name: 'Name',
    notes: 'Notes',
    origin: (name: string | undefined, step: string): string =>
      name === undefined
        ? `Went on from step ${step} of a run that is gone.`
        : `Went on from step ${step} of '${name}'.`,
    states: 'Saved states',
    state: (step: string, bytes: string): string => `step ${step} (${bytes})`,
    fork: 'Go on from there as a new run',
    inspect: 'Inspect',
    export: 'Save as a file',
    import: 'Open a run from a file',
    delete: 'Delete',
    openStays: 'The open run cannot be deleted. Open or start another one first.',
    deleted: (name: string): string => `Deleted: ${name}.`,
    undelete: 'Have it back',
    differences: 'What they have otherwise than each other',
    yes: 'yes',
    no: 'no',
  },

  runFailures: {
    missing: 'This run is no longer in this browser, or all of its saves are damaged.',
    inUse: 'This run is open in another tab. Close it there, or go on from one of its states as a new '
      + 'run.',
    file: (why: string): string =>
      `This file is not a run that this page has saved: ${why}. Choose a .safetensors file from `
      + '"Save as a file".',
  },
};
