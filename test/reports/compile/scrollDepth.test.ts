/** The depth to which each page view was scrolled, worked out by hand. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HitRow } from '../../../domain/reports/lakeRows.ts';
import { hitRow, visitRow } from '../../support/lake/lake.ts';
import { createWorld, type World } from './world.ts';

const NOON = Date.UTC(2026, 2, 10, 12);
const VISIT = visitRow({ started_at: NOON });
const OTHER = visitRow({ started_at: NOON });

/** Hits of a visit, a second apart: a path is a page view, a path with a number is a scroll of that page. */
function hitsOf(visit: typeof VISIT, steps: readonly (string | readonly [path: string, depth: number])[]): HitRow[] {
  return steps.map((step, second) => {
    const [path, depth] = typeof step === 'string' ? [step, null] : step;
    return hitRow({
      visit_id: visit.visit_id,
      visitor_id: visit.visitor_id,
      visit_started_at: NOON,
      at: NOON + second * 1000,
      type: depth === null ? 'pageview' : 'scroll',
      depth,
      page_path: path,
      page_url: `https://shop.example${path}`,
    });
  });
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: [VISIT, OTHER],
    hits: [
      ...hitsOf(VISIT, [
        ...(['/a', ['/a', 30], ['/a', 80], ['/a', 50]] as const),
        // A scroll of a page that has not been seen yet belongs to no page view.
        ...(['/b', ['/c', 90], '/c'] as const),
        // The second view of a page has a depth of its own; another page may be scrolled in its own tab meanwhile.
        ...(['/a', ['/a', 20], ['/b', 60]] as const),
      ]),
      // A scroll of /c in a visit without a view of it does not count for the view in the other visit.
      ...hitsOf(OTHER, ['/d', ['/d', 100], ['/c', 70]]),
    ],
  });
});
afterAll(async () => world?.close());

describe('the average scroll depth', () => {
  // proves: decisions-analytics/avg_scroll_depth
  it('is the mean over page views of the deepest scroll, and 0 for a page view without one', async () => {
    const { rows, totals } = await world.report({
      dimensions: ['page_path'],
      metrics: ['avg_scroll_depth', 'pageviews'],
      sort: [{ field: 'page_path', dir: 'asc' }],
    });
    expect(rows).toEqual([
      [['/a'], [(80 + 20) / 2, 2]],
      [['/b'], [60, 1]],
      [['/c'], [0, 1]],
      [['/d'], [100, 1]],
    ]);
    expect(totals).toEqual([(80 + 20 + 60 + 0 + 100) / 5, 5]);
  });
});
