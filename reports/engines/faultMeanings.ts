/** Maps engine faults to the errors that callers see and to the outcomes that metrics count. */
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
import type { Outcome } from './engineMetrics.ts';

const MEANINGS: Readonly<Record<FaultKind, new (message: string) => Error>> = {
  interrupted: ReportTimeoutError,
  memory: ReportTimeoutError,
  unavailable: ReportsUnavailableError,
  pattern: ReportPatternError,
  too_large: ReportTooLargeError,
  died: ReportEngineDiedError,
  failed: ReportFailedError,
};

/** Returns the error to throw for a fault; any other error is returned unchanged. */
export function toReportError(error: unknown): unknown {
  return error instanceof EngineFault ? new MEANINGS[error.kind](error.message) : error;
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ReportTimeoutError) return 'timeout';
  if (error instanceof ReportsBusyError) return 'busy';
  if (error instanceof ReportsUnavailableError) return 'unavailable';
  if (error instanceof ReportTooLargeError) return 'too_large';
  return error instanceof ReportPatternError ? 'pattern' : 'failed';
}
