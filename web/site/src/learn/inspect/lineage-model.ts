// SPDX-License-Identifier: MIT
// Numbers of the model around its heads: the embedded tokens, the stream, the guess and the loss.

import type { Rule } from './lineage';

export const model: Record<string, Rule> = {
  E: ({ row, column }) => ({
    formula: 'E_ic = W_{E,token_i c}', from: [], to: [`L0.X.${row}.${column}`],
  }),
  P: ({ row, column }) => ({ formula: 'P_ic', from: [], to: [`L0.X.${row}.${column}`] }),
  X: ({ layer, scope, row, column }) => ({
    ...(layer === 0
      ? {
          formula: 'X_ic = E_ic + P_ic',
          numeric: {
            text: '\\num{0} + \\num{1}', addresses: [`E.${row}.${column}`, `P.${row}.${column}`],
          },
          from: [`E.${row}.${column}`, `P.${row}.${column}`],
        }
      : { formula: 'X_ic = R_ic', from: [`L${layer}.R.${row}.${column}`] }),
    to: [`${scope}.Q.${row}.0`, `${scope}.K.${row}.0`, `${scope}.V.${row}.0`],
  }),
  Y: ({ layer, scope, row, column, channel }) => ({
    formula: 'Y_ic = \\sum_h O_ic', from: [`${scope}.C.${row}.${channel}`],
    to: [`L${layer}.M.${row}.${column}`],
  }),
  M: ({ layer, row, column }) => ({
    formula: 'M_ic = R_ic + Y_ic',
    numeric: {
      text: '\\num{0} + \\num{1}',
      addresses: [`L${layer}.R.${row}.${column}`, `L${layer}.Y.${row}.${column}`],
    },
    from: [`L${layer}.R.${row}.${column}`, `L${layer}.Y.${row}.${column}`],
    to: [`N.${row}.${column}`],
  }),
  N: ({ row }) => ({ formula: 'N_ic', from: [], to: [`logits.${row}.0`] }),
  logits: ({ row, column }, { width }) => ({
    formula: 'logit_iv = \\sum_c N_ic W_{E,vc}',
    terms: Array.from({ length: width }, (_, c) =>
      [`N.${row}.${c}`, `embed.weight.${column}.${c}`] as const),
    from: [`N.${row}.0`], to: [`probs.${row}.${column}`],
  }),
  probs: ({ row, column }) => ({
    formula: 'p_iv = \\frac{exp(logit_iv)}{\\sum_u exp(logit_iu)}',
    from: [`logits.${row}.${column}`], to: [`loss.${row}.0`, `dlogits.${row}.${column}`],
  }),
  loss: ({ row }, { targets }) => ({
    formula: 'L_i = -ln p_{i,target}',
    from: (targets[row] ?? -1) >= 0 ? [`probs.${row}.${targets[row]}`] : [], to: [],
  }),
  dlogits: ({ row, column, scope, channel }) => ({
    formula: '\\frac{\\partial L}{\\partial logit_iv} = \\frac{p_iv - y_iv}{n}',
    from: [`probs.${row}.${column}`], to: [`${scope}.dC.${row}.${channel}`],
  }),
};
