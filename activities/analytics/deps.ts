import type pg from 'pg';
import type { Logger } from '../../process/logger.ts';
import type { Lake } from '../../reports/lake/index.ts';

/** What the activities of the queue `analytics` work with. */
export interface AnalyticsActivityDeps {
  pool: pg.Pool;
  lake: Lake;
  /** How many months conversions and orders are kept. */
  factMonths: number;
  /** The derived key `deletion-ledger` (domain/secretKeys.ts). */
  ledgerKey: Buffer;
  logger: Logger;
}
