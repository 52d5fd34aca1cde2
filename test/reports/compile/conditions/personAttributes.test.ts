/** The person of a row, and figures about people, worked out by hand over one small world. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReportRequest } from '../../../../reports/reportRequest.ts';
import { conversionRow, orderRow, visitRow } from '../../../support/lake/lake.ts';
import { createWorld, type Prologue, type World } from '../world.ts';

const visitor = (letter: string): string => `00000000-0000-4000-8000-00000000000${letter}`;
const march = (day: number): number => Date.UTC(2026, 2, day, 12);

/** `a` and `b` are devices of the user u1; `d` stands for ten; `e` is a robot. */
const PEOPLE: Prologue = {
  links: { [visitor('a')]: 'u1', [visitor('b')]: 'u1' },
  attributes: [
    { person: 'user:u1', attribute: 'gender', value: 'male', source: 'user' },
    { person: 'user:u1', attribute: 'interest', value: 'music', source: 'user' },
    { person: 'user:u1', attribute: 'interest', value: 'sport-football', source: 'network' },
    { person: visitor('c'), attribute: 'gender', value: 'female', source: 'network' },
    { person: visitor('c'), attribute: 'interest', value: 'music', source: 'site' },
    { person: visitor('f'), attribute: 'gender', value: 'male', source: 'site' },
    { person: visitor('f'), attribute: 'children_age', value: '9', source: 'site' },
    { person: visitor('f'), attribute: 'children_age', value: '12', source: 'site' },
    { person: visitor('e'), attribute: 'gender', value: 'female', source: 'site' },
    { person: 'user:u2', attribute: 'gender', value: 'female', source: 'site' },
  ],
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const visits = [
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['f', 2],
    ['d', 2, 10],
    ['e', 1, 1, true],
  ] as const;
  await world.put({
    visits: visits.map(([letter, day, weight = 1, isRobot = false]) =>
      visitRow({ visitor_id: visitor(letter), started_at: march(day), weight, is_robot: isRobot }),
    ),
    conversions: [
      // Rows of a user without a known visitor, of a user on another's device, and of a visitor who has become a
      // user.
      conversionRow({ visitor_id: null, user_id: 'u1', at: march(3) }),
      conversionRow({ visitor_id: visitor('c'), user_id: 'u1', at: march(3) }),
      conversionRow({ visitor_id: visitor('b'), user_id: null, at: march(3) }),
      conversionRow({ visitor_id: null, user_id: 'u2', at: march(3) }),
      conversionRow({ visitor_id: visitor('d'), user_id: null, at: march(3) }),
    ],
    orders: [
      orderRow({ visitor_id: visitor('a'), user_id: null, at: march(3) }),
      orderRow({ visitor_id: visitor('b'), user_id: null, at: march(4) }),
      orderRow({ visitor_id: null, user_id: 'u1', at: march(5) }),
      orderRow({ visitor_id: visitor('c'), user_id: 'u2', at: march(5) }),
    ],
  });
});
afterAll(async () => world?.close());

const ALL = ['people', 'people_share', 'undefined_share', 'network_share', 'affinity_index'];

async function rowsOf(
  request: Partial<ReportRequest>,
  options: Prologue & { audienceMinPeople?: number } = {},
): Promise<unknown> {
  const { rows, totals } = await world.report(request, { ...PEOPLE, ...options });
  return { ...Object.fromEntries(rows.map(([labels, metrics]) => [labels.join(' '), metrics])), total: totals };
}

describe('people', () => {
  it('are users with all of their devices, and visitors by their weight', async () => {
    expect(await rowsOf({ dimensions: [], metrics: ['visits', 'visitors', 'people'] })).toEqual({
      '': [14, 14, 13],
      total: [14, 14, 13],
    });
  });

  // proves: report-rules/people_share, report-rules/undefined_share, decisions-analytics/null-labels
  it('have shares by gender among those whose gender is known', async () => {
    expect(await rowsOf({ dimensions: ['gender'], metrics: ALL })).toEqual({
      male: [2, 2 / 3, 10 / 13, 0, 100],
      female: [1, 1 / 3, 10 / 13, 1, 100],
      '': [10, 0, 10 / 13, 0, 0],
      total: [13, 1, 10 / 13, 1 / 13, 100],
    });
  });

  // proves: report-rules/affinity, decisions-analytics/fractions
  it('are compared with everybody, whatever is filtered', async () => {
    expect(
      await rowsOf({
        dimensions: ['gender'],
        metrics: ALL,
        filters: [{ dimension: 'date', op: 'eq', values: ['2026-03-01'] }],
      }),
    ).toEqual({
      male: [1, 1 / 2, 0, 0, 75],
      female: [1, 1 / 2, 0, 1, 150],
      total: [2, 1, 0, 1 / 2, 100],
    });
  });

  it('are counted within the row’s other dimensions', async () => {
    expect(await rowsOf({ dimensions: ['date', 'gender'], metrics: ALL })).toEqual({
      '2026-03-01 male': [1, 1 / 2, 0, 0, 75],
      '2026-03-01 female': [1, 1 / 2, 0, 1, 150],
      '2026-03-02 male': [1, 1, 10 / 11, 0, 150],
      '2026-03-02 ': [10, 0, 10 / 11, 0, 0],
      total: [13, 1, 10 / 13, 1 / 13, 100],
    });
  });

  // proves: report-rules/audience-robots
  it('include robots if robots are included', async () => {
    expect(await rowsOf({ dimensions: ['gender'], metrics: ['people', 'people_share'], robots: 'include' })).toEqual({
      male: [2, 1 / 2],
      female: [2, 1 / 2],
      '': [10, 0],
      total: [14, 1],
    });
  });

  it('are in the row of each of their values, and once in the total', async () => {
    expect(await rowsOf({ dimensions: ['interest'], metrics: [...ALL, 'visits'] })).toEqual({
      music: [2, 1, 11 / 13, 0, 100, 3],
      'sport-football': [1, 1 / 2, 11 / 13, 1, 100, 2],
      '': [11, 0, 11 / 13, 0, 0, 11],
      total: [13, 1, 11 / 13, 1 / 13, 100, 14],
    });
    expect(
      await rowsOf({
        dimensions: ['children_age'],
        metrics: ['people', 'visits'],
        sort: [{ field: 'children_age', dir: 'asc' }],
      }),
    ).toEqual({ 9: [1, 1], 12: [1, 1], '': [12, 13], total: [13, 14] });
  });

  it('can be grouped by the source of their values', async () => {
    expect(await rowsOf({ dimensions: ['value_source:interest'], metrics: ['people'] })).toEqual({
      user: [1],
      network: [1],
      site: [1],
      '': [11],
      total: [13],
    });
    expect(await rowsOf({ dimensions: ['interest', 'value_source:interest'], metrics: ['people'] })).toEqual({
      'music user': [1],
      'music site': [1],
      'sport-football network': [1],
      ' ': [11],
      total: [13],
    });
  });

  // proves: report-rules/min-people
  it('are only in the total if there are fewer than the minimum', async () => {
    const options = { audienceMinPeople: 2 };
    expect(await rowsOf({ dimensions: ['gender'], metrics: ['people', 'visits'] }, options)).toEqual({
      male: [2, 3],
      total: [13, 14],
    });
    expect(await rowsOf({ dimensions: ['date'], metrics: ['people'] }, options)).toEqual({
      '2026-03-01': [2],
      '2026-03-02': [11],
      total: [13],
    });
  });

  // proves: report-rules/min-people
  it('cannot be found by a filter or a segment either if there are fewer than the minimum', async () => {
    const options = { audienceMinPeople: 2 };
    const [men, women] = [
      { dimension: 'gender', op: 'eq' as const, values: ['male'] },
      { dimension: 'gender', op: 'eq' as const, values: ['female'] },
    ];
    expect(await rowsOf({ dimensions: ['date'], metrics: ['people', 'visits'], filters: [men] }, options)).toEqual({
      total: [2, 3],
    });
    expect(await rowsOf({ dimensions: ['date'], metrics: ['people', 'visits'], filters: [women] }, options)).toEqual({
      total: [0, 0],
    });
    expect(
      await rowsOf(
        { dimensions: ['date'], metrics: ['visits'], segment: { scope: 'visitor', condition: women } },
        options,
      ),
    ).toEqual({ total: [0] });
  });
});

describe('facts', () => {
  it('belong to their own user, otherwise to the user of their visitor', async () => {
    expect(await rowsOf({ dimensions: ['gender'], metrics: ['conversions'] })).toEqual({
      male: [3],
      female: [1],
      '': [1],
      total: [5],
    });
  });

  it('count each buyer as one person', async () => {
    expect(await rowsOf({ dimensions: ['gender'], metrics: ['orders', 'buyers'] })).toEqual({
      male: [3, 1],
      female: [1, 1],
      total: [4, 2],
    });
  });
});
