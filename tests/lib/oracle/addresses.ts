// SPDX-License-Identifier: MIT
// Addresses of api-explain.ts: which tensor a layer's W_Q is, what the gradient of a value is
// called, and what a trace of a configuration has to hold.

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

/** Every value a trace of the model holds. */
export function tracedValues({ config, tensors }: OracleModel): string[] {
  const names = ['E', 'N', 'logits', 'probs', 'loss', ...tensors.keys()];
  if (config.position === 'learned' || config.position === 'sinusoidal') {
    names.push('P');
  }
  const learned = ['Q', 'K', 'V', 'O'].filter((which) =>
    tensors.has(valueAddress(`L0.W_${which}`)),
  );
  for (let layer = 0; layer < config.layers; ++layer) {
    names.push(...['R', 'X', 'Y', 'M'].map((name) => `L${layer}.${name}`));
    if (config.ffn > 0) {
      const gate = config.activation === 'swiglu' ? ['ffnGate'] : [];
      names.push(...['U', 'ffnIn', ...gate, 'ffnHidden', 'Z'].map((name) => `L${layer}.${name}`));
    }
    names.push(...learned.map((which) => `L${layer}.W_${which}`));
    names.push(...(config.bias ? learned.map((which) => `L${layer}.b_${which}`) : []));
    const scores = config.uniformAttention ? [] : ['Q', 'K', 'S'];
    const ofHead = [...scores, 'V', 'A', 'C', 'O', ...learned.map((which) => `W_${which}`)];
    for (let head = 0; head < config.heads; ++head) {
      names.push(...ofHead.map((name) => `L${layer}.H${head}.${name}`));
    }
  }
  return names;
}

/** Every gradient; sinusoidal positions have none. */
export const tracedGradients = (model: OracleModel): string[] =>
  tracedValues(model)
    .filter((name) => name !== 'P' || model.config.position === 'learned')
    .map(gradientAddress);
