/**
 * Sites whose traffic went through the real pipeline (judged as in POST /collect, ingested, settled, and copied to the
 * lake), and reports on them.
 */
import { insertClient } from '../../../db/accounts/clients.ts';
import { takeConversions, takeOrders, type SentOrder } from '../../../db/siteFacts/takeServerFacts.ts';
import { putGoal } from '../../../db/sites/goals.ts';
import { insertSite, updateSite } from '../../../db/sites/sites.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import type { RunOptions } from '../../../reports/job.ts';
import { runReport } from '../../../reports/run/runReport.ts';
import type { TagBatch, ServerFact } from '../../../tools/traffic/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { isInLake } from '../../loops/ingest/support/inbox.ts';
import { collectBatches, tellSite, type Told } from './tell.ts';

export interface HistorySite {
  timezone?: string;
  rates?: Record<string, number>;
  goals?: readonly Omit<Goal, 'enabled'>[];
}

/** No sampling, and rows of any number of people. */
const WHOLE: RunOptions = { language: 'en', sampled: false, lateEventHours: 24, audienceMinPeople: 1 };

export class History {
  readonly database: TestDatabase;
  readonly lake: TestLake;
  readonly #ingest: RunningProcess;

  private constructor(database: TestDatabase, lake: TestLake, ingest: RunningProcess) {
    this.database = database;
    this.lake = lake;
    this.#ingest = ingest;
  }

  static async open(): Promise<History> {
    const database = await createTestDatabase();
    const lake = await openTestLake(database.url, { threads: 2 });
    return new History(database, lake, await startTestIngest(database.url, lake.settings, { lakeCommitMs: 100 }));
  }

  async addSite({ timezone = 'Europe/Moscow', rates = {}, goals = [] }: HistorySite = {}): Promise<ReportSite> {
    const { pool } = this.database;
    const siteId = newTenantId();
    const currency = 'RUB';
    await insertSite(pool, {
      id: siteId,
      clientId: await insertClient(pool, 'Client'),
      title: 'Site',
      hosts: ['*'],
      timezone,
      currency,
    });
    await updateSite(pool, siteId, { rates });
    for (const goal of goals) await putGoal(pool, siteId, { ...goal, enabled: true });
    return { siteId, timezone, currency, rates, goals: goals.map(({ code, title }) => ({ code, title })) };
  }

  /** {@link tellSite} */
  async tell({ siteId }: ReportSite, visitorId: string, told: readonly Told[]): Promise<void> {
    await tellSite(this.database.pool, siteId, visitorId, told);
  }

  async collect(siteId: string, batches: readonly TagBatch[]): Promise<void> {
    await collectBatches(this.database.pool, siteId, batches);
  }

  /**
   * Takes facts from the site's server; the hits of their visitors must already be stored.
   * @throws when one is refused
   */
  async takeFacts({ siteId }: ReportSite, facts: readonly ServerFact[]): Promise<void> {
    const { pool } = this.database;
    for (const fact of facts) {
      const receivedAt = new Date(fact.at);
      const outcome =
        fact.kind === 'conversion'
          ? await takeConversions(pool, { siteId, receivedAt }, [
              {
                id: fact.record.id,
                goal: fact.record.goal,
                value: fact.record.value ?? null,
                ...subjectOf(fact.record),
              },
            ])
          : await takeOrders(pool, { siteId, receivedAt }, [orderOf(fact.record)]);
      if (outcome.rejected.length > 0) throw new Error(`refused: ${JSON.stringify([fact, outcome])}`);
    }
  }

  /** Waits until everything sent is in the lake, except open visits. */
  async settled(): Promise<void> {
    await eventually(() => isInLake(this.database.pool), 'everything in the lake');
  }

  report(site: ReportSite, request: Partial<ReportRequest>, options: Partial<RunOptions> = {}): Promise<Report> {
    return runReport(this.lake.lake, { ...PLAIN, ...request }, site, { ...WHOLE, ...options });
  }

  async close(): Promise<void> {
    await this.#ingest.close();
    await this.lake.close();
    await this.database.drop();
  }
}

const PLAIN: ReportRequest = {
  dimensions: [],
  metrics: ['visits'],
  date_from: '2026-01-01',
  date_to: '2026-01-31',
  filters: [],
  segment: null,
  attribution: 'last_significant',
  robots: 'exclude',
  sort: [],
  limit: 100,
  offset: 0,
};

type ServerRecord = ServerFact['record'];

function subjectOf({ visitor_id: visitorId, occurred_at: occurredAt }: ServerRecord): {
  visitorId: string;
  userId: null;
  occurredAt: Date;
} {
  return { visitorId, userId: null, occurredAt: new Date(occurredAt) };
}

function orderOf(record: Extract<ServerFact, { kind: 'order' }>['record']): SentOrder {
  const products =
    record.products?.map(({ id, name, category, brand, variant, price, qty }) => ({
      id,
      name,
      category,
      brand,
      variant: variant ?? null,
      price,
      qty,
    })) ?? null;
  return {
    transactionId: record.transaction_id,
    status: record.status,
    currency: record.currency,
    revenue: record.revenue ?? null,
    products,
    ...subjectOf(record),
  };
}
