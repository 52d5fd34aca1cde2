/** A batch that uses too much CPU time is split into smaller ones, down to the request at fault. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createEnricher, type Enricher } from '../../../loops/ingest/enrich/index.ts';
import { IngestLoop } from '../../../loops/ingest/ingestLoop.ts';
import { createIngestMetrics } from '../../../loops/ingest/metrics.ts';
import { SiteRulesCache } from '../../../loops/ingest/siteRulesCache.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { addSite, collect, event, isIngested, request } from './support/inbox.ts';

const BUDGET_MS = 300;
const COSTLY = 'costly';
const DEAR = 'dear';

let database: TestDatabase;
let lane: IngestLoop;

/** Uses twice the CPU budget of a batch for the user agent {@link COSTLY}, and a third of it for {@link DEAR}. */
async function costlyEnricher(): Promise<Enricher> {
  const enricher = await createEnricher({ cityDatabase: null, dataCentres: null });
  const costs: Record<string, number> = { [COSTLY]: 2 * BUDGET_MS, [DEAR]: BUDGET_MS / 3 };
  return {
    ...enricher,
    robotOf(userAgent, ip, rules) {
      const before = process.threadCpuUsage();
      const usedMs = (): number => {
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      };
      while (usedMs() < (costs[userAgent] ?? 0));
      return enricher.robotOf(userAgent, ip, rules);
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  lane = new IngestLoop({
    pool: database.pool,
    logger: createLogger('ingest', 'silent'),
    metrics: createIngestMetrics(new Registry(), database.pool, () => 0),
    sites: new SiteRulesCache(database.pool, () => undefined),
    enricher: await costlyEnricher(),
    onStaged: () => undefined,
    batchBudgetMs: BUDGET_MS,
  });
});
afterAll(async () => {
  await lane?.close();
  await database?.drop();
});

it('a request that alone exceeds the budget of a batch is set aside, and all others are ingested', async () => {
  const siteId = await addSite(database.pool);
  const fatal = randomUUID();
  const of = (userAgent: string, visitorId = randomUUID()) => request(siteId, [event()], { userAgent, visitorId });
  await collect(database.pool, [
    ...Array.from({ length: 6 }, () => of(DEAR)),
    of(COSTLY, fatal),
    ...Array.from({ length: 6 }, () => of(DEAR)),
  ]);
  lane.start();
  await eventually(() => isIngested(database.pool), 'the inbox empty');
  const aside = await database.pool.query('select visitor_id, error from collect_failed');
  expect(aside.rows).toEqual([{ visitor_id: fatal, error: 'OverBudget' }]);
  const visits = await database.pool.query('select 1 from site_visits where site_id = $1', [siteId]);
  expect(visits.rowCount).toBe(12);
});
