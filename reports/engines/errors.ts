/** Why a report was not made. */
import { isNativeError } from 'node:util/types';
import { RowsTooLongError } from '../lake/faults.ts';

/** What an engine says of a report that it did not make. */
export type FaultKind =
  | 'interrupted'
  /** It needs more than the engine may take. */
  | 'memory'
  /** PostgreSQL or the lake's files cannot be reached. */
  | 'unavailable'
  /** A pattern of its filters is more than RE2 takes. */
  | 'pattern'
  /** Its rows have more text than may be told at once. */
  | 'too_large'
  /** The process ended before its answer. */
  | 'died'
  | 'failed';

export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Neither whole nor by its sample done in time, or in the memory of an engine. */
export class ReportTimeoutError extends Error {
  override readonly name = 'ReportTimeoutError';
}

/** Too many wait already, or this one has waited too long. */
export class ReportsBusyError extends Error {
  override readonly name = 'ReportsBusyError';
}

/** PostgreSQL, the lake's files or DuckDB's extensions are out of reach: the message says which. */
export class ReportsUnavailableError extends Error {
  override readonly name = 'ReportsUnavailableError';
}

/** RE2 of DuckDB takes less than the check of the request let through. */
export class ReportPatternError extends Error {
  override readonly name = 'ReportPatternError';
}

/** Its rows have more text than may be told at once: the same report in parts, or without long labels, may be had. */
export class ReportTooLargeError extends Error {
  override readonly name = 'ReportTooLargeError';
}

/** The engine's process ended before its answer: asked again, the report may be made. */
export class ReportEngineDiedError extends Error {
  override readonly name = 'ReportEngineDiedError';
}

/** A fault of ours. */
export class ReportFailedError extends Error {
  override readonly name = 'ReportFailedError';
}

/** By the words of DuckDB 1.5 and of PostgreSQL's client library; the first that fits. */
const KINDS: readonly (readonly [FaultKind, RegExp])[] = [
  ['interrupted', /^INTERRUPT Error|^Interrupted/i],
  ['memory', /^Out of Memory Error/],
  [
    'unavailable',
    /^(IO|HTTP|Connection) Error|unable to connect|could not connect|server closed the connection|terminating connection|no connection to the server|database system is (starting|shutting)|too many clients/i,
  ],
  [
    'pattern',
    /^Invalid Input Error: (pattern too large|invalid (escape|character class|perl|UTF-8|named|group|repetition)|missing [\])]|bad repetition|no argument for repetition|trailing \\|unexpected \))/,
  ],
];

export function kindOf(error: unknown): FaultKind {
  if (error instanceof RowsTooLongError) return 'too_large';
  const message = isNativeError(error) ? error.message : String(error);
  return KINDS.find(([, words]) => words.test(message))?.[0] ?? 'failed';
}
