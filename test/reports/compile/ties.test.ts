/**
 * Rows of equal means whose last digits differ where DOUBLEs are added and divided: they tie, and are ordered by
 * their dimensions.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FactRow, HitRow, VisitRow } from '../../../domain/reports/lakeRows.ts';
import { conversionRow, hitRow, orderLineRow, orderRow, visitRow } from '../../support/lake/lake.ts';
import { createWorld, type Prologue, type World } from './world.ts';

const DAYS = { pages: '2026-03-01', facts: '2026-03-02', people: '2026-03-03' } as const;
const noonOf = (day: string): number => Date.parse(`${day}T12:00:00Z`);

/** For each visit of a page: milliseconds on it, and percent scrolled. Means of 3 and of 0.7. */
const PAGES: Readonly<Record<string, readonly (readonly [ms: number, depth: number])[]>> = {
  '/a': [
    [3, 0.7],
    [3, 0.7],
    [3, 0.7],
  ],
  '/b': [[3, 0.7]],
  '/c': [
    [2, 0.1],
    [4, 1.3],
  ],
};
/** Amounts by goal, promo code and product: means of 0.1. */
const AMOUNTS = { a: [0.1, 0.1, 0.1], b: [0.1], c: [0.05, 0.15] } as const;
/**
 * Industries of people, the last of whom came on another day: without that person the shares of `few` and `many`
 * each exceed everybody's by a fifth.
 */
const INDUSTRIES = ['few', 'many', 'many', 'many', 'other', 'other'] as const;

let world: World;
const attributes: NonNullable<Prologue['attributes']>[number][] = [];

beforeAll(async () => {
  world = await createWorld();
  const seen = Object.entries(PAGES).flatMap(([path, views]) => views.map(([ms, depth]) => visitOf(path, ms, depth)));
  const facts = Object.entries(AMOUNTS).flatMap(([name, amounts]) =>
    amounts.map((amount) => ({ name, amount, visit: visitRow({ started_at: noonOf(DAYS.facts) }) })),
  );
  const ofVisit = ({ visit_id, visitor_id, started_at }: VisitRow): Partial<FactRow> => ({
    visit_id,
    visitor_id,
    visit_started_at: started_at,
    at: started_at,
  });
  const people = INDUSTRIES.map((_, index) =>
    visitRow({ started_at: noonOf(DAYS.people) + (index === 5 ? 86_400_000 : 0) }),
  );
  attributes.push(
    ...people.map(({ visitor_id }, index) => ({
      person: visitor_id,
      attribute: 'industry',
      value: INDUSTRIES[index] ?? '',
    })),
  );
  await world.put({
    visits: [...seen.map(({ visit }) => visit), ...facts.map(({ visit }) => visit), ...people],
    hits: seen.flatMap(({ hits }) => hits),
    conversions: facts.map(({ name, amount, visit }) =>
      conversionRow({ ...ofVisit(visit), goal: name, value: amount }),
    ),
    orders: facts.map(({ name, amount, visit }) => orderRow({ ...ofVisit(visit), promo_code: name, revenue: amount })),
    order_lines: facts.map(({ name, amount, visit }) =>
      orderLineRow({ ...ofVisit(visit), transaction_id: randomUUID(), product_id: name, price: amount, quantity: 1 }),
    ),
  });
});
afterAll(async () => world?.close());

/** Returns one page view, scrolled at once. */
function visitOf(path: string, ms: number, depth: number): { visit: VisitRow; hits: HitRow[] } {
  const at = noonOf(DAYS.pages);
  const visit = visitRow({ started_at: at, ended_at: at + ms, duration_s: ms / 1000, entry_path: path });
  const hit = {
    visit_id: visit.visit_id,
    visitor_id: visit.visitor_id,
    visit_started_at: at,
    page_path: path,
    page_url: `https://shop.example${path}`,
  };
  return { visit, hits: [hitRow({ ...hit, at }), hitRow({ ...hit, at: at + 1, type: 'scroll', depth })] };
}

// proves: report-rules/ties
it.each([
  ['avg_time_on_page', 'page_path', DAYS.pages, ['/a', '/b', '/c'], 0.003],
  ['avg_scroll_depth', 'page_path', DAYS.pages, ['/a', '/b', '/c'], 0.7],
  ['avg_visit_duration', 'entry_path', DAYS.pages, ['/a', '/b', '/c'], 0.003],
  ['value_per_conversion', 'goal', DAYS.facts, ['a', 'b', 'c'], 0.1],
  ['avg_order_value', 'promo_code', DAYS.facts, ['a', 'b', 'c'], 0.1],
  ['revenue_per_visit', 'promo_code', DAYS.facts, ['a', 'b', 'c'], 0.1],
  ['revenue_per_visitor', 'promo_code', DAYS.facts, ['a', 'b', 'c'], 0.1],
  ['product_avg_price', 'product_id', DAYS.facts, ['a', 'b', 'c'], 0.1],
])('equal values of %s tie, and are ordered by %s', async (metric, dimension, day, labels, mean) => {
  for (const dir of ['desc', 'asc'] as const) {
    const { rows } = await world.report({
      dimensions: [dimension],
      metrics: [metric],
      date_from: day,
      date_to: day,
      sort: [{ field: metric, dir }],
    });
    expect(rows).toEqual(labels.map((label) => [[label], [mean]]));
  }
});

// proves: report-rules/ties
it('the pages of a list with ties have each row once', async () => {
  const page = async (offset: number): Promise<unknown[]> => {
    const { rows } = await world.report({
      dimensions: ['page_path'],
      metrics: ['avg_scroll_depth'],
      date_to: DAYS.pages,
      sort: [{ field: 'avg_scroll_depth', dir: 'desc' }],
      limit: 1,
      offset,
    });
    return rows.map(([labels]) => labels[0]);
  };
  expect([await page(0), await page(1), await page(2), await page(3)]).toEqual([['/a'], ['/b'], ['/c'], []]);
});

it('equal affinity indexes tie, and are ordered by the dimension', async () => {
  const filters = [{ dimension: 'date', op: 'eq' as const, values: [DAYS.people] }];
  for (const dir of ['desc', 'asc'] as const) {
    const { rows } = await world.report(
      { dimensions: ['industry'], metrics: ['affinity_index'], filters, sort: [{ field: 'affinity_index', dir }] },
      { attributes },
    );
    expect(rows.filter(([labels]) => labels[0] !== 'other')).toEqual([
      [['few'], [120]],
      [['many'], [120]],
    ]);
  }
});
