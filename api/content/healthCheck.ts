/** Health check of the service: the database answers, the relay reaches Temporal, and work progresses. */
import type pg from 'pg';
import { oldestQueuedSeconds, readServiceReport } from '../../db/installation/serviceReports.ts';
import { readStuckWork, type StuckThresholds } from '../../db/installation/stuckWork.ts';
import { createHealthCheckOf, type CheckHealth, type HealthOptions } from '../http/operations/cachedHealthCheck.ts';

/** The relay reports far more often than this (loops/relay/temporalHealth.ts). */
export const RELAY_STALE_SECONDS = 30;
const QUEUE_OVERLOADED_SECONDS = 600;
/** Longer than a provider takes for one text, and than the limit of one medium (domain/jobs/activityOptions.ts). */
const STUCK_THRESHOLDS: StuckThresholds = { textSeconds: 3_600, mediaSeconds: 6 * 3_600, deliverySeconds: 600 };

export function createHealthCheck({
  pool,
  ...options
}: Omit<HealthOptions, 'findReasons'> & { pool: pg.Pool }): CheckHealth {
  return createHealthCheckOf({ findReasons: () => findReasons(pool), ...options });
}

async function findReasons(pool: pg.Pool): Promise<string[]> {
  const [relay, queuedSeconds, stuck] = await Promise.all([
    readServiceReport(pool, 'relay'),
    oldestQueuedSeconds(pool),
    readStuckWork(pool, STUCK_THRESHOLDS),
  ]);
  const reasons: string[] = [];
  if (!relay || relay.ageSeconds > RELAY_STALE_SECONDS) reasons.push('the relay does not report');
  else if (relay.report['temporalReachable'] !== true) reasons.push('Temporal is unreachable');
  if (queuedSeconds > QUEUE_OVERLOADED_SECONDS) reasons.push('the analysis queue is overloaded');
  if (stuck.items) reasons.push('items are stuck in the middle of their analysis');
  if (stuck.deliveries) reasons.push('webhook deliveries are stuck');
  return reasons;
}
