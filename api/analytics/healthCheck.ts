/** Health check of the analytics: the database answers, and hits do not wait for their ingestion. */
import type pg from 'pg';
import { readIngestLag } from '../../db/visits/ingestLag.ts';
import { createHealthCheckOf, type CheckHealth, type HealthOptions } from '../http/operations/cachedHealthCheck.ts';

/** Ingestion takes a second; a restart of its process takes about ten. */
const LAG_SECONDS = 60;

export function createAnalyticsHealthCheck({
  pool,
  ...options
}: Omit<HealthOptions, 'findReasons'> & { pool: pg.Pool }): CheckHealth {
  return createHealthCheckOf({ findReasons: () => findReasons(pool), ...options });
}

async function findReasons(pool: pg.Pool): Promise<string[]> {
  const { seconds } = await readIngestLag(pool);
  return seconds > LAG_SECONDS ? ['hits are waiting to be ingested'] : [];
}
