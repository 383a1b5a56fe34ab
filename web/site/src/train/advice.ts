// SPDX-License-Identifier: MIT
// What to try against a finding, as settings that the form can take over.

import type { Finding } from '../doctor';
import type { FieldKey, Settings } from './fields';

export interface Advice {
  field: FieldKey;
  value: string;
}

const rounded = (rate: number): string => String(Number(rate.toPrecision(3)));

/** At most two, the likelier one first; none where only more text or a smaller model helps. */
export function adviceFor({ kind }: Finding, settings: Settings): Advice[] {
  const { learningRate, clip, norm, normPosition, scale, softcap, window, qkNorm, dropout } = settings;
  const change = (wanted: boolean, field: FieldKey, value: string): Advice[] =>
    wanted ? [{ field, value }] : [];
  const slower = change(true, 'learningRate', rounded(learningRate / 10));
  switch (kind) {
    case 'diverging':
    case 'rateHigh':
      return slower;
    case 'rateLow':
      return change(true, 'learningRate', rounded(learningRate * 10));
    case 'exploding':
      return [
        ...change(clip === 0, 'clip', '1'),
        ...change(norm === 'none', 'norm', 'layer'),
        ...slower,
      ].slice(0, 2);
    case 'vanishing':
      return [
        ...change(norm === 'none', 'norm', 'layer'),
        ...change(norm !== 'none' && normPosition === 'post', 'normPosition', 'pre'),
      ];
    case 'overfitting':
      return change(dropout === 0, 'dropout', '0.1');
    case 'saturated':
      return [
        ...change(scale !== 0, 'scale', '0'),
        ...change(scale === 0 && !qkNorm, 'qkNorm', 'true'),
      ];
    case 'unsteered':
      return [
        ...change(scale !== 0, 'scale', '0'),
        ...change(softcap !== 0, 'softcap', '0'),
        ...change(window === 1, 'window', '0'),
      ].slice(0, 2);
    case 'silent':
      return [];
  }
}
