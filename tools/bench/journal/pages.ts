/** Measures pages of the journal: every kind of filter, from the first page and from the middle. */
import type pg from 'pg';
import {
  listDeliveries,
  readDelivery,
  type JournalFilter,
  type JournalPosition,
} from '../../../db/webhooks/deliveries/journal.ts';
import type { Queryable } from '../../../db/pool.ts';
import { MAX_ATTEMPTS } from '../../../domain/webhooks/retrySchedule.ts';
import { percentile, type Figure } from '../support/report.ts';
import { projectOf, webhookIdOf, WEBHOOKS } from './fill.ts';

const PAGE = 101;
const TIMES = 20;
const DAY_MS = 86_400_000;
const AIM = '< 50';

interface JournalQuery {
  name: string;
  webhook: number;
  filter: JournalFilter;
}

function journalQueries(now: number): JournalQuery[] {
  const week = { since: new Date(now - 20 * DAY_MS), until: new Date(now - 13 * DAY_MS) };
  const of =
    (webhook: number) =>
    (name: string, filter: JournalFilter): JournalQuery => ({ name, webhook, filter });
  const largest = of(WEBHOOKS.largest);
  return [
    largest('everything', {}),
    largest('status delivered', { status: 'delivered' }),
    largest('status failed', { status: 'failed' }),
    largest('status dropped', { status: 'dropped' }),
    largest('status pending', { status: 'pending' }),
    largest('event item.failed', { event: 'item.failed' }),
    largest('event webhook.test', { event: 'webhook.test' }),
    largest('a week', week),
    largest('a week, failed', { ...week, status: 'failed' }),
    largest('a week, item.failed, dropped', { ...week, event: 'item.failed', status: 'dropped' }),
    largest('an item with 100,000 deliveries', { itemId: 'popular' }),
    largest('an item with 100,000 deliveries, failed, a week', { ...week, itemId: 'popular', status: 'failed' }),
    largest('an item with 100,000 deliveries, its tests', { itemId: 'popular', event: 'webhook.test' }),
    largest('an item with one delivery', { itemId: 'once' }),
    largest('an item with no delivery', { itemId: 'nowhere' }),
    largest('error timeout', { errorCode: 'timeout' }),
    largest('error tls, which does not occur', { errorCode: 'tls' }),
    largest('an item with 100,000 deliveries, error connection', { itemId: 'popular', errorCode: 'connection' }),
    of(WEBHOOKS.withoutFailedItems)('event item.failed, which does not occur', { event: 'item.failed' }),
    of(WEBHOOKS.oldFailures)('status failed, all at the old end', { status: 'failed' }),
    of(WEBHOOKS.disabledLately)('status delivered behind six days of dropped', { status: 'delivered' }),
    of(WEBHOOKS.disabledLately)('status failed behind six days of dropped', { status: 'failed' }),
    of(WEBHOOKS.failingLately)('status delivered behind six days of failed', { status: 'delivered' }),
    of(WEBHOOKS.smallest)('everything of the smallest webhook', {}),
  ];
}

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const rowsOf = (plan: Plan): number =>
  (plan.Plans ?? []).reduce(
    (sum, child) => sum + rowsOf(child),
    plan['Relation Name'] === 'deliveries'
      ? plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0))
      : 0,
  );

async function rowsRead(pool: pg.Pool, query: JournalQuery, before: JournalPosition | null): Promise<number> {
  let read = Number.NaN;
  const explain = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      );
      if (rows[0]) read = rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    },
  } as unknown as Queryable;
  await page(explain, query, before);
  return read;
}

function page(
  pool: Queryable,
  { webhook, filter }: JournalQuery,
  before: JournalPosition | null,
): ReturnType<typeof listDeliveries> {
  return listDeliveries(pool, projectOf(webhook), webhookIdOf(webhook), { ...filter, ...(before && { before }) }, PAGE);
}

interface Timed {
  name: string;
  worst: number;
  rows: number;
}

/** Measures one kind of page; the 99th percentile of 20 is the slowest of them. */
async function time(pool: pg.Pool, query: JournalQuery, before: JournalPosition | null): Promise<Timed> {
  await page(pool, query, before);
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    await page(pool, query, before);
    times.push(performance.now() - start);
  }
  return {
    name: `${query.name}, ${before ? 'from the middle' : 'first page'}`,
    worst: percentile(times, 99),
    rows: await rowsRead(pool, query, before),
  };
}

async function timeOne(pool: pg.Pool): Promise<number> {
  const [entry] = await page(pool, { name: '', webhook: WEBHOOKS.largest, filter: { status: 'failed' } }, null);
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const start = performance.now();
    const detail = await readDelivery(
      pool,
      projectOf(WEBHOOKS.largest),
      webhookIdOf(WEBHOOKS.largest),
      entry?.deliveryId ?? '',
    );
    times.push(performance.now() - start);
    if (detail?.attempts.length !== MAX_ATTEMPTS) throw new Error('a failed delivery should have all attempts');
  }
  return percentile(times, 99);
}

/** @throws when a kind of filter does not find the rows that were made for it */
export async function measurePages(pool: pg.Pool): Promise<Figure[]> {
  const now = Date.now();
  const middle: JournalPosition = {
    createdAt: new Date(now - 15 * DAY_MS).toISOString(),
    deliveryId: '00000000-0000-7000-8000-000000000000',
  };
  const timed: Timed[] = [];
  for (const query of journalQueries(now))
    for (const before of [null, middle]) timed.push(await time(pool, query, before));
  const most = timed.reduce((a, b) => (a.rows >= b.rows ? a : b));
  return [
    ...timed.map(({ name, worst }) => ({ name, value: worst, unit: 'ms, p99 of 20', aim: AIM })),
    { name: `most rows that a page of ${PAGE} read (${most.name})`, value: most.rows, unit: 'rows', aim: '< 2000' },
    { name: 'one delivery with all its attempts', value: await timeOne(pool), unit: 'ms, p99 of 20', aim: AIM },
  ];
}
