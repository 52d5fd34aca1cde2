/** The visits that a segment's conditions select, worked out by hand over one small world. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HitRow } from '../../../../domain/reports/lakeRows.ts';
import { compileReport } from '../../../../reports/compile/index.ts';
import { DUCKDB } from '../../../../reports/sql/duckdb.ts';
import type { Condition, ReportRequest } from '../../../../reports/reportRequest.ts';
import { conversionRow, hitRow, orderLineRow, orderRow, visitRow } from '../../../support/lake/lake.ts';
import { createWorld, SITE, type Prologue, type World } from '../world.ts';

const id = (kind: string, number: number): string => `00000000-0000-4000-8000-${kind.padStart(4, '0')}0000000${number}`;
/** Visitors. */
const [ANNA, BORIS, CLARA] = [id('a', 1), id('b', 2), id('c', 3)] as const;
const visit = (number: number): string => id('f', number);
const march = (day: number): number => Date.UTC(2026, 2, day, 12);

/** Anna has become the user u1; Boris has a visit by a robot; Clara's visit consists of pings. */
const VISITS = [
  { number: 0, visitor: ANNA, start: Date.UTC(2026, 1, 20), device_type: 'tablet' },
  { number: 1, visitor: ANNA, start: march(1), device_type: 'mobile' },
  { number: 2, visitor: ANNA, start: march(5), device_type: 'desktop', pageviews: 4 },
  { number: 3, visitor: BORIS, start: march(2), device_type: 'desktop' },
  { number: 4, visitor: CLARA, start: march(3), device_type: 'tv' },
  { number: 5, visitor: BORIS, start: march(4), device_type: 'desktop', is_robot: true },
];
const HITS: readonly (Partial<HitRow> & { of: number })[] = [
  { of: 0, page_path: '/old' },
  { of: 1, page_path: '/a' },
  { of: 1, page_path: '/a', type: 'event', name: 'signup', params: '{"plan":"pro","a/b~c":1}' },
  { of: 2, page_path: '/b' },
  { of: 2, page_path: '/z', type: 'ping' },
  { of: 3, page_path: '/a' },
  { of: 3, page_path: '/b' },
  { of: 3, page_path: '/b', type: 'outbound', target: 'https://other.example/', target_domain: 'other.example' },
  { of: 4, page_path: '/a', type: 'ping' },
  { of: 5, page_path: '/robot' },
];
const PEOPLE: Prologue = {
  links: { [ANNA]: 'u1' },
  attributes: [
    { person: 'user:u1', attribute: 'gender', value: 'male' },
    { person: 'user:u1', attribute: 'interest', value: 'music', source: 'user' },
    { person: 'user:u1', attribute: 'interest', value: 'sport-football', source: 'user' },
    { person: 'user:u1', attribute: 'visitor_param', param: 'plan', value: 'annual' },
    { person: BORIS, attribute: 'interest', value: 'sport-football', source: 'network' },
    { person: BORIS, attribute: 'visitor_param', param: 'other', value: 'annual' },
    // Values sent for the visitor before she became a user belong to nobody.
    { person: ANNA, attribute: 'gender', value: 'female' },
  ],
};

const ofVisit = (number: number) => {
  const found = VISITS[number];
  if (found === undefined) throw new Error(`no visit ${number}`);
  return { visit_id: visit(number), visitor_id: found.visitor, visit_started_at: found.start };
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.put({
    visits: VISITS.map(({ number, visitor, start, ...given }) =>
      visitRow({
        visit_id: visit(number),
        visitor_id: visitor,
        started_at: start,
        entry_path: `/v${number}`,
        ...given,
      }),
    ),
    hits: HITS.map(({ of, ...given }) => hitRow({ ...ofVisit(of), at: ofVisit(of).visit_started_at + 1000, ...given })),
    conversions: [
      conversionRow({ ...ofVisit(3), at: march(2) + 5000, goal: 'lead' }),
      conversionRow({ ...ofVisit(3), at: march(2) + 6000, goal: 'call', value: 30 }),
      conversionRow({ ...ofVisit(0), at: march(4), goal: 'lead' }),
      conversionRow({ visitor_id: null, user_id: 'u9', at: march(4), goal: 'lead' }),
    ],
    orders: [
      orderRow({ ...ofVisit(2), at: march(20), revenue: 100.1 }),
      orderRow({ ...ofVisit(2), at: Date.UTC(2026, 3, 20), revenue: 50, promo_code: 'SPRING' }),
    ],
    order_lines: [orderLineRow({ ...ofVisit(2), at: march(20), product_id: 'p1', quantity: 3 })],
  });
});
afterAll(async () => world?.close());

/** Returns the numbers of the selected visits. */
async function chosen(
  condition: Condition,
  scope: 'visit' | 'visitor' = 'visit',
  request: Partial<ReportRequest> = {},
): Promise<number[]> {
  const { rows } = await world.report(
    { dimensions: ['entry_path'], metrics: ['visits'], segment: { scope, condition }, ...request },
    PEOPLE,
  );
  return rows.map(([[path]]) => Number(path?.slice(2))).sort();
}

const is = (dimension: string, ...values: string[]): Condition => ({
  dimension,
  op: values.length > 1 ? 'in' : 'eq',
  values,
});
const isNot = (dimension: string, value: string): Condition => ({ dimension, op: 'neq', values: [value] });

describe('conditions select visits', () => {
  it.each<[string, Condition, number[]]>([
    ['by a value of the visit', is('device_type', 'mobile'), [1]],
    ['by any other value of the visit', isNot('device_type', 'desktop'), [1, 4]],
    ['by any of several values', is('device_type', 'mobile', 'tv'), [1, 4]],
    ['by the date of the visit', is('date', '2026-03-02', '2026-03-05'), [2, 3]],
    ['by part of a text, in upper or lower case', { dimension: 'device_type', op: 'contains', values: ['MOB'] }, [1]],
    ['by a pattern', { dimension: 'entry_path', op: 'regex', values: ['v[34]$'] }, [3, 4]],
    ['by inequality, which an unknown value satisfies', isNot('city', 'Moscow'), [1, 2, 3, 4]],
    ['by a negated equality, which an unknown value satisfies', { not: is('city', 'Moscow') }, [1, 2, 3, 4]],
    ['by a hit', is('page_path', '/a'), [1, 3]],
    // proves: decisions-analytics/segment-forms
    ['by the absence of a hit', { not: is('page_path', '/a') }, [2, 4]],
    ['by a hit with another value', isNot('page_path', '/a'), [2, 3]],
    // proves: decisions-analytics/segment-forms
    ['by two hits', { all: [is('page_path', '/a'), is('page_path', '/b')] }, [3]],
    // proves: decisions-analytics/segment-forms
    ['by either of two hits', { any: [is('page_path', '/a'), is('page_path', '/b')] }, [1, 2, 3]],
    ['by hits other than pings', is('page_path', '/z'), []],
    ['by an event', is('event_name', 'signup'), [1]],
    ['by another event, not by hits of other kinds', isNot('event_name', 'signup'), []],
    ['by a param of an event', is('event_param:plan', 'pro'), [1]],
    ['by a param whose key is not a plain word', is('event_param:a/b~c', '1'), [1]],
    ['by an outbound click', { dimension: 'outbound_domain', op: 'contains', values: ['other'] }, [3]],
    ['by a goal', is('goal', 'lead'), [3]],
    ['by two goals', { all: [is('goal', 'lead'), is('goal', 'call')] }, [3]],
    ['by the absence of goals', { not: is('goal', 'lead', 'call') }, [1, 2, 4]],
    ['by an order', is('order_status', 'purchased'), [2]],
    ['by an order after the period', is('promo_code', 'SPRING'), [2]],
    ['by a product', is('product_id', 'p1'), [2]],
    // proves: decisions-analytics/segment-metrics
    ['by a count stored with the visit', { metric: 'pageviews', op: 'gte', value: 4 }, [2]],
    // proves: decisions-analytics/segment-metrics
    ['by a count of hits', { metric: 'events', op: 'gt', value: 0 }, [1]],
    ['by a count of 0, where there are no such hits', { metric: 'events', op: 'eq', value: 0 }, [2, 3, 4]],
    // proves: decisions-analytics/segment-metrics
    ['by a count below 1, where there are no conversions', { metric: 'conversions', op: 'lt', value: 1 }, [1, 2, 4]],
    [
      'by a hit and a count of other hits',
      { all: [is('page_path', '/b'), { metric: 'outbound_clicks', op: 'neq', value: 0 }] },
      [3],
    ],
    ['by comparison with a number beyond BIGINT', { metric: 'pageviews', op: 'lt', value: 1e20 }, [1, 2, 3, 4]],
    [
      'by comparison with the lowest possible number',
      { metric: 'revenue', op: 'gt', value: -Number.MAX_VALUE },
      [1, 2, 3, 4],
    ],
    // proves: decisions-analytics/segment-metrics
    ['by the number of conversions', { metric: 'conversions', op: 'eq', value: 2 }, [3]],
    ['by the number of conversions of a goal', { metric: 'conversions:lead', op: 'eq', value: 1 }, [3]],
    ['by the value of conversions', { metric: 'conversion_value:call', op: 'gte', value: 30 }, [3]],
    // proves: decisions-analytics/segment-metrics
    ['by the revenue of orders of any time', { metric: 'revenue', op: 'eq', value: 150.1 }, [2]],
    // proves: decisions-analytics/segment-metrics
    ['by the number of products', { metric: 'product_quantity', op: 'lte', value: 3 }, [1, 2, 3, 4]],
    ['by an attribute of the person', is('gender', 'male'), [1, 2]],
    ['not by an attribute sent for a visitor who has become a user', is('gender', 'female'), []],
    ['by inequality of an attribute, which a person without it satisfies', isNot('gender', 'male'), [3, 4]],
    ['by a negated attribute, also of a person without it', { not: is('gender', 'male') }, [3, 4]],
    ['by one of several values of an attribute', is('interest', 'music'), [1, 2]],
    ['by another value of an attribute, or none', isNot('interest', 'music'), [1, 2, 3, 4]],
    ['by the absence of one value of an attribute', { not: is('interest', 'music') }, [3, 4]],
    ['by a param of the person', is('visitor_param:plan', 'annual'), [1, 2]],
    ['by the source of a value', is('value_source:interest', 'network'), [3]],
    ['by the absence of values from several sources', { not: is('value_source:interest', 'network', 'user') }, [4]],
    [
      'by nested conditions of several kinds',
      {
        all: [
          { any: [is('gender', 'male'), is('goal', 'call')] },
          { not: { all: [is('device_type', 'mobile'), is('event_name', 'signup')] } },
        ],
      },
      [2, 3],
    ],
  ])('%s', async (_name, condition, expected) => {
    expect(await chosen(condition)).toEqual(expected);
  });
});

describe('conditions on visitors', () => {
  // proves: decisions-analytics/segment-scope
  it('select all visits in the period of visitors with one matching visit', async () => {
    expect(await chosen(is('device_type', 'mobile'), 'visitor')).toEqual([1, 2]);
    expect(await chosen({ all: [is('page_path', '/a'), is('device_type', 'desktop')] }, 'visitor')).toEqual([3]);
  });

  it('ignore visits before the period', async () => {
    expect(await chosen(is('page_path', '/old'), 'visitor')).toEqual([]);
  });

  it('ignore visits that the parameter robots excludes', async () => {
    expect(await chosen(is('page_path', '/robot'), 'visitor')).toEqual([]);
    expect(await chosen(is('page_path', '/robot'), 'visitor', { robots: 'include' })).toEqual([3, 5]);
    expect(await chosen(is('page_path', '/robot'), 'visitor', { robots: 'only' })).toEqual([5]);
  });
});

describe('facts', () => {
  const conversions = async (condition: Condition, scope: 'visit' | 'visitor' = 'visit'): Promise<number> => {
    const { totals } = await world.report({ metrics: ['conversions'], segment: { scope, condition } }, PEOPLE);
    return totals[0] ?? -1;
  };

  it('are selected by their visits even if these began before the period', async () => {
    expect(await conversions(is('page_path', '/old'))).toBe(1);
    expect(await conversions(is('device_type', 'tablet'))).toBe(1);
  });

  it('without a visit are in no segment', async () => {
    expect(await conversions({ not: is('device_type', 'console') })).toBe(3);
    expect(await conversions({ not: is('gender', 'female') })).toBe(3);
    expect(await conversions({ not: is('page_path', '/nowhere') })).toBe(3);
  });

  it('of selected visitors are counted even if their visits began before the period', async () => {
    expect(await conversions(is('device_type', 'mobile'), 'visitor')).toBe(1);
  });
});

it('fifty conditions on hits read the hits once', async () => {
  const condition: Condition = {
    any: Array.from({ length: 50 }, (_, index) => is(index % 2 === 0 ? 'page_path' : 'event_param:plan', `/${index}`)),
  };
  const request: ReportRequest = {
    dimensions: ['entry_path'],
    metrics: ['visits'],
    date_from: '2026-03-01',
    date_to: '2026-03-31',
    filters: [],
    segment: { scope: 'visit', condition },
    attribution: 'last',
    robots: 'exclude',
    sort: [],
    limit: 100,
    offset: 0,
  };
  const { sql } = compileReport(request, {
    dialect: DUCKDB,
    site: SITE,
    snapshot: null,
    hasFresh: false,
    hasLeftOut: false,
    refundedFrom: null,
    sampled: false,
    lateEventHours: 24,
    audienceMinPeople: 1,
  });
  expect(sql.split('lake.hits').length - 1).toBe(1);
  expect(await chosen({ any: [condition, is('page_path', '/a')] })).toEqual([1, 3]);
});
