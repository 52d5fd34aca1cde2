/** Identities of people, and refunds. All data goes through intake, ingest and lake. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerFact } from '../../../tools/traffic/index.ts';
import type { Condition, Report, ReportSite } from '../../../reports/reportRequest.ts';
import { History } from '../support/history.ts';

const DAY = 86_400_000;
const AT = Date.parse('2026-01-15T09:00:00Z');

let history: History;

beforeAll(async () => {
  history = await History.open();
});
afterAll(async () => {
  await history?.close();
});

const rowsOf = ({ data }: Report): unknown[] => data.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

describe('a visitor who becomes a user', () => {
  let site: ReportSite;

  beforeAll(async () => {
    site = await history.addSite();
    const [phone, laptop, stranger] = [randomUUID(), randomUUID(), randomUUID()];
    await history.tell(site, phone, [{ at: AT }]);
    await history.tell(site, stranger, [{ at: AT }]);
    // Both devices log in on the next day.
    for (const visitor of [phone, laptop]) {
      await history.tell(site, visitor, [
        { at: AT + DAY },
        { at: AT + DAY + 1000, type: 'user', user: { user_id: 'u1', gender: 'female' } },
      ]);
    }
    await history.settled();
  });

  // proves: report-dimensions/audience, decisions-analytics/users
  it('is one person for the whole history', async () => {
    expect(
      rowsOf(await history.report(site, { dimensions: ['date'], metrics: ['visits', 'visitors', 'people', 'users'] })),
    ).toEqual([
      ['2026-01-15', 2, 2, 2, 0],
      ['2026-01-16', 2, 2, 1, 1],
    ]);
    expect((await history.report(site, { metrics: ['visits', 'visitors', 'people', 'users'] })).totals).toEqual([
      4, 3, 2, 1,
    ]);
  });

  it('has the known values for the whole history, too', async () => {
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['gender'],
          metrics: ['people', 'visits', 'people_share', 'undefined_share'],
        }),
      ),
    ).toEqual([
      ['female', 1, 3, 1, 0.5],
      [null, 1, 1, 0, 0.5],
    ]);
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['date', 'gender', 'logged_in'],
          metrics: ['visits'],
          filters: [{ dimension: 'gender', op: 'eq', values: ['female'] }],
        }),
      ),
    ).toEqual([
      ['2026-01-15', 'female', 'no', 1],
      ['2026-01-16', 'female', 'yes', 2],
    ]);
  });
});

describe('refunds', () => {
  let site: ReportSite;
  const visitor = randomUUID();

  const order = (
    id: string,
    at: number,
    given: Partial<Extract<ServerFact, { kind: 'order' }>['record']>,
  ): ServerFact => ({
    kind: 'order',
    at,
    record: {
      transaction_id: id,
      currency: 'RUB',
      visitor_id: visitor,
      occurred_at: new Date(at).toISOString(),
      status: 'purchased',
      ...given,
    },
  });

  beforeAll(async () => {
    site = await history.addSite({ rates: { USD: 80 } });
    await history.tell(site, visitor, [{ at: AT }]);
    await history.settled();
    await history.takeFacts(site, [
      order('full', AT, { revenue: 1000.5 }),
      order('part', AT, { revenue: 500 }),
      order('dollars', AT, { revenue: 10, currency: 'USD' }),
      order('yen', AT, { revenue: 9, currency: 'JPY' }),
      order('full', AT + 30 * DAY, { status: 'refunded' }),
      order('part', AT + 30 * DAY, { status: 'refunded', revenue: 100 }),
      order('yen', AT + 200 * DAY, { status: 'refunded' }),
    ]);
    await history.settled();
  });

  const metrics = ['orders', 'revenue', 'gross_revenue', 'refunds', 'refund_revenue', 'avg_order_value'];

  // proves: report-rules/net, report-rules/gross, report-rules/currency, decisions-analytics/refund-partial
  // proves: decisions-analytics/refund-full
  it('belong to the period in which they came; earlier periods do not change', async () => {
    expect((await history.report(site, { metrics })).totals).toEqual([4, 2300.5, 2300.5, 0, 0, 2300.5 / 3]);
    expect((await history.report(site, { metrics, date_from: '2026-02-01', date_to: '2026-02-28' })).totals).toEqual([
      -1, -1100.5, 0, 2, 1100.5, 1100.5,
    ]);
    expect((await history.report(site, { metrics, date_to: '2026-02-28' })).totals).toEqual([
      3, 1200, 2300.5, 2, 1100.5, 600,
    ]);
  });

  it('belong to the visit of their purchase, which began in another period', async () => {
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['date', 'browser'],
          metrics: ['refunds', 'visits'],
          date_from: '2026-02-01',
          date_to: '2026-02-28',
        }),
      ),
    ).toEqual([['2026-02-14', 'Firefox', 2, 0]]);
  });

  it('count however long ago the purchase was', async () => {
    const late = { date_from: '2026-07-01', date_to: '2026-08-31' };
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['browser', 'source_type'],
          metrics: ['refunds', 'product_refunded_quantity'],
          ...late,
        }),
      ),
    ).toEqual([['Firefox', 'direct', 1, 0]]);
    expect((await history.report(site, { metrics: ['refunds'], robots: 'only', ...late })).totals).toEqual([0]);
    expect(
      (
        await history.report(site, {
          metrics: ['refunds'],
          segment: { scope: 'visit', condition: { dimension: 'browser', op: 'eq', values: ['Firefox'] } },
          ...late,
        })
      ).totals,
    ).toEqual([1]);
  });

  it('count for their purchase in a report on its day, whenever they came', async () => {
    const lastRefund: Condition = { dimension: 'order_status', op: 'eq', values: ['refunded'] };
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['order_status'],
          metrics: ['visits'],
          filters: [{ dimension: 'order_status', op: 'eq', values: ['refunded'] }],
        }),
      ),
    ).toEqual([['refunded', 1]]);
    expect(
      (
        await history.report(site, {
          segment: { scope: 'visit', condition: { all: [lastRefund, { metric: 'refunds', op: 'eq', value: 3 }] } },
        })
      ).totals,
    ).toEqual([1]);
  });

  // proves: report/notes
  // proves: report-rules/no-rate
  it('and purchases without a rate get a note in a report on the money of their period, and in no other', async () => {
    const { notes } = await history.report(site, { metrics });
    expect(notes).toEqual([{ code: 'missing_rate', message: expect.stringContaining('rate') }]);
    expect(
      (await history.report(site, { metrics: ['orders', 'buyers', 'order_conversion_rate'] })).notes,
    ).toBeUndefined();
    expect(
      (await history.report(site, { metrics, date_from: '2026-02-01', date_to: '2026-02-28' })).notes,
    ).toBeUndefined();
  });
});
