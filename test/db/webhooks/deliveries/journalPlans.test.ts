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

interface Entry {
  id: string;
  status: string;
  event: string;
  item_id: string;
  error_code: string | null;
  /** Microseconds since 1970. */
  at: number;
}

/** Returns all entries of a webhook, newest first. */
async function readEntries(webhook: number): Promise<Entry[]> {
  const { rows } = await client.query<Entry>(
    `select id, status, event, item_id, error_code, (extract(epoch from created_at) * 1000000)::float8 as at
       from deliveries where webhook_id = $1`,
    [webhookIdOf(webhook)],
  );
  return rows.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

/**
 * Returns the same page by looking at every entry. It does so here and not in SQL, because for thousands of filters
 * PostgreSQL would take most of the time of this file.
 */
function pageOf(entries: readonly Entry[], filter: JournalFilter): string[] {
  const { status, event, itemId, errorCode, since, until, before } = filter;
  const micros = (time: Date | string): number => new Date(time).getTime() * 1_000;
  const isAdmitted = (entry: Entry): boolean =>
    (status === undefined || entry.status === status) &&
    (event === undefined || entry.event === event) &&
    (itemId === undefined || entry.item_id === itemId) &&
    (errorCode === undefined || entry.error_code === errorCode) &&
    (since === undefined || entry.at >= micros(since)) &&
    (until === undefined || entry.at < micros(until)) &&
    (before === undefined || isBefore(entry, micros(before.createdAt), before.deliveryId));
  return entries
    .filter(isAdmitted)
    .slice(0, PAGE)
    .map(({ id }) => id);
}

const isBefore = (entry: Entry, at: number, id: string): boolean => entry.at < at || (entry.at === at && entry.id < id);

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
    const entries = await readEntries(WEBHOOKS.failingLately);
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
        page: pageOf(entries, filter),
      });
      shown += page.length;
    }
    expect(shown).toBeGreaterThan(1_000);
  });

  it.each<[string, number, JournalFilter]>([
    ['failures that are the oldest entries', WEBHOOKS.oldFailures, { status: 'failed' }],
    ['deliveries older than days of dropped ones', WEBHOOKS.disabledLately, { status: 'delivered' }],
    ['failures older than days of dropped ones', WEBHOOKS.disabledLately, { status: 'failed' }],
    ['deliveries older than days of failures', WEBHOOKS.failingLately, { status: 'delivered' }],
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
