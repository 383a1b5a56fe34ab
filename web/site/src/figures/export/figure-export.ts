// SPDX-License-Identifier: MIT
// The four ways out of a figure, from its tables and its drawing.

import type { FigureExport, FigureTable } from '../contracts';
import { tablesToCsv } from './csv';
import { tablesToJson } from './json';
import { svgToPng } from './png';
import { elementToSvg } from './svg';

interface Source {
  name: string;
  title: string;
  tables: readonly FigureTable[];
  drawing: HTMLElement;
}

export const exportFigure = ({ name, title, tables, drawing }: Source): FigureExport => ({
  name,
  title,
  tables,
  csv: () => tablesToCsv(tables),
  json: () => tablesToJson(title, tables),
  svg: () => elementToSvg(drawing, title),
  png: (scale = 2) => svgToPng(elementToSvg(drawing, title), scale),
});
