// SPDX-License-Identifier: MIT
// Numbers of one head: forward, and what the loss says about them.

import type { Lineage, Place, Rule, Sizes } from './lineage';

type Terms = NonNullable<Lineage['terms']>;

const each = (count: number, term: (index: number) => readonly [string, string]): Terms =>
  Array.from({ length: count }, (_, index) => term(index));

const scale = ({ headWidth }: Sizes): NonNullable<Lineage['factor']> =>
  ({ text: `\\frac{1}{\\sqrt{${headWidth}}}`, value: 1 / Math.sqrt(headWidth) });

const minusOne = { text: '-1', value: -1 };

/** X W: a row of the input times a column of the weights. */
function projected(letter: 'Q' | 'K' | 'V', part: string, next: (place: Place) => string[]): Rule {
  return (place, { width }) => {
    const { layer, scope, row, column } = place;
    return {
      formula: `\\lit{${part}}{${letter}_ic} = \\sum_m X_im W_{${letter},mc}`,
      terms: each(width, (m) => [`L${layer}.X.${row}.${m}`, `${scope}.W_${letter}.${m}.${column}`]),
      from: [`L${layer}.X.${row}.0`, `${scope}.W_${letter}.0.${column}`],
      to: next(place),
    };
  };
}

export const head: Record<string, Rule> = {
  Q: projected('Q', 'query', ({ scope, row, j }) => [`${scope}.S.${row}.${Math.min(j, row)}`]),
  K: projected('K', 'key', ({ scope, row, i }) => [`${scope}.S.${Math.max(i, row)}.${row}`]),
  V: projected('V', 'value', ({ scope, row, column, i }) => [
    `${scope}.C.${Math.max(i, row)}.${column}`,
  ]),
  S: ({ scope, row, column, channel }, sizes) => ({
    formula: '\\lit{score}{S_ij} = \\frac{\\lit{query}{q_i} \\cdot \\lit{key}{k_j}}{\\sqrt{D}}',
    terms: each(sizes.headWidth, (c) => [`${scope}.Q.${row}.${c}`, `${scope}.K.${column}.${c}`]),
    factor: scale(sizes),
    from: [`${scope}.Q.${row}.${channel}`, `${scope}.K.${column}.${channel}`],
    to: [`${scope}.A.${row}.${column}`],
  }),
  A: ({ scope, row, column, channel }) => ({
    formula: '\\lit{weight}{A_ij} = \\frac{exp(S_ij - max_i)}{\\sum_k exp(S_ik - max_i)}',
    numeric: {
      text: '\\frac{\\num{0}}{\\num{1}}',
      addresses: [`${scope}.exp.${row}.${column}`, `${scope}.sum.${row}`],
    },
    from: [`${scope}.S.${row}.${column}`],
    to: [`${scope}.C.${row}.${channel}`],
  }),
  C: ({ scope, layer, row, column }, { time }) => ({
    formula: '\\lit{mixture}{C_ic} = \\sum_j \\lit{weight}{A_ij} \\lit{value}{V_jc}',
    terms: each(time, (j) => [`${scope}.A.${row}.${j}`, `${scope}.V.${j}.${column}`]),
    from: [`${scope}.A.${row}.0`, `${scope}.V.0.${column}`],
    to: [`L${layer}.Y.${row}.${column}`],
  }),
};

export const gradient: Record<string, Rule> = {
  dC: ({ scope, row, column, j }) => ({
    formula: 'g_ic = \\frac{\\partial L}{\\partial C_ic}',
    from: [`dlogits.${row}.0`],
    to: [`${scope}.dA.${row}.${Math.min(j, row)}`, `${scope}.dV.${Math.min(j, row)}.${column}`],
  }),
  dA: ({ scope, row, column, channel }, { headWidth }) => ({
    formula: '\\frac{\\partial L}{\\partial A_ij} = g_i \\cdot \\lit{value}{v_j}',
    terms: each(headWidth, (c) => [`${scope}.dC.${row}.${c}`, `${scope}.V.${column}.${c}`]),
    from: [`${scope}.dC.${row}.${channel}`, `${scope}.V.${column}.${channel}`],
    to: [`${scope}.dS.${row}.${column}`],
  }),
  gain: ({ scope, row, column, channel }, { headWidth }) => ({
    formula: '\\lit{gain}{gain_ij} = -g_i \\cdot \\lit{value}{v_j}',
    terms: each(headWidth, (c) => [`${scope}.dC.${row}.${c}`, `${scope}.V.${column}.${c}`]),
    factor: minusOne,
    from: [`${scope}.dC.${row}.${channel}`, `${scope}.V.${column}.${channel}`],
    to: [`${scope}.push.${row}.${column}`],
  }),
  mean: ({ scope, row, channel, j }, { headWidth }) => ({
    formula: '\\lit{mean}{mean_i} = -g_i \\cdot \\lit{mixture}{c_i}',
    terms: each(headWidth, (c) => [`${scope}.dC.${row}.${c}`, `${scope}.C.${row}.${c}`]),
    factor: minusOne,
    from: [`${scope}.dC.${row}.${channel}`, `${scope}.C.${row}.${channel}`],
    to: [`${scope}.push.${row}.${Math.min(j, row)}`],
  }),
  push: ({ scope, row, column, channel }) => ({
    formula: '\\lit{push}{push_ij} = \\lit{weight}{A_ij} (\\lit{gain}{gain_ij} - \\lit{mean}{mean_i})',
    numeric: {
      text: '\\num{0} (\\num{1} - \\num{2})',
      addresses: [
        `${scope}.A.${row}.${column}`, `${scope}.gain.${row}.${column}`, `${scope}.mean.${row}`,
      ],
    },
    from: [`${scope}.A.${row}.${column}`, `${scope}.gain.${row}.${column}`, `${scope}.mean.${row}`],
    to: [`${scope}.dQ.${row}.${channel}`, `${scope}.dK.${column}.${channel}`],
  }),
  dS: ({ scope, row, column, channel }) => ({
    formula: '\\frac{\\partial L}{\\partial S_ij} = \\lit{weight}{A_ij} g_i \\cdot '
      + '(\\lit{value}{v_j} - \\lit{mixture}{c_i}) = -\\lit{push}{push_ij}',
    numeric: { text: '-\\num{0}', addresses: [`${scope}.push.${row}.${column}`] },
    from: [`${scope}.A.${row}.${column}`, `${scope}.dA.${row}.${column}`],
    to: [`${scope}.dQ.${row}.${channel}`, `${scope}.dK.${column}.${channel}`],
  }),
  dQ: ({ scope, row, column, j }, sizes) => ({
    formula: '\\frac{\\partial L}{\\partial Q_ic} = \\frac{1}{\\sqrt{D}} \\sum_j '
      + '\\frac{\\partial L}{\\partial S_ij} \\lit{key}{K_jc}',
    terms: each(sizes.time, (k) => [`${scope}.dS.${row}.${k}`, `${scope}.K.${k}.${column}`]),
    factor: scale(sizes),
    from: [`${scope}.dS.${row}.${Math.min(j, row)}`],
    to: [`${scope}.dW_Q.0.${column}`],
  }),
  dK: ({ scope, row, column, i }, sizes) => ({
    formula: '\\frac{\\partial L}{\\partial K_jc} = \\frac{1}{\\sqrt{D}} \\sum_i '
      + '\\frac{\\partial L}{\\partial S_ij} \\lit{query}{Q_ic}',
    terms: each(sizes.time, (k) => [`${scope}.dS.${k}.${row}`, `${scope}.Q.${k}.${column}`]),
    factor: scale(sizes),
    from: [`${scope}.dS.${Math.max(i, row)}.${row}`],
    to: [`${scope}.dW_K.0.${column}`],
  }),
  dV: ({ scope, row, column, i }, { time }) => ({
    formula: '\\frac{\\partial L}{\\partial V_jc} = \\sum_i \\lit{weight}{A_ij} g_ic',
    terms: each(time, (k) => [`${scope}.A.${k}.${row}`, `${scope}.dC.${k}.${column}`]),
    from: [`${scope}.A.${Math.max(i, row)}.${row}`, `${scope}.dC.${Math.max(i, row)}.${column}`],
    to: [`${scope}.dW_V.0.${column}`],
  }),
  ...Object.fromEntries((['Q', 'K', 'V'] as const).map((letter): [string, Rule] => [
    `dW_${letter}`,
    ({ scope, layer, row, column, i }, { time }) => ({
      formula: `\\frac{\\partial L}{\\partial W_{${letter},mc}} = \\sum_t X_tm `
        + `\\frac{\\partial L}{\\partial ${letter}_tc}`,
      terms: each(time, (k) => [`L${layer}.X.${k}.${row}`, `${scope}.d${letter}.${k}.${column}`]),
      from: [`L${layer}.X.${i}.${row}`, `${scope}.d${letter}.${i}.${column}`],
      to: [],
    }),
  ])),
};
