/** Gauges of the pool, pending work and failing webhooks, read when Prometheus scrapes. */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { readQueueDepth } from '../db/installation/serviceReports.ts';
import {
  INGEST_STATE,
  LAKE_STATE,
  OUTBOX_STATE,
  SERVER_STATE,
  TRAINING_STATE,
  type DatabaseState,
} from '../db/installation/waitingWorkGauges.ts';
import { countTroubledWebhooks, type WebhookTroubles } from '../db/webhooks/troubledWebhooks.ts';
import { nullOnTimeout } from '../platform/process/concurrency/nullOnTimeout.ts';
import { registerStateGauges, SCRAPE_TIMEOUT_MS } from '../platform/process/metrics/stateGauges.ts';

/** Beyond this a queue is "very long", and counting it would be expensive. */
const DEPTH_CAP = 100_000;

export function registerDatabaseMetrics(registry: Registry, pool: pg.Pool): void {
  registry.registerMetric(connectionsOf(pool));
  registry.registerMetric(depthOf(pool));
  for (const gauge of troubleGauges(pool)) registry.registerMetric(gauge);
  const register = <T>({ read, gauges }: DatabaseState<T>): void =>
    registerStateGauges(registry, () => read(pool), gauges);
  register(OUTBOX_STATE);
  register(INGEST_STATE);
  register(LAKE_STATE);
  register(TRAINING_STATE);
  register(SERVER_STATE);
}

function connectionsOf(pool: pg.Pool): Gauge {
  return new Gauge({
    name: 'attune_database_connections',
    help: 'Connections of the pool by state; waiting counts requests for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

function depthOf(pool: pg.Pool): Gauge {
  return new Gauge({
    name: 'attune_queue_depth',
    help: `Work left, by queue, counted up to ${DEPTH_CAP}; no series when the database does not answer`,
    labelNames: ['queue'],
    registers: [],
    async collect() {
      this.reset();
      const depth = await nullOnTimeout(readQueueDepth(pool, DEPTH_CAP), SCRAPE_TIMEOUT_MS);
      if (!depth) return;
      this.set({ queue: 'outbox' }, depth.outbox);
      this.set({ queue: 'items' }, depth.unfinishedItems);
      this.set({ queue: 'deliveries' }, depth.undelivered);
    },
  });
}

/**
 * Reads these gauges from the database instead of the process that makes the attempts, so that a killed worker leaves
 * no wrong value behind. Both share one query: a scrape collects all gauges at once, and the second one gets the result
 * of the first.
 */
function troubleGauges(pool: pg.Pool): [failing: Gauge, overBacklog: Gauge] {
  let asked: Promise<WebhookTroubles | null> | null = null;
  const troubles = (): Promise<WebhookTroubles | null> =>
    (asked ??= nullOnTimeout(countTroubledWebhooks(pool), SCRAPE_TIMEOUT_MS).finally(() => {
      asked = null;
    }));
  return [failingGauge(troubles), overBacklogGauge(troubles)];
}

function failingGauge(ask: () => Promise<WebhookTroubles | null>): Gauge {
  return new Gauge({
    name: 'attune_webhooks_failing',
    help: 'Enabled webhooks that have had no 2xx for this long (those of 24h are also in 1h); no series when the database does not answer',
    labelNames: ['for'],
    registers: [],
    async collect() {
      this.reset();
      const troubles = await ask();
      if (!troubles) return;
      this.set({ for: '1h' }, troubles.failing1h);
      this.set({ for: '24h' }, troubles.failing24h);
    },
  });
}

function overBacklogGauge(ask: () => Promise<WebhookTroubles | null>): Gauge {
  const gauge = new Gauge({
    name: 'attune_webhooks_over_backlog',
    help: 'Webhooks whose new events are dropped, because too many are undelivered; no series when the database does not answer',
    registers: [],
    async collect() {
      const troubles = await ask();
      if (troubles) gauge.set(troubles.overBacklog);
      else gauge.remove();
    },
  });
  return gauge;
}
