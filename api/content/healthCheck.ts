/** Whether the service can do its work: the database answers, the relay reaches Temporal, the queue moves. */
import type pg from 'pg';
import { oldestQueuedSeconds, readServiceReport } from '../../db/serviceReports.ts';

export interface HealthReport {
  status: 'ok' | 'degraded';
  /** For the log; the answer carries the status alone. */
  reasons: string[];
}

export interface HealthOptions {
  pool: pg.Pool;
  /** Answer after this long at the latest. */
  timeoutMs?: number;
  /** Share one answer among all that ask within this time. */
  cacheMs?: number;
  /** Told when the status or its reasons are others than before. */
  onChange?: (report: HealthReport) => void;
}

/** The relay reports far more often than this. */
const RELAY_STALE_SECONDS = 30;
const QUEUE_OVERLOADED_SECONDS = 600;

/** Returns the check. It never throws and never takes longer than its timeout. */
export function createHealthCheck({ pool, timeoutMs = 1_500, cacheMs = 1_000, onChange }: HealthOptions): () => Promise<HealthReport> {
  let told = '';
  const tellChanges = (report: HealthReport): HealthReport => {
    const reasons = report.reasons.join('; ');
    if (reasons !== told) onChange?.(report);
    told = reasons;
    return report;
  };
  let last: { report: Promise<HealthReport>; expiresAt: number } | null = null;
  return () => {
    if (last && last.expiresAt > performance.now()) return last.report;
    const report = within(timeoutMs, findReasons(pool)).then((reasons): HealthReport => ({ status: reasons.length === 0 ? 'ok' : 'degraded', reasons })).then(tellChanges);
    last = { report, expiresAt: performance.now() + cacheMs };
    return report;
  };
}

async function findReasons(pool: pg.Pool): Promise<string[]> {
  const [relay, queuedSeconds] = await Promise.all([readServiceReport(pool, 'relay'), oldestQueuedSeconds(pool)]);
  const reasons: string[] = [];
  if (!relay || relay.ageSeconds > RELAY_STALE_SECONDS) reasons.push('the relay does not report');
  else if (relay.report['temporalReachable'] !== true) reasons.push('Temporal is unreachable');
  if (queuedSeconds > QUEUE_OVERLOADED_SECONDS) reasons.push('the analysis queue is overloaded');
  return reasons;
}

async function within(timeoutMs: number, reasons: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve(['the database does not answer in time']), timeoutMs);
  });
  const answer = reasons.catch(() => ['the database is unavailable']);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
