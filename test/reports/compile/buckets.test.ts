/** The limits of the buckets, and the order of numbers: by size, although labels are texts. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { visitRow } from '../../support/lake/lake.ts';
import { createWorld, type World } from './world.ts';

/** The first and the last value of each bucket. */
const PAGEVIEWS: Readonly<Record<string, readonly number[]>> = {
  0: [0],
  1: [1],
  2: [2],
  '3-5': [3, 5],
  '6-10': [6, 10],
  '11-20': [11, 20],
  '21+': [21, 4_000],
};
const SECONDS: Readonly<Record<string, readonly number[]>> = {
  '0-9': [0, 9.999],
  '10-29': [10, 29.999],
  '30-59': [30, 59.999],
  '60-179': [60, 179.999],
  '180-599': [180, 599.999],
  '600-1799': [600, 1_799.999],
  '1800+': [1_800, 90_000],
};

const noonOf = (day: number): number => Date.UTC(2026, 2, day, 12);
const [VIEWED, LASTED, PEOPLE] = [noonOf(1), noonOf(2), noonOf(3)] as const;
const ADULT = '00000000-0000-4000-8000-00000000000a';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: [
      ...Object.values(PAGEVIEWS)
        .flat()
        .map((pageviews) => visitRow({ started_at: VIEWED, pageviews })),
      ...Object.values(SECONDS)
        .flat()
        .map((duration_s) => visitRow({ started_at: LASTED, duration_s })),
      visitRow({ started_at: PEOPLE, visitor_id: ADULT }),
    ],
  });
});
afterAll(async () => world?.close());

// proves: report-dimensions/visit
it.each([
  ['pageviews_bucket', '2026-03-01', PAGEVIEWS],
  ['duration_bucket', '2026-03-02', SECONDS],
])('%s has its documented limits and is sorted by size', async (dimension, day, buckets) => {
  const { rows } = await world.report({
    dimensions: [dimension],
    date_from: day,
    date_to: day,
    sort: [{ field: dimension, dir: 'asc' }],
  });
  const order = Object.keys(buckets).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  expect(rows).toEqual(order.map((label) => [[label], [buckets[label]?.length]]));
});

it('ages of children are sorted as numbers', async () => {
  const attributes = ['12', '9', '0'].map((value) => ({ person: ADULT, attribute: 'children_age', value }));
  const { rows } = await world.report(
    { dimensions: ['children_age'], date_from: '2026-03-03', sort: [{ field: 'children_age', dir: 'asc' }] },
    { attributes },
  );
  expect(rows.map(([labels]) => labels[0])).toEqual(['0', '9', '12']);
});
