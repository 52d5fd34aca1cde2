/** Gauges of the pool and of the work that is left, read when Prometheus asks. */
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { readQueueDepth, type QueueDepth } from '../db/serviceReports.ts';

/** Beyond this a queue is "very long", and counting it would be work of its own. */
const DEPTH_CAP = 100_000;
const SCRAPE_TIMEOUT_MS = 2_000;

export function registerDatabaseMetrics(registry: Registry, pool: pg.Pool): void {
  registry.registerMetric(connectionsOf(pool));
  registry.registerMetric(depthOf(pool));
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
    help: `Work that is left by queue, counted up to ${DEPTH_CAP}; no series when the database does not answer`,
    labelNames: ['queue'],
    registers: [],
    async collect() {
      this.reset();
      const depth = await depthInTime(pool);
      if (!depth) return;
      this.set({ queue: 'outbox' }, depth.outbox);
      this.set({ queue: 'items' }, depth.unfinishedItems);
      this.set({ queue: 'deliveries' }, depth.undelivered);
    },
  });
}

async function depthInTime(pool: pg.Pool): Promise<QueueDepth | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SCRAPE_TIMEOUT_MS);
  });
  const depth = readQueueDepth(pool, DEPTH_CAP).catch(() => null);
  const answer = await Promise.race([depth, timeout]);
  clearTimeout(timer);
  return answer;
}
