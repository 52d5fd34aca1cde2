/** Recognises faults of the environment: the work did not cause them and will succeed once they are over. */
import { isNativeError } from 'node:util/types';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { isDiskUnavailable } from '../platform/disk/diskFaults.ts';

/** The unavailable part, in operators' words. */
export type Outage = 'the database' | 'the blob store' | 'the report engine' | 'the disk';

/** Outages by error name. */
const OUTAGES_BY_ERROR: Readonly<Record<string, Outage>> = {
  BlobStoreError: 'the blob store',
  ReportsUnavailableError: 'the report engine',
  ReportsBusyError: 'the report engine',
};

/**
 * Returns what was unavailable when the work failed; null when the fault is the work's own. A network failure is
 * attributed to the service behind it: the blob store reports its own faults, and the database is the only other one
 * that is reached over a network.
 */
export function outageOf(error: unknown): Outage | null {
  if (!isNativeError(error)) return null;
  const outage = OUTAGES_BY_ERROR[error.name];
  if (outage !== undefined) return outage;
  if (isDiskUnavailable(error)) return 'the disk';
  return isDatabaseUnavailable(error) ? 'the database' : null;
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== null;
}
