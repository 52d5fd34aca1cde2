import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWorld, type World } from './world.ts';
import { DIRECT, visitRow } from '../../support/lake/lake.ts';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const at = (day: number, hour = 12): number => Date.UTC(2026, 2, day, hour);

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: [
      visitRow({
        visitor_id: A,
        started_at: at(1),
        device_type: 'mobile',
        weight: 1,
        pageviews: 1,
        weighted_pageviews: 1,
        hits: 1,
        weighted_hits: 1,
        is_bounce: true,
        duration_s: 0,
        country: 'RU',
      }),
      visitRow({
        visitor_id: A,
        started_at: at(2),
        visit_number: 2,
        previous_visit_at: at(1),
        first_visit_at: at(1),
        user_id: 'u1',
        pageviews: 4,
        weighted_pageviews: 4,
        hits: 6,
        weighted_hits: 6,
        duration_s: 100,
        country: null,
      }),
      visitRow({
        visitor_id: B,
        started_at: at(2, 23),
        weight: 10,
        weighted_pageviews: 20,
        weighted_hits: 30,
        duration_s: 10,
        country: 'DE',
        source_last: { ...DIRECT, utm_source: 'mail' },
      }),
      visitRow({ started_at: at(2), is_robot: true, robot_reason: 'Frequency' }),
      visitRow({ started_at: at(2), site_id: 'site00000002' }),
      visitRow({ started_at: Date.UTC(2026, 1, 28, 23, 59) }),
      visitRow({ started_at: Date.UTC(2026, 3, 1) }),
    ],
  });
});
afterAll(async () => world?.close());

describe('visits', () => {
  // proves: report-rules/weights, report-rules/distinct, decisions-analytics/hits
  it('are counted by their weight, people once', async () => {
    const { rows, totals, rowCount } = await world.report({
      dimensions: ['date'],
      metrics: ['visits', 'visitors', 'users', 'new_visitors', 'pageviews', 'hits', 'bounces', 'visits_per_day'],
    });
    expect(rows).toEqual(
      [
        ['2026-03-01', [1, 1, 0, 1, 1, 1, 1, 1 / 31]],
        ['2026-03-02', [11, 11, 1, 10, 24, 36, 0, 11 / 31]],
      ].map(([date, metrics]) => [[date], metrics]),
    );
    expect(totals).toEqual([12, 11, 1, 11, 25, 37, 1, 12 / 31]);
    expect(rowCount).toBe(2);
  });
});
