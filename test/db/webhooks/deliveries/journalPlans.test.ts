import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { fillJournal, projectOf, webhookIdOf, WEBHOOKS } from '../../../../tools/bench/journal/fill.ts';
import { listDeliveries, type JournalFilter } from '../../../../db/webhooks/deliveries/journal.ts';
import type { Queryable } from '../../../../db/pool.ts';
import { SUBSCRIBABLE_EVENTS, TEST_EVENT } from '../../../../domain/webhooks/webhookRequest.ts';
import { DELIVERY_STATUSES } from '../../../../domain/webhooks/deliveryStates.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

const ROWS = 50_000;
const PAGE = 50;
/** A page plus one more row of each of the merged runs; a plan that reads too far reads hundreds. */
const MAX_ROWS = PAGE + 12;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, options: '-c enable_seqscan=off -c jit=off' });
  await client.connect();
  await fillJournal(
    {
      query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
        (await client.query<Row>(text, values)).rows,
    },
    ROWS,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Counts the rows of `deliveries` that the plan touched, including discarded ones. */
function rowsRead(plan: Plan): number {
  const own =
    plan['Relation Name'] === 'deliveries'
      ? plan['Actual Loops'] *
        (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0))
      : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

async function rowsReadFor(webhook: number, filter: JournalFilter): Promise<number> {
  let read = Number.NaN;
  const explain = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      );
      if (rows[0]) read = rowsRead(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    },
  } as unknown as Queryable;
  await listDeliveries(explain, projectOf(webhook), webhookIdOf(webhook), filter, PAGE);
  return read;
}

/** Returns the same page by sorting everything that the filter admits. */
async function sortedPage(webhook: number, filter: JournalFilter): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from deliveries
      where webhook_id = $1 and ($2::text is null or status = $2) and ($3::text is null or event = $3) and ($4::text is null or item_id = $4)
        and ($5::text is null or error_code = $5) and created_at >= coalesce($6::timestamptz, '-infinity') and created_at < coalesce($7::timestamptz, 'infinity')
        and ($8::timestamptz is null or (created_at, id) < ($8, $9::uuid))
      order by created_at desc, id desc limit ${PAGE}`,
    [
      webhookIdOf(webhook),
      filter.status,
      filter.event,
      filter.itemId,
      filter.errorCode,
      filter.since,
      filter.until,
      filter.before?.createdAt,
      filter.before?.deliveryId,
    ],
  );
  return rows.map(({ id }) => id);
}

/** Returns all choices for each part of the filter, including none. */
function choices(now: number): JournalFilter[][] {
  const middle = new Date(now - 15 * DAY_MS);
  return [
    [{}, ...DELIVERY_STATUSES.map((status) => ({ status }))],
    [{}, ...[...SUBSCRIBABLE_EVENTS, TEST_EVENT].map((event) => ({ event }) as JournalFilter)],
    [{}, ...['popular', 'once', 'nowhere'].map((itemId) => ({ itemId }))],
    [{}, { errorCode: 'timeout' }, { errorCode: 'tls' }],
    [{}, { since: middle, until: new Date(now - 14 * DAY_MS) }, { until: new Date(now - 29.5 * DAY_MS) }],
    [{}, { before: { createdAt: middle.toISOString(), deliveryId: '00000000-0000-7000-8000-000000000000' } }],
  ];
}

const combinations = (parts: JournalFilter[][]): JournalFilter[] =>
  parts.reduce<JournalFilter[]>(
    (all, part) => all.flatMap((filter) => part.map((choice) => ({ ...filter, ...choice }))),
    [{}],
  );

describe('a page of the journal', () => {
  it('reads little more than it shows, whatever the filter', async () => {
    const long: string[] = [];
    for (const filter of combinations(choices(Date.now()))) {
      const read = await rowsReadFor(WEBHOOKS.largest, filter);
      if (!(read <= MAX_ROWS)) long.push(`${JSON.stringify(filter)}: ${read}`);
    }
    expect(long).toEqual([]);
  });

  it('shows the newest entries that match the filter', async () => {
    let shown = 0;
    for (const filter of combinations(choices(Date.now()))) {
      const page = await listDeliveries(
        client as unknown as Queryable,
        projectOf(WEBHOOKS.failingLately),
        webhookIdOf(WEBHOOKS.failingLately),
        filter,
        PAGE,
      );
      expect({ filter, page: page.map(({ deliveryId }) => deliveryId) }).toEqual({
        filter,
        page: await sortedPage(WEBHOOKS.failingLately, filter),
      });
      shown += page.length;
    }
    expect(shown).toBeGreaterThan(1_000);
  });

  it.each<[string, number, JournalFilter]>([
    ['failures that are all at the old end', WEBHOOKS.oldFailures, { status: 'failed' }],
    ['deliveries behind days of dropped ones', WEBHOOKS.disabledLately, { status: 'delivered' }],
    ['failures behind days of dropped ones', WEBHOOKS.disabledLately, { status: 'failed' }],
    ['deliveries behind days of failures', WEBHOOKS.failingLately, { status: 'delivered' }],
    ['an event that does not occur', WEBHOOKS.withoutFailedItems, { event: 'item.failed' }],
    ['an error that does not occur', WEBHOOKS.failingLately, { errorCode: 'tls' }],
  ])('reads hardly any other rows for %s', async (_name, webhook, filter) => {
    const read = await rowsReadFor(webhook, filter);
    expect(read).toBeLessThanOrEqual(MAX_ROWS);
    const { rows } = await client.query<{ there: number }>(
      'select count(*)::int as there from deliveries where webhook_id = $1',
      [webhookIdOf(webhook)],
    );
    expect(rows[0]?.there).toBeGreaterThan(10 * MAX_ROWS);
  });
});
