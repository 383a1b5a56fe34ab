// SPDX-License-Identifier: MIT
// File names: how they are spelt, include guards that match them, and no two of one name in cpp/
// that a reader could mistake for each other.
import { basename } from 'node:path';
import { readFiles, runAsProgram } from './lib/sources.mjs';

// A layer is named after the kernel that it is made of; models and training each have a config.
const pairs = [new Set(['kernels', 'layers']), new Set(['model', 'train'])];
const pairNames = { 1: /^config$/ };
const grabBags = /^(util|utils|helper|helpers|misc|common|stuff)$/;

const stem = (path) => basename(path).replace(/(\.svelte)?\.[^.]+$/, '').replace(/-inl$/, '');

function mayShare(name, folders) {
  return pairs.some(
    (pair, index) =>
      folders.every((folder) => pair.has(folder)) && (pairNames[index]?.test(name) ?? true),
  );
}

/** @param {{path: string, text: string}[]} files */
export function nameFaults(files) {
  const faults = [];
  const owners = new Map();
  for (const { path, text } of files) {
    const name = stem(path);
    if (grabBags.test(name)) faults.push(`${path}: a name that says nothing; name the one job`);
    if (/^(cpp|tests\/(cpp|reference|support))\//.test(path) && /\.(h|cc)$/.test(path)) {
      if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) faults.push(`${path}: C++ files are snake_case`);
    }
    if (/^(web|scripts)\/.*\.(ts|mjs)$/.test(path) && !/^[a-z0-9.-]+$/.test(basename(path))) {
      faults.push(`${path}: files of scripts/ and web/ are kebab-case`);
    }
    if (path.endsWith('.h')) {
      const place = path.replace(/^cpp\//, '').replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
      // Headers with a per-target part toggle their guard, as Highway's foreach_target needs.
      if (!path.endsWith('-inl.h') && !text.includes(`#ifndef HEED_${place}_\n`)) {
        faults.push(`${path}: include guard is not HEED_${place}_`);
      }
    }
    const folder = /^cpp\/([^/]+)\//.exec(path)?.[1];
    if (folder && /\.(h|cc)$/.test(path)) {
      if (!owners.has(name)) owners.set(name, new Set());
      owners.get(name).add(folder);
    }
  }
  for (const [name, folders] of owners) {
    const list = [...folders];
    if (list.length > 1 && !mayShare(name, list)) {
      faults.push(`cpp/{${list.sort().join(',')}}/${name}: one name in folders that are no pair`);
    }
  }
  return faults;
}

export const find = () => nameFaults(readFiles(/\.(h|cc|ts|mjs|svelte)$/));

runAsProgram(import.meta, 'names', find);
