/** Reasons for which a report was not made. */
import { isNativeError } from 'node:util/types';
import { RowsTooLongError } from '../lake/lakeFaults.ts';

/** The reason that an engine gives for a failed report. */
export type FaultKind =
  | 'interrupted'
  /** It needs more than the engine's memory limit. */
  | 'memory'
  /** PostgreSQL or the lake's files cannot be reached. */
  | 'unavailable'
  /** RE2 refuses a pattern of its filters. */
  | 'pattern'
  /** Its rows have more text than one response may hold. */
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

/** Neither the whole report nor its sample finished within the time or memory of an engine. */
export class ReportTimeoutError extends Error {
  override readonly name = 'ReportTimeoutError';
}

/** Too many reports wait already, or this one has waited too long. */
export class ReportsBusyError extends Error {
  override readonly name = 'ReportsBusyError';
}

/** PostgreSQL, the lake's files or DuckDB's extensions are unreachable; the message says which. */
export class ReportsUnavailableError extends Error {
  override readonly name = 'ReportsUnavailableError';
}

/** DuckDB's RE2 refused a pattern that validation had accepted. */
export class ReportPatternError extends Error {
  override readonly name = 'ReportPatternError';
}

/**
 * Its rows have more text than one response may hold. The same report in parts, or without long labels, may succeed.
 */
export class ReportTooLargeError extends Error {
  override readonly name = 'ReportTooLargeError';
}

/** The engine's process ended before its answer; a retry may succeed. */
export class ReportEngineDiedError extends Error {
  override readonly name = 'ReportEngineDiedError';
}

/** An internal error. */
export class ReportFailedError extends Error {
  override readonly name = 'ReportFailedError';
}

/** Matches messages of DuckDB 1.5 and of PostgreSQL's client library; the first match applies. */
const KINDS: readonly (readonly [FaultKind, RegExp])[] = [
  ['interrupted', /^INTERRUPT Error|^Interrupted/i],
  ['memory', /^Out of Memory Error/],
  [
    'unavailable',
    /^(IO|HTTP|Connection) Error|unable to connect|could not connect|server closed the connection|terminating connection|SSL (?:connection has been closed|SYSCALL error|error: )|could not (?:receive|send) data|no connection to the server|database system is (starting|shutting)|too many clients/i,
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
