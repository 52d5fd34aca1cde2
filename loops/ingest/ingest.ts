/** The ingest process: loops that process shards, and the periodic commits to the lake. */
import type { Registry } from 'prom-client';
import { createPool } from '../../db/pool.ts';
import { writeServiceReport } from '../../db/installation/serviceReports.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import { openLake, type LakeSettings } from '../../reports/lake/index.ts';
import { createEnricher, type EnrichOptions } from './enrich/index.ts';
import type { BatchDeps } from './ingestBatch.ts';
import { IngestLoop } from './ingestLoop.ts';
import { PeriodicLakeCommits } from './periodicLakeCommits.ts';
import { createIngestMetrics, type IngestMetrics } from './metrics.ts';
import { followChanges, SiteRulesCache } from './siteRulesCache.ts';

export interface IngestSettings {
  databaseUrl: string;
  lake: LakeSettings;
  enrich: EnrichOptions;
  /** Number of sessions that ingest concurrently: while one waits for PostgreSQL, another folds. */
  loops: number;
  lakeCommitMs: number;
}

/** Connections besides those of the loops: site settings, commits to the lake, metrics. */
const OTHER_CONNECTIONS = 4;
/** Longest time for which the report of an ended process stays valid after a restart with other settings. */
const REPORT_MS = 60_000;

/**
 * @throws when a list or database of the enrichment cannot be read; PostgreSQL and the lake may become available later
 */
export async function startIngest(
  settings: IngestSettings,
  logger: Logger,
  registry: Registry,
  onFaultPoint?: BatchDeps['onFaultPoint'],
): Promise<RunningProcess> {
  const enricher = await createEnricher(settings.enrich);
  const pool = createPool({
    databaseUrl: settings.databaseUrl,
    size: settings.loops + OTHER_CONNECTIONS,
    applicationName: 'attune-ingest',
    looksUpByIndex: true,
  });
  const loops: IngestLoop[] = [];
  const shards = (): number[] => loops.flatMap((loop) => loop.shards);
  const metrics = createIngestMetrics(registry, pool, () => shards().length);
  const sites = new SiteRulesCache(pool, reportSkippedGoals(metrics, logger));
  const listener = followChanges(sites, settings.databaseUrl, logger);
  const commits = new PeriodicLakeCommits({
    pool,
    logger,
    metrics,
    everyMs: settings.lakeCommitMs,
    openLake: () => openLake(settings.lake),
    shards,
  });
  const deps = {
    pool,
    logger,
    metrics,
    sites,
    enricher,
    onStaged: (rows: number) => commits.staged(rows),
    ...(onFaultPoint && { onFaultPoint }),
  };
  loops.push(...Array.from({ length: settings.loops }, () => new IngestLoop(deps)));
  for (const loop of loops) loop.start();
  // Reports by city say whether cities are determined at all, and only this process has the city database.
  const reporting = repeat(REPORT_MS, logger, 'service report', () =>
    writeServiceReport(pool, 'ingest', { cityDatabase: settings.enrich.cityDatabase !== null }),
  );
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()));
      await commits.close();
      await listener.close();
      await reporting.close();
      await pool.end();
      enricher.close();
    },
  };
}

const LOG_INTERVAL_MS = 60_000;

/** Counts every skipped goal, and logs the site of one of them at most once a minute. */
function reportSkippedGoals({ goalsSkipped }: IngestMetrics, logger: Logger): (siteId: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (siteId) => {
    goalsSkipped.inc();
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    logger.warn({ siteId }, 'the url goals of a site take too long: page views are not matched with all of them');
  };
}
