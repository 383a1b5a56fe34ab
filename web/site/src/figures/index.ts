// SPDX-License-Identifier: MIT
// Every figure by name.

export * from './contracts';
export { readNumber, derivedNames, type NumberSource } from './addresses';
export { createFigureContext } from './context';
export { numberFormat } from './numbers';
export { createLights, createSelection } from './selection';
export { barsFigure } from './bars';
export { beforeAfterFigure } from './before-after';
export { budgetFigure } from './budget';
export { curvesFigure } from './curves';
export { gainDotsFigure } from './gain-dots';
export { headGridFigure } from './head-grid';
export { importancesFigure } from './importances';
export { keyRulerFigure } from './key-ruler';
export { ledgerFigure } from './ledger';
export { matrixFigure } from './matrix';
export { mixtureFigure } from './mixture';
export { nudgeCurveFigure } from './nudge-curve';
export { outerStackFigure } from './outer-stack';
export { planeFigure } from './plane';
export { pushMatrixFigure } from './push-matrix';
export { queryPushFigure } from './query-push';
export { readersFigure } from './readers';
export { scoreBarsFigure } from './score-bars';
export { timelineFigure } from './timeline';
export { waterfallFigure } from './waterfall';
