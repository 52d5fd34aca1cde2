/** The Prometheus metrics of the ingest. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Queryable } from '../../db/pool.ts';
import { INGEST_STATE } from '../../db/installation/waitingWorkGauges.ts';
import { DROPS } from '../../domain/visits/addRequestToVisits.ts';
import { registerStateGauges } from '../../platform/process/metrics/stateGauges.ts';

export interface IngestMetrics {
  /** Events by outcome: `kept`, or the reason why an event left nothing behind. */
  readonly events: Counter<'outcome'>;
  /** Requests set aside in collect_failed. */
  readonly setAside: Counter;
  /**
   * Number of pairs of page view and url goal that were not matched because the site's patterns had used up their time.
   */
  readonly goalsSkipped: Counter;
  /** Duration in seconds of transactions that ingested something. */
  readonly transaction: Histogram;
  /** Transactions and commits that failed and will be retried, by kind. */
  readonly failures: Counter<'what'>;
  /** Duration in seconds of commits to the lake that had rows. */
  readonly commit: Histogram;
  readonly lakeRows: Counter;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
export const OUTCOMES = ['kept', ...DROPS, 'forgotten'] as const;

/**
 * Registers the metrics. Every series exists from the start, so that its first event shows as a rise.
 * @param shardsNow returns how many shards this process holds at the moment
 */
export function createIngestMetrics(registry: Registry, pool: Queryable, shardsNow: () => number): IngestMetrics {
  const registers = [registry];
  registerStateGauges(registry, () => INGEST_STATE.read(pool), INGEST_STATE.gauges);
  const shards: Gauge = new Gauge({
    name: 'attune_ingest_shards',
    help: 'Shards that this process ingests',
    registers,
    collect: () => shards.set(shardsNow()),
  });
  const metrics = {
    events: new Counter({
      name: 'attune_ingest_events_total',
      help: 'Events ingested, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    setAside: new Counter({
      name: 'attune_ingest_set_aside_total',
      help: 'Requests of the tag that could not be ingested and were set aside',
      registers,
    }),
    goalsSkipped: new Counter({
      name: 'attune_ingest_goals_skipped_total',
      help: 'Matches of page views with url goals that were skipped because the patterns of their site take too long',
      registers,
    }),
    transaction: new Histogram({
      name: 'attune_ingest_transaction_seconds',
      help: 'Time of a transaction of the ingest',
      buckets: SECONDS,
      registers,
    }),
    failures: new Counter({
      name: 'attune_ingest_failures_total',
      help: 'Ingest work that failed and will be tried again',
      labelNames: ['what'],
      registers,
    }),
    commit: new Histogram({
      name: 'attune_lake_commit_seconds',
      help: 'Time of a commit to the lake',
      buckets: SECONDS,
      registers,
    }),
    lakeRows: new Counter({ name: 'attune_lake_rows_total', help: 'Rows that went into the lake', registers }),
  } satisfies IngestMetrics;
  for (const outcome of OUTCOMES) metrics.events.inc({ outcome }, 0);
  for (const what of ['batch', 'settle', 'session', 'lake']) metrics.failures.inc({ what }, 0);
  return metrics;
}
