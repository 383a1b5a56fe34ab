// SPDX-License-Identifier: MIT
// The public Trace: a copy of every number, and a handle for questions that the core answers.

import type {
  Contributions,
  CutOptions,
  EdgeCuts,
  LogitParts,
  ProjectionName,
  SweepOptions,
  Trace,
  TraceMatrix,
} from './api-explain.js';
import type {
  CutHeadsOptions,
  HeadCuts,
  Lens,
  LensOptions,
  PatchOptions,
  Patches,
} from './api-inspect.js';
import { describeValue } from './describe.js';
import { HeedError } from './errors.js';
import { checkCutOptions, checkIndices, checkSweepOptions } from './explain-options.js';
import { checkCutHeadsOptions, checkLensOptions, checkPatchOptions } from './inspect-options.js';
import { Lifetime, symbolDispose } from './lifetime.js';
import type { Backend, Handle, TraceDescription } from './protocol.js';
import { deriveNumber } from './trace-derived.js';
import { TraceLayout, cell, takeIndices, unknownAddress } from './trace-layout.js';

export class HeedTrace implements Trace {
  readonly layers: number;
  readonly heads: number;
  readonly time: number;
  readonly tokens: Int32Array;
  readonly targets: Int32Array;
  readonly loss: number;
  readonly gradients: boolean;
  readonly #backend: Backend;
  readonly #handle: Handle;
  readonly #life: Lifetime;
  readonly #layout: TraceLayout;

  /** For the library itself; the trace lives at most as long as `parent`. */
  constructor(
    backend: Backend,
    parent: Lifetime,
    made: TraceDescription,
    example: { tokens: Int32Array; targets: Int32Array; gradients: boolean },
  ) {
    const { trace, shape, loss, data } = made;
    ({ layers: this.layers, heads: this.heads, time: this.time } = shape);
    ({ tokens: this.tokens, targets: this.targets, gradients: this.gradients } = example);
    this.loss = loss;
    this.#backend = backend;
    this.#handle = trace;
    this.#life = new Lifetime('trace', () => backend.release(trace), parent);
    this.#layout = new TraceLayout(data, shape);
  }

  get disposed(): boolean {
    return this.#life.disposed;
  }

  dispose(): void {
    this.#life.end();
  }

  [symbolDispose](): void {
    this.dispose();
  }

  names(): string[] {
    this.#life.check();
    return this.#layout.names();
  }

  matrix(address: string): TraceMatrix {
    this.#life.check();
    const view = typeof address === 'string' ? this.#layout.find(address) : undefined;
    if (view === undefined) {
      throw unknownAddress(address, this.gradients);
    }
    const { rows, columns, stride, data, offset } = view;
    const values = new Float32Array(rows * columns);
    for (let i = 0; i < rows; ++i) {
      const start = offset + i * stride;
      values.set(data.subarray(start, start + columns), i * columns);
    }
    return { address, rows, columns, values };
  }

  read(address: string): number {
    this.#life.check();
    if (typeof address !== 'string') {
      throw unknownAddress(address, this.gradients);
    }
    const { name, indices } = takeIndices(address);
    const view = this.#layout.find(name);
    const [row, column] = indices as [number, number | undefined];
    if (view !== undefined) {
      if (column === undefined || row >= view.rows || column >= view.columns) {
        throw outside(address, view.rows, view.columns);
      }
      return cell(view, row, column);
    }
    const derived = deriveNumber(this.#layout, name, indices);
    if (derived === undefined) {
      throw unknownAddress(address, this.gradients);
    }
    if (indices.some((index) => index >= this.time) && Number.isNaN(derived)) {
      throw outside(address, this.time, this.time);
    }
    return derived;
  }

  async contributions(
    of: ProjectionName,
    layer: number,
    head: number,
  ): Promise<Contributions> {
    this.#life.check();
    if (of !== 'W_Q' && of !== 'W_K' && of !== 'W_V') {
      throw new HeedError(
        'invalid-argument',
        `contributions() knows 'W_Q', 'W_K' and 'W_V', not ${JSON.stringify(of)}.`,
      );
    }
    checkIndices({ layer, head });
    return this.#backend.call('contributions', { trace: this.#handle, of, layer, head });
  }

  async logitParts(
    layer: number,
    row: number,
    target: number,
    rival: number,
  ): Promise<LogitParts> {
    this.#life.check();
    checkIndices({ layer, row, target, rival });
    const params = { trace: this.#handle, layer, row, target, rival, layers: this.layers };
    return this.#backend.call('logitParts', params);
  }

  async sweep(options: SweepOptions): Promise<Float64Array> {
    this.#life.check();
    checkSweepOptions(options);
    const params = { ...options, trace: this.#handle, by: Float64Array.from(options.by) };
    return this.#backend.call('sweep', params);
  }

  async cutEdges(options: CutOptions): Promise<EdgeCuts> {
    this.#life.check();
    checkCutOptions(options);
    const { layer, head = null, row = null, renormalise = false } = options;
    const { heads, time, loss } = this;
    const params = { trace: this.#handle, layer, head, row, renormalise, heads, time };
    return { loss, losses: await this.#backend.call('cutEdges', params) };
  }

  async cutHeads(options: CutHeadsOptions = {}): Promise<HeadCuts> {
    this.#life.check();
    checkCutHeadsOptions(options);
    const { to = 'zero' } = options;
    const { layers, heads, loss } = this;
    const params = { trace: this.#handle, to, layers, heads };
    return { loss, losses: await this.#backend.call('cutHeads', params) };
  }

  async lens(options: LensOptions = {}): Promise<Lens> {
    this.#life.check();
    const top = checkLensOptions(options, this.#layout.find('logits')!.columns);
    // A layer without Z hands M on as it is.
    const ofLayer = this.#layout.find('L0.Z') === undefined ? ['R'] : ['R', 'M'];
    const places = Array.from({ length: this.layers }, (_, layer) =>
      ofLayer.map((name) => `L${layer}.${name}`),
    ).flat();
    const params = { trace: this.#handle, places: [...places, 'last'], top, time: this.time };
    return this.#backend.call('lens', params);
  }

  async patch(from: Trace, options: PatchOptions): Promise<Patches> {
    this.#life.check();
    if (!(from instanceof HeedTrace)) {
      throw new HeedError(
        'invalid-argument',
        `patch() takes activations from another Trace, not ${describeValue(from)}. ` +
          'Pass what Model.trace returned.',
      );
    }
    const handle = from.#handleFor(this.#backend);
    checkPatchOptions(options);
    const { what, row, target, rival } = options;
    const { layers, heads, time } = this;
    return this.#backend.call('patch', {
      trace: this.#handle,
      from: handle,
      layers,
      places: what === 'head' ? heads : time,
      ...{ what, row, target, rival },
    });
  }

  #handleFor(backend: Backend): Handle {
    this.#life.check();
    if (backend !== this.#backend) {
      throw new HeedError(
        'invalid-argument',
        'The other trace belongs to another engine. Make both traces with one engine.',
      );
    }
    return this.#handle;
  }
}

function outside(address: string, rows: number, columns: number): HeedError {
  return new HeedError(
    'invalid-argument',
    `${address} is outside: there are ${rows} rows and ${columns} columns, counted from 0.`,
  );
}
