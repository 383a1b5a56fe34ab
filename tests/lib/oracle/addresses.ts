// SPDX-License-Identifier: MIT
// Addresses of api-explain.ts: which tensor a layer's W_Q is, what the gradient of a value is
// called, and what a trace of a configuration has to hold.

import { isGated } from './activation.js';
import { type OracleConfig, type OracleModel, leaderOf } from './model.js';

const projections: Record<string, string> = {
  Q: 'attention.query',
  K: 'attention.key',
  V: 'attention.value',
  O: 'attention.output',
};

/** The oracle's own address of a value: `L0.W_Q` and `L0.b_Q` are tensors under another name. */
export function valueAddress(address: string): string {
  const found = /^L(\d+)\.([Wb])_([QKVO])$/.exec(address);
  if (found === null) {
    return address;
  }
  const [, layer, kind, which] = found;
  return `layers.${layer}.${projections[which!]}.${kind === 'W' ? 'weight' : 'bias'}`;
}

/** Where the oracle nudges a value: keys and values under the first head that reads them. */
export function nudgeAddress(config: OracleConfig, address: string): string {
  const found = /^(L\d+)\.H(\d+)\.((?:W_)?[KV])$/.exec(address);
  return found === null
    ? valueAddress(address)
    : `${found[1]}.H${leaderOf(config, Number(found[2]))}.${found[3]}`;
}

/** `L0.H1.S` -> `L0.H1.dS`, `embed.weight` -> `d:embed.weight`. */
export function gradientAddress(address: string): string {
  const found = /^((?:L\d+\.)?(?:H\d+\.)?)([A-Za-z_]+)$/.exec(address);
  return found === null ? `d:${address}` : `${found[1]}d${found[2]}`;
}

/** Every value a trace holds that the oracle can nudge on its own. */
export function singleValues({ config, tensors }: OracleModel): string[] {
  const names = ['E', 'last', 'N', 'logits', 'probs', 'loss', ...tensors.keys()];
  if (config.position === 'learned' || config.position === 'sinusoidal') {
    names.push('P');
  }
  const { learned, biased, perHead } = partsOf({ config, tensors });
  for (let layer = 0; layer < config.layers; ++layer) {
    names.push(...['R', 'X', 'Y', 'M'].map((name) => `L${layer}.${name}`));
    if (config.ffn > 0) {
      const gate = isGated(config.activation) ? ['ffnGate'] : [];
      names.push(...['U', 'ffnIn', ...gate, 'ffnHidden', 'Z'].map((name) => `L${layer}.${name}`));
    }
    names.push(...learned.map((which) => `L${layer}.W_${which}`));
    names.push(...biased.map((which) => `L${layer}.b_${which}`));
    for (let head = 0; head < config.heads; ++head) {
      const ofHead = [...perHead, ...learned.map((which) => `W_${which}`)];
      names.push(...ofHead.map((name) => `L${layer}.H${head}.${name}`));
    }
  }
  return names;
}

/** Every value a trace of the model holds: those, all heads' matrices as one, heads' biases. */
export function tracedValues(model: OracleModel): string[] {
  const names = singleValues(model);
  const { perHead, biased } = partsOf(model);
  for (let layer = 0; layer < model.config.layers; ++layer) {
    names.push(...perHead.map((name) => `L${layer}.${name}`));
    for (let head = 0; head < model.config.heads; ++head) {
      const biases = biased.filter((which) => which !== 'O');
      names.push(...biases.map((which) => `L${layer}.H${head}.b_${which}`));
    }
  }
  return names;
}

function partsOf({ config, tensors }: OracleModel) {
  const has = (kind: 'W' | 'b') => (which: string) =>
    tensors.has(valueAddress(`L0.${kind}_${which}`));
  return {
    learned: ['Q', 'K', 'V', 'O'].filter(has('W')),
    biased: ['Q', 'K', 'V', 'O'].filter(has('b')),
    perHead: [...(config.uniformAttention ? [] : ['Q', 'K', 'S']), 'V', 'A', 'C', 'O'],
  };
}

/** Whether a trace has the value's gradient. */
export const hasGradient = ({ config }: OracleModel, value: string): boolean =>
  !(value === 'probs' || value === 'loss' || (value === 'P' && config.position !== 'learned'));

export const tracedGradients = (model: OracleModel): string[] =>
  tracedValues(model)
    .filter((name) => hasGradient(model, name))
    .map(gradientAddress);
