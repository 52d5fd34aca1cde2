/** Faults of what is around a piece of work: it is not their cause, and goes through once they are over. */
import { isNativeError } from 'node:util/types';
import { isDatabaseUnavailable } from '../db/errors.ts';

const OUTAGES: ReadonlySet<string> = new Set(['ReportsUnavailableError', 'ReportsBusyError', 'BlobStoreError']);

/** Whether the database, the blob store, the reports or the machine's disk or network failed. */
export function isOutage(error: unknown): boolean {
  // What the operating system says is of the disk or the network.
  return isNativeError(error) && (OUTAGES.has(error.name) || 'syscall' in error || isDatabaseUnavailable(error));
}
