/** Sites with almost no data, and values of extreme size or form. All data goes through intake, ingest and lake. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Report, ReportSite } from '../../../reports/reportRequest.ts';
import { History } from '../support/history.ts';

const AT = Date.parse('2026-01-15T09:00:00Z');

let history: History;

beforeAll(async () => {
  history = await History.open();
});
afterAll(async () => {
  await history?.close();
});

const rowsOf = ({ data }: Report): unknown[] => data.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

it('a site without data has no rows, and totals of zero', async () => {
  const site = await history.addSite();
  for (const dimensions of [['date'], ['page_path'], ['goal'], ['country', 'device_type']]) {
    const { data, totals, rows } = await history.report(site, {
      dimensions,
      metrics: ['visits', 'bounce_rate', 'pageviews'],
    });
    expect({ data, totals, rows }).toEqual({ data: [], totals: [0, 0, 0], rows: 0 });
  }
  const { totals, notes } = await history.report(site, {
    dimensions: ['order_currency'],
    metrics: ['revenue', 'avg_order_value', 'orders', 'buyers'],
  });
  expect({ totals, notes }).toEqual({ totals: [0, 0, 0, 0], notes: undefined });
});

it('one visit with one page view counts as one', async () => {
  const site = await history.addSite();
  await history.tell(site, randomUUID(), [
    { at: AT, url: 'https://shop.example/a/b?c', title: 'A', referrer: 'https://www.google.com/' },
  ]);
  await history.settled();
  const { data, totals } = await history.report(site, {
    dimensions: ['date', 'page_path', 'source_type', 'visitor_type', 'bounce'],
    metrics: [
      'visits',
      'visitors',
      'new_visitors',
      'pageviews',
      'pages_per_visit',
      'bounce_rate',
      'avg_visit_duration',
      'entrances',
      'exits',
      'visits_per_day',
    ],
  });
  expect(data).toEqual([{ dimensions: ['2026-01-15', '/a/b', 'organic', 'new', 'yes'], metrics: totals }]);
  expect(totals.slice(0, 9)).toEqual([1, 1, 1, 1, 1, 1, 0, 1, 1]);
  expect(totals[9]).toBeCloseTo(1 / 31, 12);
});

it('400 conversions in a visit count as 400 conversions and one converted visit', async () => {
  const site = await history.addSite({ goals: [{ code: 'lead', title: 'Lead', type: 'js', match: null, value: 0.1 }] });
  const visitor = randomUUID();
  await history.tell(site, visitor, [{ at: AT }]);
  for (let part = 0; part < 10; part += 1) {
    await history.tell(
      site,
      visitor,
      Array.from({ length: 40 }, (_, index) => ({
        at: AT + 1000 * (40 * part + index + 1),
        type: 'goal' as const,
        name: 'lead',
      })),
    );
  }
  await history.tell(site, randomUUID(), [{ at: AT }]);
  await history.settled();
  const { data, totals } = await history.report(site, {
    dimensions: ['goal'],
    metrics: [
      'conversions',
      'converted_visits',
      'converted_visitors',
      'conversion_rate',
      'visitor_conversion_rate',
      'conversion_value',
      'value_per_conversion',
      'visits',
      'conversions:lead',
    ],
  });
  expect(data).toEqual([
    { dimensions: [{ id: 'lead', name: 'Lead' }], metrics: [400, 1, 1, 0.5, 0.5, 40, 0.1, 1, 400] },
  ]);
  expect(totals).toEqual([400, 1, 1, 0.5, 0.5, 40, 0.1, 1, 400]);
});

describe('values', () => {
  let site: ReportSite;
  const long = `/${'яблоко/'.repeat(40)}`;
  const longUrl = `https://shop.example/${'x'.repeat(2048 - 'https://shop.example/'.length)}`;
  const value = '🫖'.repeat(500);
  const exploding = `https://shop.example/${'a'.repeat(2000)}!`;

  beforeAll(async () => {
    site = await history.addSite();
    const visitor = randomUUID();
    await history.tell(site, visitor, [
      { at: AT, url: `https://shop.example${long}`, title: 'Чай «Ёлка» 🫖', params: { план: value, "it's": 'x' } },
      { at: AT + 1000, url: longUrl, title: 'x'.repeat(1000) },
      { at: AT + 2000, url: exploding },
      { at: AT + 3000, type: 'event', name: 'Просмотр видео', params: { 'ключ с "кавычками"': 'да' } },
    ]);
    await history.settled();
  });

  it('can be an address of 2,048 characters', async () => {
    const { data } = await history.report(site, {
      dimensions: ['page_url'],
      metrics: ['pageviews'],
      filters: [{ dimension: 'page_url', op: 'eq', values: [longUrl] }],
    });
    expect(data).toEqual([{ dimensions: [longUrl], metrics: [1] }]);
  });

  it('can be titles and paths in any script, compared without case where specified', async () => {
    const { data } = await history.report(site, {
      dimensions: ['page_title', 'page_path_level1'],
      metrics: ['pageviews'],
      filters: [{ dimension: 'page_title', op: 'contains', values: ['ЧАЙ «ё'] }],
    });
    expect(data).toEqual([{ dimensions: ['Чай «Ёлка» 🫖', `/${encodeURIComponent('яблоко')}/`], metrics: [1] }]);
  });

  it('can be params of 500 characters outside the basic plane, under a key in any script', async () => {
    const request = { dimensions: ['visit_param:план'], metrics: ['visits'] };
    expect(rowsOf(await history.report(site, request))).toEqual([[value, 1]]);
    expect(
      rowsOf(
        await history.report(site, {
          ...request,
          filters: [{ dimension: 'visit_param:план', op: 'eq', values: [value] }],
        }),
      ),
    ).toEqual([[value, 1]]);
    expect(
      rowsOf(
        await history.report(site, {
          dimensions: ["visit_param:it's", 'event_param:ключ с "кавычками"'],
          metrics: ['visits'],
        }),
      ),
    ).toEqual([['x', 'да', 1]]);
  });

  it('and keys that contain SQL are treated as text', async () => {
    const evil = `'); drop table lake.visits; --`;
    expect(rowsOf(await history.report(site, { dimensions: [`visit_param:${evil}`], metrics: ['visits'] }))).toEqual([
      [null, 1],
    ]);
    expect(
      (
        await history.report(site, {
          dimensions: ['date'],
          filters: [{ dimension: 'country', op: 'in', values: [evil, '$1', '?'] }],
        })
      ).rows,
    ).toBe(0);
  });

  // Backtracking engines take practically forever.
  it.each(['(a+)+$', '^/(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'are found not to match the pattern %s, which would explode elsewhere',
    async (pattern) => {
      const { rows } = await history.report(site, {
        dimensions: ['page_path'],
        metrics: ['pageviews'],
        filters: [
          { dimension: 'page_path', op: 'regex', values: [pattern] },
          { dimension: 'page_path', op: 'contains', values: ['aaa!'] },
        ],
      });
      expect(rows).toBe(0);
    },
  );
});
