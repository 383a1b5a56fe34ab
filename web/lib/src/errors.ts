// SPDX-License-Identifier: MIT
// One error class for everything that goes wrong, the same on both sides of the worker. `code` is
// stable and meant for programs; the message is for people and ends with what to do.

export const errorCodes = [
  /** An option or argument has the wrong type, is unknown or outside its range. */
  'invalid-argument',
  /** The request's bytes cannot be had; nothing changed. */
  'out-of-memory',
  /** A NaN or an infinity arose; the step changed nothing. */
  'non-finite',
  /** The object was disposed. */
  'disposed',
  /** A file, text or token list is malformed or does not fit. */
  'bad-data',
  /** The call does not fit the object's present state. */
  'bad-state',
  /** The caller's AbortSignal. */
  'aborted',
  /** The runtime lacks something that is required. */
  'unsupported',
  /** The .wasm file or the worker script could not be loaded. */
  'load-failed',
  /** The engine failed in a way that leaves its memory undefined; make a new one. */
  'crashed',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export class HeedError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HeedError';
    this.code = code;
  }
}

/** What crosses the worker boundary: structured cloning would keep neither class nor `code`. */
export interface SerializedError {
  code: ErrorCode;
  message: string;
  stack?: string;
}

export function serializeError(error: unknown): SerializedError {
  const known = toHeedError(error);
  return known.stack === undefined
    ? { code: known.code, message: known.message }
    : { code: known.code, message: known.message, stack: known.stack };
}

export function reviveError(serialized: SerializedError): HeedError {
  const error = new HeedError(serialized.code, serialized.message);
  if (serialized.stack !== undefined) {
    error.stack = serialized.stack;
  }
  return error;
}

/** Anything thrown, as a HeedError; what nobody expected counts as a crash. */
export function toHeedError(error: unknown): HeedError {
  if (error instanceof HeedError) {
    return error;
  }
  const text = error instanceof Error ? error.message : String(error);
  return new HeedError(
    'crashed',
    `The engine failed unexpectedly (${text}). Dispose it and create a new one.`,
    { cause: error },
  );
}
