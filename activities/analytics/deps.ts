import type pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import type { Lake } from '../../reports/lake/index.ts';

/** Dependencies of the activities on the queue `analytics`. */
export interface AnalyticsActivityDeps {
  pool: pg.Pool;
  lake: Lake;
  /** Retention of conversions and orders, in months. */
  factMonths: number;
  /** The derived key `deletion-ledger` (domain/accounts/secretKeys.ts). */
  ledgerKey: Buffer;
  logger: Logger;
}
