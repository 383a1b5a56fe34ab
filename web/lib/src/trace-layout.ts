// SPDX-License-Identifier: MIT
// Where a trace's numbers lie, and what an address means.

import { HeedError } from './errors.js';

/** What the numbers of a trace are copied out as. */
export interface TraceData {
  /** Lines of the core's list of matrices and tensors. */
  list: string;
  values: Float32Array;
  /** Empty without gradients. */
  gradients: Float32Array;
  parameters: Float32Array;
  parameterGradients: Float32Array;
}

export interface TraceShape {
  layers: number;
  heads: number;
  kvHeads: number;
  time: number;
}

/** A matrix inside one of the arrays. */
export interface View {
  data: Float32Array;
  offset: number;
  rows: number;
  columns: number;
  stride: number;
}

type HeadLayout = 'none' | 'columns' | 'keyColumns' | 'rows';
const headLayouts: readonly HeadLayout[] = ['none', 'columns', 'keyColumns', 'rows'];

interface Entry {
  view: View;
  gradient: View | undefined;
  heads: HeadLayout;
}

/** Projections of a layer: short name, tensor, how the heads lie in it. */
const layerTensors = [
  ['W_Q', 'attention.query.weight', 'columns'],
  ['W_K', 'attention.key.weight', 'keyColumns'],
  ['W_V', 'attention.value.weight', 'keyColumns'],
  ['W_O', 'attention.output.weight', 'rows'],
  ['b_Q', 'attention.query.bias', 'columns'],
  ['b_K', 'attention.key.bias', 'keyColumns'],
  ['b_V', 'attention.value.bias', 'keyColumns'],
  ['b_O', 'attention.output.bias', 'none'],
] as const;

export class TraceLayout {
  readonly #entries = new Map<string, Entry>();
  readonly #shape: TraceShape;

  constructor(data: TraceData, shape: TraceShape) {
    this.#shape = shape;
    for (const line of data.list.trimEnd().split('\n')) {
      const [kind, ...fields] = line.split(' ');
      if (kind === 'matrix') {
        this.#addMatrix(data, fields);
      } else {
        this.#addTensor(data, fields);
      }
    }
    this.#addShortNames();
  }

  #addMatrix(data: TraceData, fields: readonly string[]): void {
    const [place, name = '', rows, columns, heads, offset, gradient] = fields;
    const view = viewOf(data.values, Number(offset), Number(rows), Number(columns));
    const layer = Number(place) - 1;
    this.#entries.set(layer < 0 ? name : `L${layer}.${name}`, {
      view,
      gradient:
        Number(gradient) > 0
          ? viewOf(data.gradients, Number(gradient) - 1, view.rows, view.columns)
          : undefined,
      heads: headLayouts[Number(heads)] ?? 'none',
    });
  }

  #addTensor(data: TraceData, fields: readonly string[]): void {
    const [name = '', , rows, columns, offset] = fields;
    const at = [Number(offset), Number(rows), Number(columns)] as const;
    this.#entries.set(name, {
      view: viewOf(data.parameters, ...at),
      gradient:
        data.parameterGradients.length > 0 ? viewOf(data.parameterGradients, ...at) : undefined,
      heads: 'none',
    });
  }

  #addShortNames(): void {
    for (let layer = 0; layer < this.#shape.layers; ++layer) {
      for (const [short, tensor, heads] of layerTensors) {
        const entry = this.#entries.get(`layers.${layer}.${tensor}`);
        if (entry !== undefined) {
          this.#entries.set(`L${layer}.${short}`, { ...entry, heads });
        }
      }
    }
  }

  /** Every address of a matrix. */
  names(): string[] {
    const found: string[] = [];
    for (const [name, { gradient, heads }] of this.#entries) {
      const both = (address: string) => {
        found.push(address);
        if (gradient !== undefined) {
          found.push(gradientAddress(address));
        }
      };
      both(name);
      for (let head = 0; heads !== 'none' && head < this.#shape.heads; ++head) {
        both(name.replace('.', `.H${head}.`));
      }
    }
    return found;
  }

  /** The matrix of an address, or undefined when there is none. */
  find(address: string): View | undefined {
    const { base, gradient, head } = takeApart(address);
    const entry = this.#entries.get(base);
    const whole = gradient ? entry?.gradient : entry?.view;
    if (entry === undefined || whole === undefined || head === undefined) {
      return whole;
    }
    return head < this.#shape.heads ? this.#headOf(whole, entry.heads, head) : undefined;
  }

  #headOf(view: View, layout: HeadLayout, head: number): View | undefined {
    const { heads, kvHeads } = this.#shape;
    if (layout === 'none') {
      return undefined;
    }
    if (layout === 'rows') {
      const rows = view.rows / heads;
      return { ...view, rows, offset: view.offset + head * rows * view.stride };
    }
    const parts = layout === 'columns' ? heads : kvHeads;
    const part = layout === 'columns' ? head : Math.floor(head / (heads / kvHeads));
    const columns = view.columns / parts;
    return { ...view, columns, offset: view.offset + part * columns };
  }
}

function viewOf(data: Float32Array, offset: number, rows: number, columns: number): View {
  return { data, offset, rows, columns, stride: columns };
}

/** L0.H1.S -> L0.H1.dS, embed.weight -> d:embed.weight */
function gradientAddress(address: string): string {
  const short = /^((?:L\d+\.)?(?:H\d+\.)?)([^.]+)$/.exec(address);
  return short === null ? `d:${address}` : `${short[1]}d${short[2]}`;
}

function takeApart(address: string): { base: string; gradient: boolean; head?: number } {
  if (address.startsWith('d:')) {
    return { base: address.slice(2), gradient: true };
  }
  const parts = /^(L\d+\.)?(?:H(\d+)\.)?(d?)([A-Za-z_]+)$/.exec(address);
  if (parts === null) {
    return { base: address, gradient: false };
  }
  const [, layer = '', head, d, name] = parts;
  const place = head === undefined ? {} : { head: Number(head) };
  return { base: layer + name, gradient: d === 'd', ...place };
}

export function cell(view: View, row: number, column: number): number {
  return view.data[view.offset + row * view.stride + column]!;
}

/** The two numbers at the end of an address, and what is before them. */
export function takeIndices(address: string): { name: string; indices: number[] } {
  const parts = /^(.*?)((?:\.\d+){1,2})$/.exec(address);
  if (parts === null) {
    throw unknownAddress(address, true);
  }
  const [, name = '', tail = ''] = parts;
  return { name, indices: tail.slice(1).split('.').map(Number) };
}

export function unknownAddress(address: unknown, gradients: boolean): HeedError {
  const made = gradients ? '' : ', which was made without gradients';
  return new HeedError(
    'invalid-argument',
    `The trace${made} has no ${JSON.stringify(address)}. Addresses look like L0.H1.dS.5.2 ` +
      '(layer, head, name, row, column); names() lists the matrices.',
  );
}
