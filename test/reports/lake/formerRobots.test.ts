/** Conversions and orders of robots stay out of reports after their visits have expired. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import { conversionRow, orderLineRow, orderRow, visitRow } from '../../support/lake/lake.ts';
import { createWorld, type World } from '../compile/world.ts';

const AT = Date.UTC(2026, 2, 10, 12);
const METRICS = ['conversions', 'orders', 'product_quantity'];
/** A person, a robot, and rows without a visit. */
const [PERSON, ROBOT, NO_VISIT] = [randomUUID(), randomUUID(), null];

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const of = (visitId: string | null) => ({
    visit_id: visitId,
    visit_started_at: visitId === null ? null : AT,
    at: AT + 60_000,
  });
  const ordered = (visitId: string | null) => ({ ...of(visitId), transaction_id: `of ${visitId}` });
  await world.put({
    visits: [
      visitRow({ visit_id: PERSON, started_at: AT }),
      visitRow({ visit_id: ROBOT, started_at: AT, is_robot: true, robot_reason: 'UserAgent' }),
      visitRow({ started_at: AT, is_robot: true, robot_reason: 'UserAgent' }),
    ],
    conversions: [PERSON, ROBOT, NO_VISIT].map((visit) => conversionRow(of(visit))),
    orders: [PERSON, ROBOT, NO_VISIT].map((visit) => orderRow(ordered(visit))),
    order_lines: [PERSON, ROBOT, NO_VISIT].map((visit) => orderLineRow({ ...ordered(visit), quantity: 1 })),
  });
});
afterAll(() => world?.close());

const REQUESTS: [string, Partial<ReportRequest>][] = [
  ['without anything of the visit', {}],
  ['with a dimension of the visit', { dimensions: ['country'] }],
  ['with a filter on the visit', { filters: [{ dimension: 'country', op: 'neq', values: ['XX'] }] }],
];
const totals = async (robots: ReportRequest['robots'], asked: Partial<ReportRequest>): Promise<number[]> =>
  (await world.report({ metrics: METRICS, robots, ...asked })).totals;

describe.each([
  ['while the lake has its visit', AT],
  ['after its visit has expired', Date.UTC(2027, 7, 1)],
])('facts of a robot %s', (_when, now) => {
  beforeAll(() => world.retain(now));

  it.each(REQUESTS)('are left out, counted alone or included, as requested, in a report %s', async (_what, asked) => {
    expect(await totals('exclude', asked)).toEqual([2, 2, 2]);
    expect(await totals('only', asked)).toEqual([1, 1, 1]);
    expect(await totals('include', asked)).toEqual([3, 3, 3]);
  });
});

it('an expired robot visit is recorded only if it has facts, and only as long as it may have them', async () => {
  const noted = (): Promise<unknown[]> =>
    world.lake.query('select visit_id::varchar as id from lake.former_robot_visits');
  expect(await noted()).toEqual([{ id: ROBOT }]);
  await world.retain(Date.UTC(2032, 7, 1));
  expect(await noted()).toHaveLength(1);
  await world.retain(Date.UTC(2032, 11, 1));
  expect(await noted()).toEqual([]);
});
