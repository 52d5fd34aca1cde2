/** Visits and days around unusual clock changes. All data goes through intake, ingest and lake. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Report, ReportSite } from '../../../reports/reportRequest.ts';
import { History } from '../support/history.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let history: History;

beforeAll(async () => {
  history = await History.open();
});
afterAll(async () => {
  await history?.close();
});

/** Creates a site with a visit of one page view at each of these moments. */
async function siteOf(timezone: string, moments: readonly string[]): Promise<ReportSite> {
  const site = await history.addSite({ timezone });
  for (const moment of moments) await history.tell(site, randomUUID(), [{ at: Date.parse(moment) }]);
  await history.settled();
  return site;
}

const rowsOf = ({ data }: Report): unknown[] => data.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

describe('a visit over midnight', () => {
  let site: ReportSite;
  const midnight = Date.parse('2026-01-15T21:00:00Z');

  beforeAll(async () => {
    site = await history.addSite({ goals: [{ code: 'lead', title: 'Lead', type: 'js', match: null, value: null }] });
    await history.tell(site, randomUUID(), [
      { at: midnight - 10 * MINUTE, url: 'https://shop.example/before' },
      { at: midnight + 5 * MINUTE, url: 'https://shop.example/after' },
      { at: midnight + 6 * MINUTE, type: 'goal', name: 'lead' },
    ]);
    await history.settled();
  });

  // proves: report/dates
  // proves: decisions-analytics/period-visits
  it('belongs to the day on which it began, with all of its page views', async () => {
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ['date'],
          metrics: ['visits', 'pageviews', 'unique_pageviews', 'avg_visit_duration'],
        }),
      ),
    ).toEqual([['2026-01-15', 1, 2, 2, 960]]);
    expect(
      (await history.report(site, { dimensions: ['page_path'], metrics: ['pageviews'], date_from: '2026-01-16' })).data,
    ).toEqual([]);
  });

  // proves: decisions-analytics/period-facts, decisions-analytics/rates, report-rules/zero
  it('has conversions that belong to their own day', async () => {
    expect(
      rowsOf(
        await history.report(site, { dimensions: ['date'], metrics: ['visits', 'conversions', 'conversion_rate'] }),
      ),
    ).toEqual([
      ['2026-01-15', 1, 0, 1],
      ['2026-01-16', 0, 1, 0],
    ]);
    expect(
      (await history.report(site, { dimensions: [], metrics: ['conversions', 'visits'], date_from: '2026-01-16' }))
        .totals,
    ).toEqual([1, 0]);
  });
});

describe('at the change to winter time', () => {
  let site: ReportSite;
  const day = { date_from: '2025-10-26', date_to: '2025-10-26' };

  beforeAll(async () => {
    // 02:30 summer time, 02:30 winter time, and the last minute of a day of 25 hours.
    site = await siteOf('Europe/Berlin', [
      '2025-10-26T00:30:00Z',
      '2025-10-26T01:30:00Z',
      '2025-10-26T22:59:00Z',
      '2025-10-26T23:00:00Z',
      '2025-10-25T21:59:59.999Z',
    ]);
  });

  it('both hours with the same name are one row', async () => {
    expect(rowsOf(await history.report(site, { ...day, dimensions: ['hour'], metrics: ['visits'] }))).toEqual([
      ['02', 2],
      ['23', 1],
    ]);
    expect(rowsOf(await history.report(site, { ...day, dimensions: ['date_hour'], metrics: ['visits'] }))).toEqual([
      ['2025-10-26T02:00:00', 2],
      ['2025-10-26T23:00:00', 1],
    ]);
  });

  // proves: report/dates, report/timezone
  // proves: report-rules/period
  it('the day has its real length, to the millisecond, and the report names its time zone', async () => {
    const report = await history.report(site, {
      date_from: '2025-10-25',
      date_to: '2025-10-27',
      dimensions: ['date'],
      metrics: ['visits'],
    });
    expect(rowsOf(report)).toEqual([
      ['2025-10-25', 1],
      ['2025-10-26', 3],
      ['2025-10-27', 1],
    ]);
    expect(report.timezone).toBe('Europe/Berlin');
  });

  // proves: report-rules/duration
  it('a visit across it has its real duration', async () => {
    const other = await history.addSite({ timezone: 'Europe/Berlin' });
    const start = Date.parse('2025-10-26T00:50:00Z');
    await history.tell(other, randomUUID(), [{ at: start }, { at: start + 20 * MINUTE }]);
    await history.settled();
    expect(
      rowsOf(
        await history.report(other, {
          ...day,
          dimensions: ['hour'],
          metrics: ['avg_visit_duration', 'avg_time_on_page'],
        }),
      ),
    ).toEqual([['02', 1200, 600]]);
  });
});

describe('a day', () => {
  // In Cairo clocks jumped from 23:59:59 to 01:00 on 25 April 2025.
  // proves: report-rules/period
  it('begins with its first instant if it has no midnight', async () => {
    const site = await siteOf('Africa/Cairo', [
      '2025-04-24T21:59:59.999Z',
      '2025-04-24T22:00:00Z',
      '2025-04-25T20:59:59Z',
      '2025-04-25T21:00:00Z',
    ]);
    expect(
      rowsOf(
        await history.report(site, {
          date_from: '2025-04-25',
          date_to: '2025-04-25',
          dimensions: ['date_hour'],
          metrics: ['visits'],
        }),
      ),
    ).toEqual([
      ['2025-04-25T01:00:00', 1],
      ['2025-04-25T23:00:00', 1],
    ]);
    expect((await history.report(site, { date_from: '2025-04-24', date_to: '2025-04-24' })).totals).toEqual([1]);
    expect((await history.report(site, { date_from: '2025-04-26', date_to: '2025-04-26' })).totals).toEqual([1]);
  });

  it('ends with its last instant if midnight comes twice', async () => {
    // In Beirut clocks went back from midnight to 23:00 on 25 October 2025.
    const site = await siteOf('Asia/Beirut', ['2025-10-25T20:30:00Z', '2025-10-25T21:30:00Z', '2025-10-25T22:00:00Z']);
    expect(
      rowsOf(
        await history.report(site, {
          date_from: '2025-10-25',
          date_to: '2025-10-26',
          dimensions: ['date', 'hour'],
          metrics: ['visits'],
        }),
      ),
    ).toEqual([
      ['2025-10-25', '23', 2],
      ['2025-10-26', '00', 1],
    ]);
  });

  // proves: decisions-analytics/time-labels, report-rules/period
  it('belongs to the ISO week, the quarter and the year of its date at the site', async () => {
    const site = await siteOf('Pacific/Auckland', [
      '2025-12-28T10:59:00Z',
      '2025-12-28T11:00:00Z',
      '2025-12-31T11:00:00Z',
    ]);
    const period = { date_from: '2025-12-01', date_to: '2026-01-31' };
    expect(rowsOf(await history.report(site, { ...period, dimensions: ['week'], metrics: ['visits'] }))).toEqual([
      ['2025-W52', 1],
      ['2026-W01', 2],
    ]);
    expect(
      rowsOf(
        await history.report(site, { ...period, dimensions: ['quarter', 'year', 'day_of_week'], metrics: ['visits'] }),
      ),
    ).toEqual([
      ['2025-Q4', '2025', '1', 1],
      ['2025-Q4', '2025', '7', 1],
      ['2026-Q1', '2026', '4', 1],
    ]);
  });
});

it('an open visit counts, and so do its conversions once they are in the lake', async () => {
  const site = await history.addSite({
    timezone: 'UTC',
    goals: [{ code: 'lead', title: 'Lead', type: 'js', match: null, value: null }],
  });
  const now = Date.now();
  await history.tell(site, randomUUID(), [{ at: now - MINUTE }, { at: now, type: 'goal', name: 'lead' }]);
  await history.settled();
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const { totals } = await history.report(site, {
    date_from: day(now - HOUR),
    date_to: day(now),
    metrics: ['visits', 'pageviews', 'conversions', 'bounces'],
  });
  expect(totals).toEqual([1, 1, 1, 0]);
});
