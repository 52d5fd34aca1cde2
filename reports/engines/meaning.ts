/** What the fault of an engine is to whoever asked for a report, and how its end is counted. */
import {
  EngineFault,
  ReportEngineDiedError,
  ReportFailedError,
  ReportPatternError,
  ReportsBusyError,
  ReportsUnavailableError,
  ReportTimeoutError,
  ReportTooLargeError,
  type FaultKind,
} from './errors.ts';
import type { Outcome } from './metrics.ts';

const MEANINGS: Readonly<Record<FaultKind, new (message: string) => Error>> = {
  interrupted: ReportTimeoutError,
  memory: ReportTimeoutError,
  unavailable: ReportsUnavailableError,
  pattern: ReportPatternError,
  too_large: ReportTooLargeError,
  died: ReportEngineDiedError,
  failed: ReportFailedError,
};

/** The error that is thrown for a fault; what is none stays as it is. */
export function meant(error: unknown): unknown {
  return error instanceof EngineFault ? new MEANINGS[error.kind](error.message) : error;
}

/** Whether a tenth of the visitors may do: it took too long, or too much memory. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof EngineFault && (error.kind === 'interrupted' || error.kind === 'memory');
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ReportTimeoutError) return 'timeout';
  if (error instanceof ReportsBusyError) return 'busy';
  if (error instanceof ReportsUnavailableError) return 'unavailable';
  if (error instanceof ReportTooLargeError) return 'too_large';
  return error instanceof ReportPatternError ? 'pattern' : 'failed';
}
